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
import { leavingOut } from "./leftOut.ts"
import type { Receipt } from "./Receipt.ts"
import { readRelationshipChange, readRelationshipList, type Relationships } from "./relationships.ts"
import { readStamp, type ReadTime } from "./timestamps.ts"
import { attributeFaults, valueFaults } from "./faults.ts"

/** How a protocol writes the attributes of a person. */
export interface Dialect {
  /** What stands before the name of an attribute in the path of a fault. */
  readonly path: string
  /** Names with a meaning of their own, as the core spells them. */
  readonly reserved: ReadonlyMap<string, Reader>
  readonly readTime: ReadTime
  /** Whether an `id` among the attributes names a person where only an anonymous id addresses one. */
  readonly idNamesPerson: boolean
}

/** What the attributes of an identify say. */
export interface Reading extends Findings {
  svcId: string | null
  id: string | null
  email: string | null
  /** Whether `email` is null or empty, which removes the person's email (contract §16). */
  removesEmail: boolean
  anonymousId: string | null
  /** `_timestamp`: orders updates; null where it is absent or no time. */
  at: EpochMillis | null
  updateOnly: boolean
  readonly assignments: Array<Assignment>
  /** What is said about relationships; null for nothing. */
  relationships: Relationships
}

type Reader = (
  reading: Reading,
  receipt: Receipt,
  dialect: Dialect,
  given: { readonly key: string; readonly value: Json },
) => void

/** Reads attributes in one pass: identifiers, what has a meaning of its own, and assignments (contract §6). */
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

/** Those that have a place of their own do not count among the attributes; dotted preferences count for themselves. */
const dropExcess = (reading: Reading, receipt: Receipt, { path }: Dialect, max: number): void => {
  const preferences = reading.assignments.filter(isPreference)
  const attributes = reading.assignments.filter((given) => !isPreference(given) && !hasOwnPlace(given.name))
  const excess = new Set<Assignment>()
  const leaveOut = (surplus: ReadonlyArray<Assignment>, wrong: Fault) => {
    if (surplus.length === 0) return
    reading.violations.push(leavingOut(receipt, wrong, surplus))
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

/** Keeps an email, or notes its removal. Text that is not an email is left out in every protocol (contract §16). */
const takeEmail = (reading: Reading, text: string | null, { path }: Dialect): void => {
  const email = text === null ? null : emailIn(text)
  reading.removesEmail = text === null
  if (email !== null) reading.email = email
  else if (text !== null) reading.faults.push(notAnEmail(`${path}email`))
}

const isRemoval = (value: Json) => value === null || value === ""

/** `created_at` is Unix seconds, whatever the client wrote. */
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

/** Relationships in either of their shapes: among attributes the reference shows none. */
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

/** Track v1: attributes stand in the body itself. */
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

/** Pipelines: `createdAt` is `created_at`, and only an email makes a person of an anonymous visitor (contract §13). */
export const pipelines: Dialect = {
  path: "traits.",
  reserved: new Map([...reserved, ["createdAt", createdAt]]),
  readTime: (value) => (typeof value === "number" ? fromPipelines(value) : fromTrack(value)),
  idNamesPerson: false,
}
