import type { ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import { provenanceOf, type ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import type { Reason } from "@inlethq/core/log/Reason"
import { tookEffect } from "@inlethq/core/log/Outcome"
import { clientIdOf } from "@inlethq/core/values/deduplicationKeys"
import { svcIdText } from "@inlethq/core/values/Identifier"
import { isJsonObject, type JsonObject } from "@inlethq/core/values/Json"
import { readTime, secondMs, toIso, type EpochMillis } from "@inlethq/core/values/Timestamp"
import { Result } from "effect"
import { identifierTexts } from "@inlethq/wire/texts/wireTexts"
import { managementPath } from "@inlethq/contract/values/managementPath"
import { post, segmentOf, type Call } from "./Call.ts"
import { callTexts } from "./callTexts.ts"
import type { Draft, Names, WhyNone } from "./Draft.ts"
import { isGone } from "./NamesReader.ts"
import { entitiesOfEntry } from "./entitiesOfEntry.ts"
import { dataOf } from "./identifyEntities.ts"
import { pipelinesCall } from "./pipelinesCall.ts"
import { rejectedCall } from "./rejectedCall.ts"
import { isFlat, sentEntity } from "./sentEntity.ts"
import type { Told } from "./Told.ts"
import { objectIn, trackV1Call } from "./trackV1Call.ts"
import { entityOf, trackV2Call } from "./trackV2Call.ts"

/**
 * Returns the one request that an entry records, or why the log cannot say it. Decoding the request gives the command
 * that the entry was made of. People are named as they were named then, and values are those that were sent.
 */
export const encodeCall = (record: ActivityRecord, names: Names): Result.Result<Call, Reason> => {
  const { entry } = record
  if (entry.outcome === "rejected") return rejectedCall(record)
  if (isErasing(entry)) return Result.fail(callTexts.erasing())
  if (isGone(record)) return Result.fail(callTexts.erased())
  const special = specialCall(entry, names)
  if (special !== null) return Result.succeed(special)
  const found = entitiesOfEntry(entry, false, { ...names, mergeKey: null })
  if (typeof found === "string") return Result.fail(whyNot[found]())
  const told = toldBy(entry, names, found)
  if (told === null) return Result.fail(callTexts.several())
  const call = callOf(entry, told)
  return call === null ? Result.fail(callTexts.several()) : Result.succeed(call)
}

const whyNot: Readonly<Record<WhyNone, () => Reason>> = {
  no_effect: callTexts.noEffect,
  erased: callTexts.erased,
  server: callTexts.server,
  settings: callTexts.settings,
  unnamed: callTexts.unnamed,
}

const isErasing = ({ kind, outcome }: ActivityEntry): boolean =>
  (kind === "delete" || kind === "suppress" || kind === "unsuppress") && tookEffect(outcome)

/** Returns the call of an operation that is no entity of the Track API v2, or null for one that is. */
const specialCall = (entry: ActivityEntry, names: Names): Call | null => {
  const { kind, source, workspace } = entry
  if (!tookEffect(entry.outcome)) return null
  const data = dataOf(entry)
  switch (kind) {
    case "anonymous_event":
      return entry.subject === null ? namelessEvent(entry) : null
    case "unsubscribe":
      return unsubscribeCall(data)
    case "unmerge": {
      const { unmerge } = data
      if (source === "system" || unmerge === undefined || !isJsonObject(unmerge)) return null
      const body = { type: "person", action: "unmerge", ...unmerge }
      return post("management", `${managementPath}/workspaces/${workspace}/operations`, body)
    }
    case "merge":
      return source === "pipelines" && !("secondary" in data) ? aliasCall(entry, data, names) : null
    case null: {
      const { form_id, mapping } = data
      if (typeof form_id !== "string" || mapping === undefined) return null
      const path = `${managementPath}/workspaces/${workspace}/forms/${segmentOf(form_id)}`
      return { protocol: "management", method: "PATCH", path, body: { mapping } }
    }
    default:
      return null
  }
}

/** An event that names nobody can only be sent to the Track API v1 (track-api §4.3 rule 4). */
const namelessEvent = (entry: ActivityEntry): Call => {
  const draft: Draft = {
    entity: sentEntity(entry, {
      type: "person",
      action: "event",
      name: entry.name,
      attributes: entry.data,
    }),
  }
  const event = { ...bare, at: calledAt(entry), draft, id: idOf(entry), ...timesOf(entry, draft) }
  return trackV1Call(event) ?? trackV2Call(event)
}

const bare = { device: null, origin: {}, metadata: { action_name: null, action_value: null } } as const

const unsubscribeCall = (data: JsonObject): Call | null => {
  const { properties } = data
  const given = properties !== undefined && isJsonObject(properties) ? properties : data
  const { delivery_id } = given
  if (typeof delivery_id !== "string") return null
  const body = data["unsubscribe"] === false ? { unsubscribe: false } : null
  return { protocol: "track-v1", method: "POST", path: `/unsubscribe/${segmentOf(delivery_id)}`, body }
}

/** Writes that a person was known by an anonymous id. */
const aliasCall = (entry: ActivityEntry, data: JsonObject, names: Names): Call | null => {
  const { refused, subject } = entry
  const anonymous_id = data["anonymous_id"] ?? refused.find(({ path }) => path === "anonymous_id")?.value
  const address = subject === null ? null : names.addressOf(subject)
  if (address === null || address.kind === "anonymous_id" || typeof anonymous_id !== "string") return null
  const entity = {
    type: "person",
    action: "merge",
    primary: { [address.kind]: address.value },
    secondary: { id: anonymous_id },
  }
  return pipelinesCall({
    ...bare,
    origin: originOf(entry),
    at: calledAt(entry),
    draft: { entity },
    id: idOf(entry),
    ...timesOf(entry, { entity }),
  })
}

const idOf = ({ id }: ActivityEntry): string | null => (id === null ? null : clientIdOf(id))

/** Returns what the call of an entry says, or null if several calls would be needed. */
const toldBy = (entry: ActivityEntry, names: Names, drafts: ReadonlyArray<Draft>): Told | null => {
  const [first, ...others] = drafts
  // What an identify or an event changed of devices stands in its context, or came with a visitor.
  const devices = others.filter(({ entity }) => isDevice(entity))
  if (first === undefined || devices.length < others.length) return null
  const { subject, workspace } = entry
  const draft = { ...first, entity: sentEntity(entry, asNamed(entry, first.entity)) }
  const times = timesOf(entry, draft)
  return {
    draft:
      subject !== null && isBySvcId(entry, first, names)
        ? bySvcId(draft, svcIdText(workspace, subject))
        : draft,
    device: deviceOfCall(entry, devices, names),
    id: idOf(entry),
    metadata: metadataOf(entry),
    origin: originOf(entry),
    at: calledAt(entry),
    ...times,
  }
}

/** Returns an entity with what only the entry of this kind says: a visitor who is somebody, and ids that were ignored. */
const asNamed = (entry: ActivityEntry, entity: JsonObject): JsonObject => {
  const { anonymousId, call, kind } = entry
  if (kind === "identify") return asAddressed(entry, entity)
  if (kind === "anonymous_event" && anonymousId !== null) {
    return { ...entity, identifiers: { anonymous_id: anonymousId } }
  }
  const { ids } = entity
  const ignored = call !== null && isJsonObject(call.data) ? call.data["ids"] : undefined
  return Array.isArray(ids) && Array.isArray(ignored) ? { ...entity, ids: [...ids, ...ignored] } : entity
}

/**
 * Names the person of an identify by the identifier that they received with it from outside its attributes: it is the one in
 * the path or among the `identifiers` (track-api §2.1 rules 1, 3 and 4).
 */
const asAddressed = (entry: ActivityEntry, entity: JsonObject): JsonObject =>
  besideVisitor(entry, besideOther(entry, byLead(entry, entity)))

const byLead = (entry: ActivityEntry, entity: JsonObject): JsonObject => {
  const data = dataOf(entry)
  const lead = entry.changes.find(
    ({ from, path, to }) =>
      (path === "id" || path === "email") &&
      from === null &&
      to !== null &&
      (entry.rule === byBody || data[path] !== to),
  )
  if (lead === undefined) return entity
  const own = Object.entries(objectIn(entity["attributes"])).filter(
    ([name]) => name !== lead.path || Object.hasOwn(data, name),
  )
  return { ...entity, identifiers: { [lead.path]: lead.to }, attributes: Object.fromEntries(own) }
}

/** Names the identifiers of an item that differ from those in its attributes. */
const besideOther = ({ data, refused, source }: ActivityEntry, entity: JsonObject): JsonObject => {
  if (source !== "track-v2") return entity
  const given = isJsonObject(data) ? data : {}
  const beside = refused.flatMap(({ code, values: { kind } }) => {
    if (code !== identifierTexts.differs.code || (kind !== "id" && kind !== "email")) return []
    const value = given[kind] ?? refused.find(({ path }) => path === kind)?.value
    return value === undefined || value === null ? [] : [[kind, value] as const]
  })
  return beside.length === 0
    ? entity
    : { ...entity, identifiers: { ...objectIn(entity["identifiers"]), ...Object.fromEntries(beside) } }
}

/** Names the visitor of a call, who may be somebody by now. */
const besideVisitor = (entry: ActivityEntry, entity: JsonObject): JsonObject => {
  const taken = hasOther(entry) ? entry.refused.find(({ path }) => path === "anonymous_id")?.value : null
  const anonymousId = entry.anonymousId ?? taken ?? null
  const isNamed = dataOf(entry)["anonymous_id"] === anonymousId
  if (anonymousId === null || (isNamed && !isVisitor(entry) && !hasOther(entry))) return entity
  const { anonymous_id, ...own } = objectIn(entity["attributes"])
  const isOther = anonymous_id !== undefined && anonymous_id !== anonymousId
  return {
    ...entity,
    identifiers: {
      ...(hasOther(entry) && !isVisitor(entry) && objectIn(entity["identifiers"])),
      anonymous_id: anonymousId,
    },
    attributes: { ...own, ...(isOther && { anonymous_id }) },
  }
}

/** Returns whether an `id` was refused because a call of the Pipelines API about a visitor cannot name a person by a trait. */
const isVisitor = ({ refused }: ActivityEntry): boolean =>
  refused.some(({ code }) => code === identifierTexts.idOfVisitor.code)

/** Returns whether an anonymous id was refused because the call named another one beside its attributes. */
const hasOther = ({ refused }: ActivityEntry): boolean =>
  refused.some(
    ({ code, values }) => code === identifierTexts.differs.code && values["kind"] === "anonymous_id",
  )

const byBody = "track-api §2.1 rule 3"

const calledAt = ({ at, receivedAt }: ActivityEntry): string => toIso(Math.min(at, receivedAt))

const isDevice = ({ action }: JsonObject): boolean => action === "add_device" || action === "delete_device"

/**
 * Returns the device of a call: the one that was last used at the time of the call, or at one that it gave. Others came with a
 * visitor.
 */
const deviceOfCall = (entry: ActivityEntry, devices: ReadonlyArray<Draft>, names: Names): Draft | null => {
  const called = calledAt(entry)
  const used = devices
    .filter((draft) => !cameAlong(entry, draft))
    .map((draft) => withKeptUse(entry, draft, names))
    .filter(({ entity: { action, device } }) => action === "delete_device" || "last_used" in objectIn(device))
  const own = used.find(({ entity: { device } }) => objectIn(device)["last_used"] === called)
  const [first, ...others] = used
  const found = own ?? (others.length === 0 ? first : undefined)
  return withStaleUse(entry, found ?? null, devices, names)
}

/** Returns whether a device came with a visitor: then its entry lists when it was last used before the device itself. */
const cameAlong = ({ changes }: ActivityEntry, { entity }: Draft): boolean => {
  const path = `devices.${String(objectIn(entity["device"])["token"])}`
  const used = changes.findIndex((change) => change.path === `${path}.last_used`)
  return used >= 0 && used < changes.findIndex((change) => change.path === path)
}

/** A device that was there before, and that the entry does not say a time of, was last used when it is stored that it was. */
const withKeptUse = ({ changes }: ActivityEntry, draft: Draft, { lastUsedOf }: Names): Draft => {
  const device = objectIn(draft.entity["device"])
  const { token } = device
  const isNew = changes.some(({ path }) => path === `devices.${String(token)}`)
  const lastUsed = typeof token === "string" ? lastUsedOf(token) : null
  return isNew || "last_used" in device || lastUsed === null
    ? draft
    : { entity: { ...draft.entity, device: { ...device, last_used: toIso(lastUsed) } } }
}

/** Puts back what was left out of a device because the stored values are newer. */
const withStaleUse = (
  { refused }: ActivityEntry,
  found: Draft | null,
  devices: ReadonlyArray<Draft>,
  { platformOf }: Names,
): Draft | null => {
  let own = found
  for (const { path, value } of refused) {
    const [, token = "", name = ""] = /^devices\.(.+)\.(last_used|app_version)$/.exec(path) ?? []
    if (token === "") continue
    const isOf = (draft: Draft | null) => objectIn(draft?.entity["device"])["token"] === token
    const changed = isOf(own) ? own : devices.find(isOf)
    const device =
      changed == null ? { token, platform: platformOf(token) } : objectIn(changed.entity["device"])
    if (device["platform"] === null) continue
    const stale = name === "last_used" ? { last_used: value } : { attributes: { app_version: value } }
    own = { entity: { device: { ...device, ...stale } } }
  }
  return own
}

/** A call by `id` may change an email where the workspace allows it. Otherwise only one by `svc_id` changes identifiers. */
const isBySvcId = (
  { changes, rule }: ActivityEntry,
  { addressed_by, entity: { identifiers } }: Draft,
  { emailsWereFixed }: Names,
): boolean => {
  if (addressed_by !== "svc_id") return false
  const changed = changes.filter(({ from, path }) => (path === "id" || path === "email") && from !== null)
  const isById =
    rule !== byKey && identifiers !== undefined && isJsonObject(identifiers) && "id" in identifiers
  return emailsWereFixed || !isById || changed.some(({ path }) => path === "id")
}

const byKey = "track-api §2.1 rule 5"

const bySvcId = (draft: Draft, svc_id: string): Draft => ({
  ...draft,
  entity: { ...draft.entity, identifiers: { svc_id } },
})

/** Returns where a call came from, as it was sent. */
const originOf = (entry: ActivityEntry): JsonObject => {
  const { context, integrations } = provenanceOf(entry)
  const other = entry.keptAs.filter(
    ({ cutFrom, sent, why }) => why === "not_an_object" && cutFrom === null && sent !== null,
  )
  return {
    ...(context !== undefined && { context }),
    ...(integrations !== undefined && { integrations }),
    ...Object.fromEntries(other.map(({ path, sent }) => [path, sent])),
  }
}

const metadataOf = (entry: ActivityEntry): Told["metadata"] => {
  const { properties } = entry.kind === "delivery_metric" ? dataOf(entry) : {}
  const given = properties !== undefined && isJsonObject(properties) ? properties : {}
  const text = (name: string) => {
    const value = given[name]
    return typeof value === "string" ? value : null
  }
  return { action_name: text("action_name"), action_value: text("action_value") }
}

/** Returns the times that a client sent. A time ahead of receipt counted as the receipt, and stands in the entry as sent. */
const timesOf = (entry: ActivityEntry, { entity }: Draft): Pick<Told, "time" | "orderTime" | "unread"> => {
  const { at, originalTimestamp, receivedAt, refused, source } = entry
  const left = refused.filter(
    ({ cutFrom, path, value }) => times.has(path) && cutFrom === null && value !== null,
  )
  const unread = isFlat(source, entity)
    ? {}
    : Object.fromEntries(left.map(({ path, value }) => [path, value]))
  if (source === "pipelines" && isUpdate(entity)) {
    const isUnread = left.some(({ value }) => readTime(value) === undefined)
    const ordering = isUnread ? (originalTimestamp ?? at) : at
    const called = isUnread ? receivedAt : Math.min(originalTimestamp ?? receivedAt, receivedAt)
    const isOrdered = ordering !== called
    return {
      time: isUnread || originalTimestamp === null ? null : written(originalTimestamp),
      orderTime: isOrdered ? written(ordering) : null,
      unread,
    }
  }
  const isGiven = originalTimestamp !== null || at !== receivedAt
  const isAhead = originalTimestamp !== null && originalTimestamp > receivedAt
  const sent = isAhead ? originalTimestamp : at
  return { time: isGiven ? written(sent) : null, orderTime: null, unread }
}

/** In the Pipelines API, the values of an update can have a time of their own. */
const isUpdate = ({ action }: JsonObject): boolean => action === "identify" || action === "identify_anonymous"

const times: ReadonlySet<string> = new Set(["timestamp", "_timestamp", "originalTimestamp"])

const written = (at: EpochMillis): number | string => (at % secondMs === 0 ? at / secondMs : toIso(at))

/** Writes an operation for the API that it arrived at, or for the Track API v2 if that one cannot say it. */
const callOf = (entry: ActivityEntry, told: Told): Call | null => {
  const { entity } = told.draft
  const isAboutV1 = entity["type"] === "form" || entity["type"] === "segment"
  switch (entry.source) {
    case "track-v1":
      return trackV1Call(told) ?? (isAboutV1 ? null : trackV2Call(told))
    case "pipelines":
      return pipelinesCall(told) ?? (isAboutV1 ? trackV1Call(told) : trackV2Call(told))
    case "track-v2":
    case "csv":
    case "system":
      return isAboutV1 ? trackV1Call(told) : trackV2Call(told)
    case "management":
      return entity["type"] === "form"
        ? trackV1Call(told)
        : post("management", `${managementPath}/workspaces/${entry.workspace}/operations`, entityOf(told))
  }
}
