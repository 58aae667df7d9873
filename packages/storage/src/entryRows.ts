import type { ActivityEntry } from "@inlet/core/log/ActivityEntry"
import { deduplicationText, type Sequence } from "@inlet/core/values/Identifier"
import { isJsonObject, type Json } from "@inlet/core/values/Json"
import type { FieldChange } from "@inlet/core/log/Outcome"
import { Brand } from "effect"
import { kindCodes, kindOf, outcomeCodes, outcomeOf, sourceCodes, sourceOf } from "./codes.ts"
import { integer, integerOrNull, text, textOrNull, type Row } from "./columns.ts"
import { fromStored, toStored } from "./storedText.ts"
import { subjectKey, workspaceId } from "./subjectRows.ts"

/** What no query asks for. Absent is null or none; one shape for all of them, since every operation writes one. */
interface Detail {
  /** Only where it does not stand in `claim`. */
  readonly id: string | undefined
  readonly batchIndex: number | undefined
  readonly originalTimestamp: number | undefined
  readonly anonymousId: string | undefined
  readonly reason: string | undefined
  readonly rule: string | undefined
  readonly data: Json | undefined
  /**
   * Three places a change: path, from, to. Where an attribute took the value that `data` has under its name: 0, name, from.
   */
  readonly changes: ReadonlyArray<Json> | undefined
}

export const sequenceOf = Brand.nominal<Sequence>()

/** The name as its column holds it. */
export const nameColumn = (name: string | null): string | null => (name === null ? null : toStored(name))

/** The deduplication key that an entry takes, as its column holds it. */
const claimColumn = ({ claimsId, id, workspace }: ActivityEntry): string | null =>
  claimsId && id !== null ? toStored(deduplicationText(workspace, id)) : null

const detailColumn = (entry: ActivityEntry): string => {
  const detail: Detail = {
    id: entry.claimsId ? undefined : (entry.id ?? undefined),
    batchIndex: entry.batchIndex ?? undefined,
    originalTimestamp: entry.originalTimestamp ?? undefined,
    anonymousId: entry.anonymousId ?? undefined,
    reason: entry.reason ?? undefined,
    rule: entry.rule ?? undefined,
    data: entry.data ?? undefined,
    changes: entry.changes.length === 0 ? undefined : flat(entry.changes, entry.data),
  }
  return JSON.stringify(detail)
}

/** What is left of a detail once nothing in it may say who somebody was or what they did. */
export const redacted = (detail: string): string => {
  const { batchIndex, originalTimestamp, rule }: Detail = JSON.parse(detail)
  return JSON.stringify({ batchIndex, originalTimestamp, rule })
}

/** The data in a detail. */
export const dataOf = (detail: string): Json => {
  const { data }: Detail = JSON.parse(detail)
  return data ?? null
}

/** The statement that adds an entry. */
export const insertEntry = `
  INSERT INTO activity
    (sequence, workspace, subject, kind, name, source, outcome, at, received, processed, claim, parts, detail)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

/** What `insertEntry` binds. Parts have rows of their own: `partBytes` is the length of their documents, null without any. */
export const entryBindings = (entry: ActivityEntry, partBytes: number | null = null) =>
  [
    entry.sequence,
    entry.workspace,
    entry.subject,
    entry.kind === null ? null : kindCodes[entry.kind],
    nameColumn(entry.name),
    sourceCodes[entry.source],
    outcomeCodes[entry.outcome],
    entry.at,
    entry.receivedAt,
    entry.processedAt,
    claimColumn(entry),
    partBytes,
    detailColumn(entry),
  ] as const

/** The entry of a whole row, without its parts. */
export const entryOf = (row: Row): ActivityEntry => {
  const workspace = workspaceId(integer(row["workspace"]))
  const subject = integerOrNull(row["subject"] ?? null)
  const kind = integerOrNull(row["kind"] ?? null)
  const name = textOrNull(row["name"] ?? null)
  const claim = textOrNull(row["claim"] ?? null)
  const detail: Detail = JSON.parse(text(row["detail"]))
  return {
    sequence: sequenceOf(integer(row["sequence"])),
    workspace,
    subject: subject === null ? null : subjectKey(subject),
    kind: kind === null ? null : kindOf(kind),
    name: name === null ? null : fromStored(name),
    source: sourceOf(integer(row["source"])),
    at: integer(row["at"]),
    receivedAt: integer(row["received"]),
    processedAt: integerOrNull(row["processed"] ?? null),
    outcome: outcomeOf(integer(row["outcome"])),
    id:
      claim === null ? (detail.id ?? null) : fromStored(claim).slice(deduplicationText(workspace, "").length),
    claimsId: claim !== null,
    batchIndex: detail.batchIndex ?? null,
    originalTimestamp: detail.originalTimestamp ?? null,
    anonymousId: detail.anonymousId ?? null,
    reason: detail.reason ?? null,
    rule: detail.rule ?? null,
    data: detail.data ?? null,
    changes: changesOf(detail.changes ?? [], detail.data ?? null),
    parts: [],
  }
}

const attributePath = "attributes."

const flat = (changes: ReadonlyArray<FieldChange>, data: Json): ReadonlyArray<Json> => {
  const places: Array<Json> = []
  const given = isJsonObject(data) ? data : {}
  for (const { from, path, to } of changes) {
    const name = path.slice(attributePath.length)
    const isGiven = path.startsWith(attributePath) && Object.hasOwn(given, name) && given[name] === to
    if (isGiven) places.push(0, name, from)
    else places.push(path, from, to)
  }
  return places
}

/** The changes of a list of three places a change. */
export const changesOf = (places: ReadonlyArray<Json>, data: Json): ReadonlyArray<FieldChange> => {
  const changes: Array<FieldChange> = []
  const given = isJsonObject(data) ? data : {}
  for (let i = 0; i + 2 < places.length; i += 3) {
    const [path, second = null, third = null] = places.slice(i, i + 3)
    if (path === 0 && typeof second === "string") {
      changes.push({ path: attributePath + second, from: third, to: given[second] ?? null })
    } else if (typeof path === "string") changes.push({ path, from: second, to: third })
    else throw new TypeError("malformed changes")
  }
  return changes
}
