import type { IdentifyPerson } from "@inlethq/core/person/commands"
import type { ObjectEntry, PersonEntry } from "@inlethq/core/relationship/commands"
import { objectBounds } from "@inlethq/core/attributes/attributeBounds"
import type { Assignment } from "@inlethq/core/state/Attributes"
import type { Reference } from "@inlethq/core/values/Identifier"
import { isJsonObject, type Json, type JsonObject } from "@inlethq/core/values/Json"
import { Result } from "effect"
import { keepWithin, readAssignments } from "./assignments.ts"
import type { Findings } from "./Findings.ts"
import { addressBy, readAddress, readIdentifier } from "./identifiers.ts"
import { readObjectReference } from "./object.ts"
import type { Receipt } from "./Receipt.ts"
import { isAbsent, required, type FieldValue } from "./fieldValues.ts"
import { resourceTexts, valueTexts } from "../texts/wireTexts.ts"

/** The relationships that an identify adds or removes. Null if the identify changes no relationships. */
export type Relationships = IdentifyPerson["relationships"]

export type RelationshipAction = NonNullable<Relationships>["action"]

const actions: ReadonlyMap<Json | undefined, RelationshipAction> = new Map([
  ["add_relationships", "add"],
  ["delete_relationships", "delete"],
])

/**
 * Reads the relationships in a v1 identify: an action, and the list of objects that the action applies to (track-api
 * §2.3 rule 1, contract §9).
 */
export const readRelationshipChange = (
  receipt: Receipt,
  given: FieldValue,
  findings: Findings,
): Relationships => {
  const { field, value } = given
  if (isAbsent(value) || (Array.isArray(value) && value.length === 0)) return null
  if (!isJsonObject(value)) {
    findings.violations.push(valueTexts.notObject(field))
    return null
  }
  const action = readAction({ field: `${field}.action`, value: value["action"] }, findings)
  const list = { field: `${field}.relationships`, value: value["relationships"] }
  if (isAbsent(list.value)) findings.violations.push(required(list.field))
  const entries = readObjectEntries(receipt, action ?? "add", list, findings)
  return action === null || entries.length === 0 ? null : { action, entries }
}

const readAction = ({ field, value }: FieldValue, { violations }: Findings): RelationshipAction | null => {
  const action = actions.get(value)
  if (action !== undefined) return action
  violations.push(isAbsent(value) ? required(field) : resourceTexts.unknownRelationshipAction(field))
  return null
}

/** Reads the list of relationships that a v2 identify adds (track-api §2.3). */
export const readRelationshipList = (
  receipt: Receipt,
  given: FieldValue,
  findings: Findings,
): Relationships => {
  if (isAbsent(given.value)) return null
  const entries = readObjectEntries(receipt, "add", given, findings)
  return entries.length === 0 ? null : { action: "add", entries }
}

/** Reads the objects in a list of relationships of a person. Invalid entries are left out. */
export const readObjectEntries = (
  receipt: Receipt,
  action: RelationshipAction,
  given: FieldValue,
  findings: Findings,
): ReadonlyArray<ObjectEntry> =>
  readEntries(given, findings, (entry, field): ObjectEntry | null => {
    const named = { field: `${field}.identifiers`, value: entry["identifiers"] }
    const object = readObjectReference(receipt, named, findings)
    const assignments = readRelationshipAttributes(receipt, action, entry, field, findings)
    return object === null ? null : { object, assignments }
  })

/** The members of an object's list of relationships: people or anonymous visitors (track-api §2.3). */
export type RelatedKind = "people" | "visitors"

/** Reads the people or visitors in a list of relationships of an object. Invalid entries are left out. */
export const readPersonEntries = (
  receipt: Receipt,
  action: RelationshipAction,
  party: RelatedKind,
  given: FieldValue,
  findings: Findings,
): ReadonlyArray<PersonEntry> =>
  readEntries(given, findings, (entry, field): PersonEntry | null => {
    const named = { field: `${field}.identifiers`, value: entry["identifiers"] }
    const read = party === "people" ? readPerson : readVisitor
    const person = read(receipt, named, findings)
    const assignments = readRelationshipAttributes(receipt, action, entry, field, findings)
    return person === null ? null : { person, assignments }
  })

/**
 * Reads the people or visitors to relate to an object. The request gives them as a list, or as an object with the
 * action `add_relationships` and a list.
 */
export const readPersonList = (
  receipt: Receipt,
  party: RelatedKind,
  { field, value }: FieldValue,
  findings: Findings,
): ReadonlyArray<PersonEntry> => {
  if (!isJsonObject(value)) return readPersonEntries(receipt, "add", party, { field, value }, findings)
  const action = readAction({ field: `${field}.action`, value: value["action"] }, findings)
  if (action === "delete") {
    findings.violations.push(resourceTexts.onlyAdded(`${field}.action`))
  }
  const list = { field: `${field}.relationships`, value: value["relationships"] }
  if (isAbsent(list.value)) findings.violations.push(required(list.field))
  return readPersonEntries(receipt, "add", party, list, findings)
}

/**
 * Joins the relationships that a request gives in two fields. A command either adds or removes relationships, so a
 * violation is recorded if one field adds and the other field removes relationships. `field` is the path of the
 * relationships in `added`.
 */
export const joinRelationships = (
  listed: Relationships,
  added: Relationships,
  field: string,
  { violations }: Findings,
): Relationships => {
  if (listed === null || added === null) return listed ?? added
  if (listed.action !== added.action) {
    violations.push(resourceTexts.addedBesideRemoval(field))
    return listed
  }
  return { action: listed.action, entries: [...listed.entries, ...added.entries] }
}

/**
 * Reads a reference to a person. If the reference has several identifiers, the first of `svc_id`, `id` and `email` is
 * used, as in a v2 item (contract §6).
 */
const readPerson = (receipt: Receipt, { field, value }: FieldValue, findings: Findings): Reference | null => {
  const address = readAddress(receipt, value, false, field)
  if (Result.isFailure(address)) {
    findings.violations.push(...address.failure)
    return null
  }
  findings.faults.push(...address.success.faults)
  return address.success.target
}

const readVisitor = (
  receipt: Receipt,
  { field, value }: FieldValue,
  findings: Findings,
): Reference | null => {
  const { violations } = findings
  if (!isJsonObject(value)) {
    violations.push(isAbsent(value) ? required(field) : valueTexts.notObject(field))
    return null
  }
  const path = `${field}.anonymous_id`
  const anonymousId = readIdentifier(receipt, "anonymous_id", value["anonymous_id"], path)
  if (Result.isFailure(anonymousId)) violations.push(anonymousId.failure)
  else if (anonymousId.success === null) violations.push(required(path))
  else return addressBy("anonymous_id", anonymousId.success).target
  return null
}

/** Reads the attributes of a relationship. If the relationship is being removed, its attributes are ignored. */
const readRelationshipAttributes = (
  receipt: Receipt,
  action: RelationshipAction,
  entry: JsonObject,
  path: string,
  findings: Findings,
): ReadonlyArray<Assignment> => {
  if (action === "delete") return []
  const field = `${path}.relationship_attributes`
  const assignments = readAssignments(receipt, { field, value: entry["relationship_attributes"] }, findings)
  return keepWithin(receipt, objectBounds(receipt.workspace.limits), field, assignments, findings)
}

const readEntries = <A>(
  { field, value }: FieldValue,
  { violations }: Findings,
  read: (entry: JsonObject, field: string) => A | null,
): ReadonlyArray<A> => {
  if (isAbsent(value)) return []
  if (!Array.isArray(value)) {
    violations.push(valueTexts.notArray(field))
    return []
  }
  const entries: Array<A> = []
  for (const [index, item] of value.entries()) {
    const path = `${field}.${index}`
    const entry = isJsonObject(item) ? read(item, path) : null
    if (!isJsonObject(item)) violations.push(valueTexts.notObject(path))
    if (entry !== null) entries.push(entry)
  }
  return entries
}
