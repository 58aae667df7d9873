import { withoutOrigins } from "@inlethq/core/decision/erasure"
import { isEventKind } from "@inlethq/core/log/ActivityEntry"
import type { Sequence, SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import { Effect } from "effect"
import { integer, text, type Row } from "../columns/columns.ts"
import { detailColumn, hasOrigin, redactedDetail, sequenceIn } from "../rows/entryRows.ts"
import { entryErasure, kindIn } from "./erasurePlan.ts"
import { withoutOriginsOf } from "../rows/partRows.ts"
import { wholeEntries } from "../read/activityRecords.ts"
import { reportsPerStep, type Progress } from "../budgets/sweepBudget.ts"
import { withoutExcerpt } from "../tables/webhooks/webhookRows.ts"
import type { EntryErasures, ErasureQueries } from "./ErasureQueries.ts"
import type { ErasureTally } from "./ErasureTally.ts"

/** Decides for each entry of a deleted person or object how to erase it. */
export const erasuresFor = (
  rows: ReadonlyArray<Row>,
  deleted: SubjectKey,
  cleaned: ReadonlySet<Sequence> = noneCleaned,
): EntryErasures => {
  const removed: Array<Sequence> = []
  const redacted: Array<EntryErasures["redacted"][number]> = []
  const parts: Array<EntryErasures["parts"][number]> = []
  for (const row of rows) {
    const sequence = sequenceIn(row)
    switch (cleaned.has(sequence) ? "part" : entryErasure(row, deleted)) {
      case "part":
        parts.push({ sequence, subject: deleted })
        break
      case "merge":
        parts.push({ sequence, subject: deleted })
        redacted.push(redaction(row, null))
        break
      case "remove":
        removed.push(sequence)
        break
      case "redact":
        redacted.push(redaction(row, deleted))
        break
    }
  }
  return { removed, redacted, parts }
}

/** `deleted` is the subject of the entry if it was deleted. */
const redaction = (row: Row, deleted: SubjectKey | null): EntryErasures["redacted"][number] => ({
  sequence: sequenceIn(row),
  detail: redactedDetail(text(row["detail"]), deleted),
  isEvent: isEventKind(kindIn(row)),
})

const noneCleaned: ReadonlySet<Sequence> = new Set()

const partsSql =
  "SELECT sequence, subject, place, doc FROM entry_parts WHERE workspace = $1 AND sequence = $2 ORDER BY place"

const savePartSql =
  "UPDATE entry_parts SET doc = $5 WHERE workspace = $1 AND sequence = $2 AND subject = $3 AND place = $4"

/**
 * Erases what came from a deleted person from entries of whoever had it after a merge. There are few, so their parts are read one
 * by one. Returns the positions of the entries that have nothing else of the deleted person.
 */
export const eraseOrigins = Effect.fnUntraced(function* <E>(
  queries: ErasureQueries<E>,
  workspace: WorkspaceId,
  rows: ReadonlyArray<Row>,
  deleted: SubjectKey,
): Effect.fn.Return<ReadonlySet<Sequence>, E> {
  const details: Array<{ readonly sequence: Sequence; readonly detail: string }> = []
  const isGone = (subject: SubjectKey) => subject === deleted
  for (const row of rows) {
    if (row["subject"] === deleted || !hasOrigin(text(row["detail"]), deleted)) continue
    const sequence = sequenceIn(row)
    const parts = yield* queries.ask.rows(partsSql, workspace, sequence)
    const [entry] = wholeEntries([row], parts)
    if (entry === undefined) continue
    if (entry.overwritten.some((one) => one.within === undefined && isGone(one.subject))) continue
    details.push({ sequence, detail: detailColumn(withoutOrigins(entry, isGone)) })
    for (const part of parts) {
      const doc = withoutOriginsOf(part, isGone)
      if (doc === null) continue
      yield* queries.ask.run(
        savePartSql,
        workspace,
        sequence,
        integer(part["subject"]),
        integer(part["place"]),
        doc,
      )
    }
  }
  if (details.length > 0) yield* queries.saveDetails(workspace, details)
  return new Set(details.map(({ sequence }) => sequence))
})

/** Returns the number of rows that change when an entry is erased. */
export const costOf = (row: Row): number => 1 + integer(row["parts_count"])

/** Counts entries that are erased with a deleted person. Those that lose a part are about somebody else. */
const countEntries = (
  tally: ErasureTally,
  { parts = [], redacted = [], removed = [] }: Partial<EntryErasures>,
): void => {
  const others = new Set(parts.map(({ sequence }) => sequence))
  tally.addEntries("events", removed)
  tally.addEntries("mentions", [...others])
  tally.addEntries(
    "entries",
    redacted.flatMap(({ sequence }) => (others.has(sequence) ? [] : [sequence])),
  )
}

/**
 * Erases log entries, and the stored answers that webhook receivers gave to them. Returns the number of attempts with or
 * without an answer.
 */
export const eraseEntries = <E>(
  queries: ErasureQueries<E>,
  workspace: WorkspaceId,
  erasures: Partial<EntryErasures>,
  tally?: ErasureTally,
): Effect.Effect<number, E> => {
  const { parts = [], redacted = [], removed = [] } = erasures
  const sequences = new Set([...removed, ...[...redacted, ...parts].map(({ sequence }) => sequence)])
  if (sequences.size === 0) return Effect.succeed(0)
  if (tally !== undefined) countEntries(tally, erasures)
  const events = redacted.flatMap(({ isEvent, sequence }) => (isEvent ? [sequence] : []))
  return Effect.gen(function* () {
    yield* queries.erase(workspace, { parts, redacted, removed })
    if (events.length > 0) yield* queries.clearNames(workspace, events)
    return yield* eraseAnswers(queries, workspace, [...sequences], tally)
  })
}

/**
 * Erases the stored answers to log entries, because they can repeat personal data. Returns the number of attempts to send
 * the entries.
 */
export const eraseAnswers = Effect.fnUntraced(function* <E>(
  { attemptsOf, saveAnswers }: Pick<ErasureQueries<E>, "attemptsOf" | "saveAnswers">,
  workspace: WorkspaceId,
  sequences: ReadonlyArray<Sequence>,
  tally?: ErasureTally,
): Effect.fn.Return<number, E> {
  if (sequences.length === 0) return 0
  const rows = yield* attemptsOf(workspace, sequences)
  const erased = rows.flatMap((row) => {
    const stored = text(row["doc"])
    const doc = withoutExcerpt(stored)
    return doc === stored ? [] : [{ webhook: text(row["webhook"]), key: integer(row["key"]), doc }]
  })
  if (erased.length > 0) yield* saveAnswers(workspace, erased)
  tally?.add({ answers: erased.length })
  return rows.length
})

/**
 * Checks the next reports on a delivery, at log positions greater than `from` and less than `before`. Redacts the
 * reports for which `isWanted` returns true. In the result, `to` is the position of the last checked report.
 */
export const redactReports = Effect.fnUntraced(function* <E>(
  queries: ErasureQueries<E>,
  workspace: WorkspaceId,
  delivery: SubjectKey,
  before: Sequence,
  from: number,
  isWanted: (row: Row) => boolean,
  tally: ErasureTally,
): Effect.fn.Return<Progress & { readonly to: number }, E> {
  const look = yield* queries.rowsPerLook(workspace)
  const found = yield* queries.entriesOf(workspace, delivery, { from, before }, reportsPerStep)
  const redacted = found.rows.filter(isWanted).map((row) => redaction(row, null))
  const answers = yield* eraseEntries(queries, workspace, { redacted }, tally)
  return { rows: look + found.rows.length + answers, isDone: found.isAll, to: found.to }
})
