import type { PersonNames, PersonRecord } from "@inlethq/core/catalog/Catalog"
import { createdAtName, unsubscribedName, valueOf, type Attributes } from "@inlethq/core/state/Attributes"
import { creationOf } from "@inlethq/core/state/creationOf"
import type { Device } from "@inlethq/core/state/Device"
import type { Person } from "@inlethq/core/state/Person"
import { isPreference } from "@inlethq/core/state/preferenceBounds"
import { preferencesOf } from "@inlethq/core/state/storedPreferences"
import { isTrue } from "@inlethq/core/values/flags"
import { svcIdText, svcObjectIdText } from "@inlethq/core/values/Identifier"
import { isJsonObject, type Json, type JsonObject } from "@inlethq/core/values/Json"
import { secondMs, type EpochMillis } from "@inlethq/core/values/Timestamp"

/** The App API exists for clients of the hosted service, so it writes their names whatever `INLET_BRAND` says. */
const preferencesField = "cio_subscription_preferences"

export const seconds = (at: EpochMillis): number => Math.floor(at / secondMs)

/** Returns a value as the text that the App API has for it: numbers and booleans as text, and anything else as JSON. */
export const asText = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value))

/** Returns the identifiers of a person. Those that the person does not have are null. */
export const identifiersOf = (person: PersonNames) => ({
  cio_id: svcIdText(person.workspace, person.key),
  email: person.email,
  id: person.id,
})

/** Returns a person with attributes, the times of their last changes, and devices. */
export const customerDocument = ({ person }: Pick<PersonRecord, "person">): JsonObject => ({
  customer: {
    id: person.id ?? "",
    identifiers: identifiersOf(person),
    ...attributesAndTimes(person),
    unsubscribed: isTrue(valueOf(person.attributes, unsubscribedName)),
    devices: [...person.devices].map(([token, device]) => deviceDocument(token, device)),
  },
})

const attributesAndTimes = (person: Person): JsonObject => {
  const entries: Array<readonly [name: string, value: string, at: EpochMillis]> = []
  const ofIdentifiers = [
    ["id", person.id, person.idAt],
    ["email", person.email, person.emailAt],
  ] as const
  for (const [name, value, at] of ofIdentifiers) {
    if (value !== null) entries.push([name, value, at ?? person.createdAt])
  }
  entries.push(["cio_id", svcIdText(person.workspace, person.key), person.createdAt])
  const created = person.attributes.get(createdAtName)
  const isSent = created !== undefined && created.value !== null
  entries.push([createdAtName, String(seconds(creationOf(person))), isSent ? created.at : person.createdAt])
  let preferencesAt: EpochMillis | null = null
  for (const [name, { at, value }] of person.attributes) {
    if (isPreference(name)) preferencesAt = Math.max(at, preferencesAt ?? 0)
    else if (value !== null && name !== createdAtName) entries.push([name, asText(value), at])
  }
  const preferences = preferencesOf(person.attributes)
  if (preferencesAt !== null && Object.keys(preferences).length > 0) {
    entries.push([preferencesField, JSON.stringify(preferences), preferencesAt])
  }
  return {
    attributes: Object.fromEntries(entries.map(([name, value]) => [name, value])),
    timestamps: Object.fromEntries(entries.map(([name, , at]) => [name, seconds(at)])),
  }
}

const deviceDocument = (id: string, { attributes, lastUsed, platform }: Device): JsonObject => ({
  id,
  platform,
  ...(lastUsed !== null && { last_used: seconds(lastUsed) }),
  attributes: textsOf(attributes),
})

const textsOf = (attributes: Attributes): JsonObject =>
  Object.fromEntries(
    [...attributes].flatMap(([name, { value }]) =>
      value === null ? [] : [[name.replace(/^svc_(?=sdk_version$)/, "cio_"), asText(value)]],
    ),
  )

/** Returns the attributes of an object or a relationship with the times of their last changes. */
export const valuesAndTimes = (attributes: Attributes): JsonObject => {
  const set = [...attributes].filter(([, { value }]) => value !== null)
  return {
    attributes: Object.fromEntries(set.map(([name, { value }]) => [name, value])),
    timestamps: Object.fromEntries(set.map(([name, { at }]) => [name, seconds(at)])),
  }
}

/** Returns the id of an object type as the hosted service writes it. One that is no integer is text. */
const typeNumber = (typeId: string): number | string =>
  /^(?:0|[1-9]\d{0,14})$/.test(typeId) ? Number(typeId) : typeId

/** Returns an object that a person is related to. */
export const relationshipDocument = ({
  attributes,
  object,
}: PersonRecord["relationships"][number]): JsonObject => ({
  object_type_id: typeNumber(object.typeId),
  identifiers: {
    object_id: object.objectId,
    cio_object_id: svcObjectIdText(object.workspace, object.key),
  },
  ...valuesAndTimes(attributes),
})

/** Returns what a person said about the topics of messages. Inlet knows topics by their ids only. */
export const preferencesDocument = ({ person }: Pick<PersonRecord, "person">): JsonObject => {
  const { topics } = preferencesOf(person.attributes)
  return {
    customer: {
      id: person.id ?? "",
      identifiers: identifiersOf(person),
      topics: Object.entries(isJsonObject(topics) ? topics : {}).map(([name, value]) => ({
        id: name.replace(/^topic_(?=\d)/, ""),
        subscribed: isTrue(value),
        name,
        description: "",
      })),
      unsubscribed: isTrue(valueOf(person.attributes, unsubscribedName)),
      header: { title: "", subtitle: "" },
    },
  }
}
