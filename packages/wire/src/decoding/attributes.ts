import type { ReadOtherwise } from "@inlethq/core/log/KeptValue"
import { createdAtName, isReserved, unsubscribedName, type Assignment } from "@inlethq/core/state/Attributes"
import { isFlagText, isTrue } from "@inlethq/core/values/flags"
import { excessPaths, keepPreferences, preferencesName } from "@inlethq/core/state/preferenceBounds"
import { emailIn } from "@inlethq/core/values/Identifier"
import { isJsonObject, type Json, type JsonObject } from "@inlethq/core/values/Json"
import type { Fault } from "@inlethq/core/log/Outcome"
import { readTime, secondMs, type EpochMillis } from "@inlethq/core/values/Timestamp"
import { Result } from "effect"
import { attributeFault } from "./assignments.ts"
import { canonicalName } from "./Brand.ts"
import { capFaults, type Findings } from "./Findings.ts"
import { notAnEmail, readIdentifier, type IdentifierField } from "./identifiers.ts"
import { withDroppedNames } from "./droppedNames.ts"
import { jsonDepthMax, measure } from "./measure.ts"
import type { Receipt } from "./Receipt.ts"
import { readRelationshipChange, readRelationshipList, type Relationships } from "./relationships.ts"
import { noTime, readStamp } from "./timestamps.ts"
import { attributeTexts, valueTexts } from "../texts/wireTexts.ts"

/** The rules by which one protocol encodes a person's attributes. */
export interface Dialect {
  /** The text before an attribute's name in the `field` of a fault, such as `traits.`. */
  readonly path: string
  /**
   * The functions that read reserved names. The keys are the names as `packages/core` spells them. All other names are
   * plain attributes.
   */
  readonly reserved: ReadonlyMap<string, Reader>
  /** True if an `id` attribute identifies a person even when the request is addressed to an anonymous id. */
  readonly idNamesPerson: boolean
}

/** The decoded attributes of an identify. */
export interface Reading extends Findings {
  svcId: string | null
  id: string | null
  email: string | null
  /** True if `email` is null or empty, which removes the person's email (contract §6). */
  removesEmail: boolean
  anonymousId: string | null
  /**
   * The time in `_timestamp`, which decides whether an update is newer than the stored values. Null if it is missing,
   * is not a time, or is more than a day later than receipt.
   */
  at: EpochMillis | null
  updateOnly: boolean
  readonly assignments: Array<Assignment>
  /** Null if the attributes change no relationships. */
  relationships: Relationships
  /** The values that were read differently than they were sent. Null if there are none, as nearly always. */
  otherwise: ReadonlyArray<ReadOtherwise> | null
}

type Reader = (
  reading: Reading,
  receipt: Receipt,
  dialect: Dialect,
  given: { readonly key: string; readonly value: Json },
) => void

/** Decodes the attributes of a person: identifiers, reserved names and plain attributes (contract §6). */
export const readAttributes = (receipt: Receipt, attributes: JsonObject, dialect: Dialect): Reading => {
  const reading = emptyReading()
  const { brand, workspace } = receipt
  for (const key of Object.keys(attributes)) {
    const value = attributes[key] ?? null
    const name = canonicalName(brand, key)
    const reader = dialect.reserved.get(name)
    if (reader === undefined) assign(reading, receipt, dialect, name, value)
    else reader(reading, receipt, dialect, { key: name, value })
  }
  const max = workspace.limits.attributesPerPersonMax
  if (reading.assignments.length > max) dropExcess(reading, receipt, dialect, max)
  if (reading.assignments.some(isPreference)) dropExcessPreferences(reading, receipt, dialect)
  return reading
}

export const emptyReading = (): Reading => ({
  svcId: null,
  id: null,
  email: null,
  removesEmail: false,
  anonymousId: null,
  at: null,
  updateOnly: false,
  assignments: [],
  relationships: null,
  otherwise: null,
  violations: [],
  faults: [],
})

const assign = (reading: Reading, receipt: Receipt, dialect: Dialect, name: string, value: Json): void => {
  if (name === preferencesName && isJsonObject(value)) {
    return assignPreferences(reading, receipt, dialect, value)
  }
  const wrong = attributeFault(receipt, dialect.path, name, value)
  if (wrong === undefined)
    reading.assignments.push({ name, value: topicValue(reading, dialect, name, value) })
  else reading.violations.push(wrong)
}

const topicPath = `${preferencesName}.topics.`

/** Returns the value of an attribute, or true or false if it is the text of a topic that says so. */
const topicValue = (reading: Reading, { path }: Pick<Dialect, "path">, name: string, value: Json): Json => {
  if (typeof value !== "string" || value === "" || !name.startsWith(topicPath)) return value
  const isFlag = isFlagText(value)
  const kept = isFlag ? isTrue(value) : value
  const field = path + name
  noteOtherwise(reading, {
    path: field,
    sent: value,
    kept,
    why: isFlag ? "topic_text" : "unknown_topic_text",
  })
  reading.faults.push({ ...valueTexts.topicNotBoolean(field), value })
  return kept
}

/** Returns preferences with true or false where a topic is a text that says so. Copies nothing if there is none. */
const withTopicValues = (reading: Reading, path: string, preferences: JsonObject): JsonObject => {
  const { topics } = preferences
  if (!isJsonObject(topics) || !Object.values(topics).some((value) => typeof value === "string"))
    return preferences
  const read = Object.entries(topics).map(([topic, value]): [string, Json] => [
    topic,
    topicValue(reading, { path }, topicPath + topic, value),
  ])
  return { ...preferences, topics: Object.fromEntries(read) }
}

/**
 * The preferences object is exempt from the size limit of an attribute value and has limits of its own (contract §5
 * *preferences*).
 */
const assignPreferences = (
  reading: Reading,
  { workspace: { limits } }: Receipt,
  { path }: Dialect,
  value: JsonObject,
): void => {
  if (measure(value, Number.MAX_SAFE_INTEGER) === "unfit") {
    const wrong = attributeTexts.unfit(path + preferencesName, {
      attribute: preferencesName,
      levels: jsonDepthMax,
    })
    reading.violations.push(wrong)
    return
  }
  const { faults, kept } = keepPreferences(withTopicValues(reading, path, value), limits)
  reading.violations.push(...at(path, faults))
  reading.assignments.push({ name: preferencesName, value: kept })
}

/**
 * Leaves out all attributes after the first `max`. Reserved names do not count, since they are not stored as plain
 * attributes.
 */
const dropExcess = (reading: Reading, receipt: Receipt, { path }: Dialect, max: number): void => {
  const attributes = reading.assignments.filter(({ name }) => !isReserved(name))
  const surplus = attributes.slice(max)
  if (surplus.length === 0) return
  const field = path.slice(0, -1)
  const wrong = attributeTexts.tooMany(field, { max })
  const naming = (names: string) => attributeTexts.tooManyNamed(field, { max, names })
  reading.violations.push(withDroppedNames(receipt, wrong, surplus, naming))
  drop(reading, new Set(surplus))
}

const dropExcessPreferences = (reading: Reading, { workspace }: Receipt, { path }: Dialect): void => {
  const excess = excessPaths(reading.assignments, workspace.limits)
  if (excess.size === 0) return
  reading.violations.push(...at(path, [...excess.values()]))
  drop(reading, new Set(excess.keys()))
}

/** Returns at most `faultsMax` faults, with `path` prepended to each field that is not empty. */
const at = (path: string, faults: ReadonlyArray<Fault>): ReadonlyArray<Fault> =>
  capFaults(faults).map((one) => (one.field === "" ? one : { ...one, field: path + one.field }))

const drop = ({ assignments }: Reading, excess: ReadonlySet<Assignment>): void => {
  const kept = assignments.filter((assignment) => !excess.has(assignment))
  assignments.splice(0, assignments.length, ...kept)
}

const isPreference = ({ name }: Assignment) => name.startsWith(`${preferencesName}.`)

const identifier =
  (kind: IdentifierField, take: (reading: Reading, text: string | null, dialect: Dialect) => void): Reader =>
  (reading, receipt, dialect, { value }) => {
    const uses = receipt.workspace.identifiers
    if ((kind === "id" && !uses.id) || (kind === "email" && !uses.email)) {
      return assign(reading, receipt, dialect, kind, value)
    }
    const read = readIdentifier(receipt, kind, value, dialect.path + kind)
    if (Result.isFailure(read)) reading.violations.push(read.failure)
    else take(reading, read.success, dialect)
  }

/**
 * Reads the email, or sets `removesEmail` if the value is null or empty. In every protocol, text that is not an email
 * is left out (contract §6).
 */
const takeEmail = (reading: Reading, text: string | null, { path }: Dialect): void => {
  const email = text === null ? null : emailIn(text)
  reading.removesEmail = text === null
  if (email !== null) reading.email = email
  else if (text !== null) reading.faults.push(notAnEmail(`${path}email`))
}

const isRemoval = (value: Json) => value === null || value === ""

/** Stores `created_at` as Unix seconds. The client may send the time in any accepted format. */
const createdAt: Reader = (reading, _receipt, dialect, { key, value }) => {
  const at = isRemoval(value) ? null : readTime(value)
  if (at === undefined) {
    reading.faults.push(noTime(dialect.path + key, value))
  } else {
    reading.assignments.push({
      name: createdAtName,
      value: at === null ? value : Math.floor(at / secondMs),
    })
  }
}

const timestamp: Reader = (reading, receipt, { path }, { value }) => {
  if (isRemoval(value)) return
  const given = { field: `${path}_timestamp`, value }
  reading.at = readStamp(receipt, given, reading.faults) ?? reading.at
}

const updateOnly: Reader = (reading, _receipt, _dialect, { value }) => {
  reading.updateOnly = isTrue(value)
}

const relationships =
  (read: typeof readRelationshipChange): Reader =>
  (reading, receipt, { path }, { key, value }) => {
    reading.relationships = read(receipt, { field: path + key, value }, reading) ?? reading.relationships
  }

/**
 * Reads the relationships of an identify, which are either a list, or an object with an action and a list. Both formats
 * are accepted, because the API reference does not say which of them is used in attributes.
 */
const readRelationships: typeof readRelationshipChange = (receipt, given, findings) =>
  (Array.isArray(given.value) ? readRelationshipList : readRelationshipChange)(receipt, given, findings)

const unsubscribed: Reader = (reading, _receipt, { path }, { value }) => {
  const kept = isTrue(value)
  reading.assignments.push({ name: unsubscribedName, value: kept })
  if (typeof value === "boolean") return
  noteOtherwise(reading, { path: path + unsubscribedName, sent: value, kept, why: "not_boolean" })
}

const noteOtherwise = (reading: Reading, read: ReadOtherwise): void => {
  reading.otherwise = reading.otherwise === null ? [read] : [...reading.otherwise, read]
}

const reserved: ReadonlyArray<readonly [name: string, reader: Reader]> = [
  ["svc_id", identifier("svc_id", (reading, text) => (reading.svcId = text ?? reading.svcId))],
  ["id", identifier("id", (reading, text) => (reading.id = text ?? reading.id))],
  ["email", identifier("email", takeEmail)],
  [
    "anonymous_id",
    identifier("anonymous_id", (reading, text) => (reading.anonymousId = text ?? reading.anonymousId)),
  ],
  [createdAtName, createdAt],
  ["_timestamp", timestamp],
  ["_update", updateOnly],
  ["svc_relationships", relationships(readRelationships)],
  [unsubscribedName, unsubscribed],
]

/** The encoding of a person's attributes in Track v1, where the body itself is the object of attributes. */
export const trackV1: Dialect = {
  path: "",
  reserved: new Map([...reserved, ["svc_relationships", relationships(readRelationshipChange)]]),
  idNamesPerson: true,
}

export const trackV2: Dialect = {
  path: "attributes.",
  reserved: new Map(reserved),
  idNamesPerson: true,
}

/**
 * The encoding of a person's attributes in Pipelines. `createdAt` is read like `created_at`. In a call with only an
 * anonymous id, an `id` trait does not turn the visitor into a person, but an `email` trait does (contract §13).
 */
export const pipelines: Dialect = {
  path: "traits.",
  reserved: new Map([...reserved, ["createdAt", createdAt]]),
  idNamesPerson: false,
}
