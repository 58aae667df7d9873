import {
  createdAtName,
  hasOwnPlace,
  preferencesName,
  saysTrue,
  unsubscribedName,
  type Assignment,
} from "@inlet/core/state/Attributes"
import { emailIn } from "@inlet/core/values/Identifier"
import type { Json, JsonObject } from "@inlet/core/values/Json"
import type { Fault } from "@inlet/core/log/Outcome"
import { fromPipelines, fromTrack, secondMs, type EpochMillis } from "@inlet/core/values/Timestamp"
import { Result } from "effect"
import { attributeFault } from "./assignments.ts"
import { canonicalName } from "./Brand.ts"
import type { Findings } from "./Findings.ts"
import { notAnEmail, readIdentifier, type IdentifierField } from "./identifiers.ts"
import { withDroppedNames } from "./droppedNames.ts"
import type { Receipt } from "./Receipt.ts"
import { readRelationshipChange, readRelationshipList, type Relationships } from "./relationships.ts"
import { readStamp, type ReadTime } from "./timestamps.ts"
import { attributeFaults, valueFaults } from "./faults.ts"

/** How one protocol encodes the attributes of a person. */
export interface Dialect {
  /** Prefix of an attribute name in the field of a fault, such as `traits.`. */
  readonly path: string
  /** Readers of reserved names, by the name that core uses. All other names are plain attributes. */
  readonly reserved: ReadonlyMap<string, Reader>
  readonly readTime: ReadTime
  /** Whether an `id` attribute identifies the person if the request itself is addressed to an anonymous id. */
  readonly idNamesPerson: boolean
}

/** The decoded attributes of an identify. */
export interface Reading extends Findings {
  svcId: string | null
  id: string | null
  email: string | null
  /** Whether `email` is null or empty, which removes the person's email (contract §16). */
  removesEmail: boolean
  anonymousId: string | null
  /** `_timestamp`, which orders updates; null if it is missing or not a time. */
  at: EpochMillis | null
  updateOnly: boolean
  readonly assignments: Array<Assignment>
  /** Null if the attributes change no relationships. */
  relationships: Relationships
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
  violations: [],
  faults: [],
})

const assign = (reading: Reading, receipt: Receipt, dialect: Dialect, name: string, value: Json): void => {
  const wrong = attributeFault(receipt, dialect.path, name, value)
  if (wrong === undefined) reading.assignments.push({ name, value })
  else reading.violations.push(wrong)
}

/**
 * Leaves out attributes past `max`. `created_at`, `unsubscribed` and `svc_subscription_preferences` do not count.
 * Dotted subscription preferences have a limit of their own, also `max`.
 */
const dropExcess = (reading: Reading, receipt: Receipt, { path }: Dialect, max: number): void => {
  const preferences = reading.assignments.filter(isPreference)
  const attributes = reading.assignments.filter((given) => !isPreference(given) && !hasOwnPlace(given.name))
  const excess = new Set<Assignment>()
  const leaveOut = (surplus: ReadonlyArray<Assignment>, wrong: Fault) => {
    if (surplus.length === 0) return
    reading.violations.push(withDroppedNames(receipt, wrong, surplus))
    for (const assignment of surplus) excess.add(assignment)
  }
  leaveOut(attributes.slice(max), attributeFaults.tooMany(path.slice(0, -1), { max }))
  leaveOut(preferences.slice(max), attributeFaults.tooManyPreferences(path + preferencesName, { max }))
  if (excess.size === 0) return
  const kept = reading.assignments.filter((assignment) => !excess.has(assignment))
  reading.assignments.splice(0, reading.assignments.length, ...kept)
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

/** Stores the email, or notes its removal. Text that is not an email is left out in every protocol (contract §16). */
const takeEmail = (reading: Reading, text: string | null, { path }: Dialect): void => {
  const email = text === null ? null : emailIn(text)
  reading.removesEmail = text === null
  if (email !== null) reading.email = email
  else if (text !== null) reading.faults.push(notAnEmail(`${path}email`))
}

const isRemoval = (value: Json) => value === null || value === ""

/** Stores `created_at` as Unix seconds, in whatever format the client sent it. */
const createdAt: Reader = (reading, _receipt, dialect, { key, value }) => {
  const at = isRemoval(value) ? null : dialect.readTime(value)
  if (at === undefined) {
    reading.faults.push(valueFaults.unreadableTime(dialect.path + key))
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
  reading.at = readStamp(receipt, given, fromTrack, reading.faults) ?? reading.at
}

const updateOnly: Reader = (reading, _receipt, _dialect, { value }) => {
  reading.updateOnly = saysTrue(value)
}

const relationships =
  (read: typeof readRelationshipChange): Reader =>
  (reading, receipt, { path }, { key, value }) => {
    reading.relationships = read(receipt, { field: path + key, value }, reading) ?? reading.relationships
  }

/**
 * Reads relationships in either shape, a list or an action with a list. The reference does not define one for
 * attributes.
 */
const readRelationships: typeof readRelationshipChange = (receipt, given, findings) =>
  (Array.isArray(given.value) ? readRelationshipList : readRelationshipChange)(receipt, given, findings)

const unsubscribed: Reader = (reading, _receipt, _dialect, { value }) => {
  reading.assignments.push({ name: unsubscribedName, value: saysTrue(value) })
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

/** Track v1: the body itself holds the attributes. */
export const trackV1: Dialect = {
  path: "",
  reserved: new Map([...reserved, ["svc_relationships", relationships(readRelationshipChange)]]),
  readTime: fromTrack,
  idNamesPerson: true,
}

export const trackV2: Dialect = {
  path: "attributes.",
  reserved: new Map(reserved),
  readTime: fromTrack,
  idNamesPerson: true,
}

/**
 * Pipelines: `createdAt` is read as `created_at`. Only an email turns an anonymous visitor into a person (contract
 * §13).
 */
export const pipelines: Dialect = {
  path: "traits.",
  reserved: new Map([...reserved, ["createdAt", createdAt]]),
  readTime: (value) => (typeof value === "number" ? fromPipelines(value) : fromTrack(value)),
  idNamesPerson: false,
}
