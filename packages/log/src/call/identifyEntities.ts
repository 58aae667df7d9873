import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import type { RefusedValue } from "@inlethq/core/log/RefusedValue"
import { createdAtName } from "@inlethq/core/state/Attributes"
import { svcObjectIdKey, type Identifier } from "@inlethq/core/values/Identifier"
import { isJsonObject, type Json, type JsonObject } from "@inlethq/core/values/Json"
import { secondMs, toIso } from "@inlethq/core/values/Timestamp"
import { deviceEntities } from "./deviceEntities.ts"
import { personEntity, type Draft, type EntryNames } from "./Draft.ts"

export const dataOf = ({ data }: ActivityEntry): JsonObject => (isJsonObject(data) ? data : {})

/** Returns an identify call, and what it changed of a device. */
export const identifyEntities = (
  entry: ActivityEntry,
  address: Identifier,
  names: EntryNames,
): ReadonlyArray<Draft> => {
  const { _update, ...given } = dataOf(entry)
  const isBySvcId = setsNames(entry)
  const own =
    entry.outcome === "pending" ? withoutNames(entry, given) : isBySvcId ? withoutKept(entry, given) : given
  const attributes = withObjects(
    entry,
    { ...own, ...(isBySvcId ? {} : refusedEmail(entry, address, names)), ...receivedNames(entry, address) },
    names,
  )
  const createdAt = attributes[createdAtName]
  const identify: Draft = {
    ...personEntity("identify", address, {
      attributes,
      ...(_update === true && { _update }),
    }),
    ...(typeof createdAt === "number" && { created_at: toIso(createdAt * secondMs) }),
    ...(isBySvcId && { addressed_by: "svc_id" as const }),
  }
  return [identify, ...deviceEntities(entry, address, names)]
}

/**
 * Returns the email that was refused because of a setting of the workspace, so that other settings can decide otherwise. Older
 * entries do not say which identifier the call used. It is taken to be the `id`, by which most calls address people who have one.
 */
const refusedEmail = (
  { refused }: ActivityEntry,
  { kind }: Identifier,
  { emailsWereFixed }: EntryNames,
): JsonObject => {
  const found = emailsWereFixed ? refused.find(isFixedEmail) : undefined
  const email = kind === (found?.values["by"] ?? "id") ? found?.value : undefined
  return typeof email === "string" ? { email } : {}
}

/** Returns whether an email was refused because the call could not change that of the person. */
export const isFixedEmail = ({ cutFrom, other, path, rule }: RefusedValue): boolean =>
  path === "email" && rule === "contract §6 identifier changes" && other === null && cutFrom === null

/** A visitor receives no identifiers, unless they are ordinary attributes in the workspace. */
const withoutNames = ({ changes }: ActivityEntry, given: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(given).filter(
      ([name]) =>
        (name !== "id" && name !== "email") || changes.some(({ path }) => path === `attributes.${name}`),
    ),
  )

/** Returns the identifiers that the person received or lost, apart from the one that names the person. */
const receivedNames = ({ changes }: ActivityEntry, address: Identifier): JsonObject => {
  const received: Record<string, Json> = {}
  for (const { path, to } of changes) {
    if ((path === "id" || path === "email") && !(path === address.kind && to === address.value)) {
      received[path] = to
    }
  }
  return received
}

/**
 * Returns whether an identify call must be addressed by `svc_id`, because it changed an identifier or renewed the time of
 * one that it repeated. Only calls by `svc_id` may, and calls by `id` for the email.
 */
const setsNames = ({ changes, overwritten, rule, subject }: ActivityEntry): boolean => {
  const before = overwritten.find((one) => one.subject === subject)?.before
  if (before == null) return false
  const isNew = (name: string) => changes.some(({ from, path }) => path === name && from === null)
  return (
    rule === "track-api §2.1 rule 5" ||
    changes.some(({ from, path }) => (path === "id" || path === "email") && from !== null) ||
    (before.idAt !== undefined && !isNew("id")) ||
    (before.emailAt !== undefined && !isNew("email"))
  )
}

/** Leaves out identifiers that the call repeated without renewing their time, because a call by `svc_id` would renew it. */
const withoutKept = ({ overwritten, subject }: ActivityEntry, given: JsonObject): JsonObject => {
  const before = overwritten.find((one) => one.subject === subject)?.before
  const isKept = (name: string) =>
    (name === "id" && before?.idAt === undefined) || (name === "email" && before?.emailAt === undefined)
  return Object.fromEntries(Object.entries(given).filter(([name]) => !isKept(name)))
}

/** Replaces objects that a call named by their `svc_object_id`. */
const withObjects = (entry: ActivityEntry, attributes: JsonObject, names: EntryNames): JsonObject => {
  const related = attributes["svc_relationships"]
  if (!isJsonObject(related)) return attributes
  const relationships = objectsIn(entry, related["relationships"], names)
  return { ...attributes, svc_relationships: { ...related, relationships } }
}

/**
 * Returns the objects of a call with their types and ids, because here their `svc_object_id` could be that of another one.
 * Leaves out those that were refused.
 */
export const objectsIn = (
  { refused, workspace }: ActivityEntry,
  items: Json | undefined,
  { objectOf }: EntryNames,
): ReadonlyArray<Json> =>
  listIn(items).flatMap((item, index): ReadonlyArray<Json> => {
    if (refused.some(({ path }) => path === `svc_relationships.${index}.identifiers`)) return []
    const { identifiers = null } = isJsonObject(item) ? item : {}
    const svcId = isJsonObject(identifiers) ? identifiers["svc_object_id"] : undefined
    if (svcId === undefined || !isJsonObject(item)) return [item]
    const key = typeof svcId === "string" ? svcObjectIdKey(workspace, svcId) : undefined
    const object = key === undefined ? null : objectOf(key)
    return object === null ? [] : [{ ...item, identifiers: object }]
  })

const listIn = (value: Json | undefined): ReadonlyArray<Json> => (Array.isArray(value) ? value : [])
