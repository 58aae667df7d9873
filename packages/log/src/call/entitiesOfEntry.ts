import type { ActivityEntry, ActivityKind } from "@inlethq/core/log/ActivityEntry"
import { tookEffect } from "@inlethq/core/log/Outcome"
import type { PersonBefore } from "@inlethq/core/log/Overwritten"
import { unsubscribedName } from "@inlethq/core/state/Attributes"
import { reportNamed } from "@inlethq/core/state/metricEventNames"
import { svcIdKey, type Identifier } from "@inlethq/core/values/Identifier"
import { isJsonObject, type Json, type JsonObject } from "@inlethq/core/values/Json"
import { toIso } from "@inlethq/core/values/Timestamp"
import { deviceEntities, lostDevices } from "./deviceEntities.ts"
import { eventDraft, keptDraft, personEntity, type Draft, type EntryNames, type WhyNone } from "./Draft.ts"
import { dataOf, identifyEntities, objectsIn } from "./identifyEntities.ts"

/**
 * Returns the operations that an entry records, as entities of the management import, or why there are none. Each is
 * addressed by an identifier that the person had then, because keys of one workspace mean nothing in another.
 */
export const entitiesOfEntry = (
  entry: ActivityEntry,
  isErased: boolean,
  names: EntryNames,
): ReadonlyArray<Draft> | WhyNone => {
  if (isErased) {
    const others = [...createdPeople(entry, names), ...lostDevices(entry, names)]
    return others.length === 0 ? "erased" : others
  }
  if (!tookEffect(entry.outcome)) return "no_effect"
  const found = entry.kind === null ? operatorEntities(entry) : entitiesOfKind(entry, entry.kind, names)
  return entry.keptAs.length === 0 || typeof found === "string" ? found : withKept(entry, found)
}

/** The first entity is that of the call itself. */
const withKept = (
  { keptAs }: ActivityEntry,
  [first, ...others]: ReadonlyArray<Draft>,
): ReadonlyArray<Draft> =>
  first === undefined ? [] : [{ ...first, kept_as: keptAs.map(keptDraft) }, ...others]

/** Returns the people whom an erased entry created, such as the one who was taken out of somebody who was deleted since. */
const createdPeople = ({ overwritten }: ActivityEntry, { createdAs }: EntryNames): ReadonlyArray<Draft> =>
  overwritten.flatMap(({ before, subject }) => {
    const address = before === null ? createdAs(subject) : null
    return address === null ? [] : [personEntity("identify", address, {})]
  })

const entitiesOfKind = (
  entry: ActivityEntry,
  kind: ActivityKind,
  names: EntryNames,
): ReadonlyArray<Draft> | WhyNone => {
  switch (kind) {
    case "identify":
      return aboutPerson(entry, names, (address) => identifyEntities(entry, address, names))
    case "merge":
      return mergeEntities(entry, names)
    case "unmerge":
      return unmergeEntities(entry, names)
    case "event":
    case "page":
    case "screen":
    case "anonymous_event":
      return aboutPerson(entry, names, (address) => eventEntities(entry, kind, address, names))
    case "add_device":
    case "delete_device":
      return aboutPerson(entry, names, (address) => [
        personEntity(kind, address, { device: deviceIn(dataOf(entry)) }),
      ])
    case "add_relationships":
    case "delete_relationships":
      return isAboutObject(dataOf(entry))
        ? objectEntities(entry, kind, names)
        : aboutPerson(entry, names, (address) => relationshipEntities(entry, kind, address, names))
    case "object_identify":
      return objectEntities(entry, "identify", names)
    case "object_delete":
      return [objectEntity("delete", dataOf(entry), {})]
    case "form_submission":
      return [{ entity: { type: "form", action: "submit", form_id: entry.name, data: entry.data } }]
    case "segment_add":
    case "segment_remove":
      return membershipEntities(entry, kind === "segment_add" ? "add" : "remove", names)
    case "delivery_metric":
      return reportEntities(entry)
    case "unsubscribe":
      return aboutPerson(entry, names, (address) => unsubscribeEntities(entry, address))
    case "delete":
    case "suppress":
    case "unsuppress":
      return "erased"
    case "segment_change":
      return "server"
  }
}

const aboutPerson = (
  { subject }: ActivityEntry,
  { addressOf }: EntryNames,
  entities: (address: Identifier) => ReadonlyArray<Draft>,
): ReadonlyArray<Draft> | WhyNone => {
  const address = subject === null ? null : addressOf(subject)
  return address === null ? "unnamed" : entities(address)
}

const eventEntities = (
  entry: ActivityEntry,
  kind: "event" | "page" | "screen" | "anonymous_event",
  address: Identifier,
  names: EntryNames,
): ReadonlyArray<Draft> => {
  const { anonymousId, data, name, originalTimestamp, source } = entry
  const isAnonymous = address.kind === "anonymous_id"
  const event = eventDraft({
    identifiers: {
      [address.kind]: address.value,
      ...(anonymousId !== null && !isAnonymous && { anonymous_id: anonymousId }),
    },
    kind,
    name,
    data,
    source,
    original_timestamp: originalTimestamp === null ? null : toIso(originalTimestamp),
  })
  return [event, ...deviceEntities(entry, address, names)]
}

const deviceIn = ({ attributes, last_used, platform, token }: JsonObject): JsonObject => ({
  token: token ?? null,
  ...(platform !== undefined && { platform }),
  ...(last_used !== undefined && last_used !== null && { last_used }),
  ...(attributes !== undefined && { attributes }),
})

const relationshipEntities = (
  entry: ActivityEntry,
  action: string,
  address: Identifier,
  names: EntryNames,
): ReadonlyArray<Draft> => [
  personEntity(action, address, {
    svc_relationships: objectsIn(entry, dataOf(entry)["relationships"], names),
  }),
]

const mergeEntities = (entry: ActivityEntry, names: EntryNames): ReadonlyArray<Draft> | WhyNone => {
  const { overwritten, subject, workspace } = entry
  const data = dataOf(entry)
  // A person was declared to be known by an anonymous id.
  if (!("secondary" in data)) {
    return aboutPerson(entry, names, (address) => identifyEntities(entry, address, names))
  }
  const primary = subject === null ? null : names.addressOf(subject)
  const svcId = isJsonObject(data["secondary"] ?? null) ? svcIdIn(data["secondary"]) : undefined
  const key = svcId === undefined ? undefined : svcIdKey(workspace, svcId)
  const before = overwritten.find((one) => one.subject === key)?.before
  const secondary = before == null ? null : addressBefore(before)
  if (primary === null || secondary === null) return "unnamed"
  return [
    {
      entity: {
        type: "person",
        action: "merge",
        primary: { [primary.kind]: primary.value },
        secondary: { [secondary.kind]: secondary.value },
      },
    },
  ]
}

const svcIdIn = (value: Json | undefined): string | undefined => {
  const svcId = value !== undefined && isJsonObject(value) ? value["svc_id"] : undefined
  return typeof svcId === "string" ? svcId : undefined
}

/** Returns an identifier of a person of whom an entry says everything that they had. */
const addressBefore = ({ email, id }: PersonBefore): Identifier | null => {
  if (id != null) return { kind: "id", value: id }
  return email == null ? null : { kind: "email", value: email }
}

const unmergeEntities = (entry: ActivityEntry, names: EntryNames): ReadonlyArray<Draft> | WhyNone => {
  const { mergeKey } = names
  if (mergeKey === null) return "unnamed"
  return aboutPerson(entry, names, ({ kind, value }) => [
    { entity: { type: "person", action: "unmerge", primary: { [kind]: value } }, merge: mergeKey },
  ])
}

const isAboutObject = (data: JsonObject): boolean => "object_type_id" in data || "svc_object_id" in data

const objectEntity = (action: string, data: JsonObject, rest: JsonObject): Draft => {
  const { object_id = null, object_type_id = null } = data
  return { entity: { type: "object", action, identifiers: { object_type_id, object_id }, ...rest } }
}

/** Relating people and relating visitors are two actions of the Track API, so a call about both becomes two entities. */
const objectEntities = (
  entry: ActivityEntry,
  action: "identify" | "add_relationships" | "delete_relationships",
  names: EntryNames,
): ReadonlyArray<Draft> | WhyNone => {
  const { attributes, ...data } = dataOf(entry)
  const object = entry.subject === null ? null : names.objectOf(entry.subject)
  const identifiers = object ?? data
  if (!("object_type_id" in identifiers)) return "unnamed"
  const people: Array<Json> = []
  const visitors: Array<{ readonly identifiers: JsonObject; readonly relationship_attributes: Json }> = []
  for (const part of entry.parts) {
    const said = isJsonObject(part.data) ? part.data : {}
    const address = partAddress(said) ?? names.addressOf(part.subject)
    if (address === null) continue
    const { relationship_attributes = {} } = said
    const related = { identifiers: { [address.kind]: address.value }, relationship_attributes }
    if (address.kind === "anonymous_id") visitors.push(related)
    else people.push(related)
  }
  const own = { ...(attributes !== undefined && { attributes }) }
  const entities: Array<Draft> = []
  // One call relates people or visitors. That of visitors identifies the object, too.
  const isOnlyVisitors = people.length === 0 && visitors.length > 0
  if (people.length > 0 || (action === "identify" && !isOnlyVisitors)) {
    entities.push(objectEntity(action, identifiers, { ...own, svc_relationships: people }))
  }
  if (visitors.length > 0 && action !== "delete_relationships") {
    const first = action === "identify" && isOnlyVisitors ? own : {}
    entities.push(objectEntity("identify_anonymous", identifiers, { ...first, svc_relationships: visitors }))
  }
  if (action === "delete_relationships") {
    const svc_relationships = [{ identifiers }]
    for (const { identifiers } of visitors) {
      entities.push({ entity: { type: "person", action, identifiers, svc_relationships } })
    }
  }
  if (entities.length === 0 && action === "add_relationships") {
    entities.push(objectEntity("identify", identifiers, {}))
  }
  return entities.length === 0 ? "no_effect" : entities
}

/** Returns the identifier with which a call named a person, unless that is a key. */
const partAddress = ({ identifiers }: JsonObject): Identifier | null => {
  if (identifiers === undefined || !isJsonObject(identifiers)) return null
  for (const kind of ["id", "email", "anonymous_id"] as const) {
    const value = identifiers[kind]
    if (typeof value === "string" && value !== "") return { kind, value }
  }
  return null
}

/** People are named by who entered or left, because the entry counts the others only. */
const membershipEntities = (
  entry: ActivityEntry,
  action: "add" | "remove",
  { addressOf }: EntryNames,
): ReadonlyArray<Draft> | WhyNone => {
  const { segment_id } = dataOf(entry)
  const moved = { id: new Array<string>(), email: new Array<string>() }
  for (const { before, subject } of entry.overwritten) {
    if (before?.segments === undefined) continue
    const address = addressOf(subject)
    if (address !== null && address.kind !== "anonymous_id") moved[address.kind].push(address.value)
  }
  const entities = (["id", "email"] as const).flatMap((id_type): ReadonlyArray<Draft> =>
    moved[id_type].length === 0 || segment_id === undefined
      ? []
      : [{ entity: { type: "segment", action, segment_id, id_type, ids: moved[id_type] } }],
  )
  return entities.length === 0 ? "no_effect" : entities
}

const reportEntities = (entry: ActivityEntry): ReadonlyArray<Draft> | WhyNone => {
  const metric = entry.name === null ? undefined : reportNamed(entry.name)?.metric
  const { properties } = dataOf(entry)
  if (metric === undefined || properties === undefined || !isJsonObject(properties)) return "unnamed"
  const { bounce_reason, delivery_id = null, device_id, href, recipient } = properties
  const reason = bounce_reason ?? properties["reason"]
  return [
    {
      entity: {
        type: "delivery",
        action: "event",
        identifiers: { id: delivery_id },
        name: metric,
        attributes: {
          ...(recipient !== undefined && { recipient }),
          ...(reason !== undefined && { reason }),
          ...(href !== undefined && { href }),
          ...(device_id !== undefined && { device_token: device_id }),
        },
      },
    },
  ]
}

/** The registration of a delivery may lie before the entries that are replayed, so the recipient is named instead. */
const unsubscribeEntities = (entry: ActivityEntry, address: Identifier): ReadonlyArray<Draft> => {
  const unsubscribed = dataOf(entry)["unsubscribe"] !== false
  const before = entry.overwritten.find(({ subject }) => subject === entry.subject)?.before
  const setAt = before?.attributes?.get(unsubscribedName)?.at ?? entry.at
  return [
    {
      ...personEntity("identify", address, { attributes: { [unsubscribedName]: unsubscribed } }),
      at: toIso(Math.max(entry.at, setAt)),
    },
  ]
}

/** Operators' commands have no kind. Segments are carried over as they are today. */
const operatorEntities = (entry: ActivityEntry): ReadonlyArray<Draft> | WhyNone => {
  const { form_id, mapping } = dataOf(entry)
  if (form_id === undefined || mapping === undefined) return "settings"
  return [{ entity: { type: "form", action: "map", form_id, mapping } }]
}
