import type { Sequence, SubjectKey, WorkspaceId } from "@inlet/core/values/Identifier"
import { Effect } from "effect"
import { integer, text, type Row } from "../columns.ts"
import { redactedDetail, sequenceIn } from "../entryRows.ts"
import { entryErasure } from "../erasurePlan.ts"
import { reportsPerStep, type Progress } from "../sweepBudget.ts"
import { ofWebhook } from "../tables/webhooks/progress.ts"
import { withoutExcerpt } from "../tables/webhooks/webhookRows.ts"
import type { EntryErasures, ErasureQueries } from "./ErasureQueries.ts"

/** Decides for each entry of a deleted person or object how to erase it. */
export const erasuresFor = (rows: ReadonlyArray<Row>, deleted: SubjectKey): EntryErasures => {
  const removed: Array<Sequence> = []
  const redacted: Array<EntryErasures["redacted"][number]> = []
  const parts: Array<EntryErasures["parts"][number]> = []
  for (const row of rows) {
    const sequence = sequenceIn(row)
    switch (entryErasure(row, deleted)) {
      case "part":
        parts.push({ sequence, subject: deleted })
        break
      case "merge":
        parts.push({ sequence, subject: deleted })
        redacted.push(redaction(row))
        break
      case "remove":
        removed.push(sequence)
        break
      case "redact":
        redacted.push(redaction(row))
        break
    }
  }
  return { removed, redacted, parts }
}

const redaction = (row: Row): EntryErasures["redacted"][number] => ({
  sequence: sequenceIn(row),
  detail: redactedDetail(text(row["detail"])),
})

/** Returns the number of rows that change when an entry is erased. */
export const costOf = (row: Row): number => 1 + integer(row["parts_count"])

/**
 * Erases log entries, and the stored answers that webhook receivers gave to them. Returns the number of these answers.
 */
export const eraseEntries = <E>(
  queries: ErasureQueries<E>,
  workspace: WorkspaceId,
  erasures: Partial<EntryErasures>,
): Effect.Effect<number, E> => {
  const { parts = [], redacted = [], removed = [] } = erasures
  const sequences = new Set([...removed, ...[...redacted, ...parts].map(({ sequence }) => sequence)])
  if (sequences.size === 0) return Effect.succeed(0)
  return Effect.andThen(
    queries.erase(workspace, { parts, redacted, removed }),
    eraseAnswers(queries, workspace, [...sequences]),
  )
}

const saveAnswerSql = `UPDATE webhook_attempts SET doc = $4 WHERE ${ofWebhook} AND key = $3`

/** Erases the stored answers to log entries, because they can repeat personal data. Returns their number. */
export const eraseAnswers = Effect.fnUntraced(function* <E>(
  { ask, attemptsOf }: Pick<ErasureQueries<E>, "ask" | "attemptsOf">,
  workspace: WorkspaceId,
  sequences: ReadonlyArray<Sequence>,
): Effect.fn.Return<number, E> {
  if (sequences.length === 0) return 0
  const rows = yield* attemptsOf(workspace, sequences)
  if (rows.length === 0) return 0
  yield* ask.runEach(
    saveAnswerSql,
    rows.map((row) => [
      workspace,
      text(row["webhook"]),
      integer(row["key"]),
      withoutExcerpt(text(row["doc"])),
    ]),
  )
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
): Effect.fn.Return<Progress & { readonly to: number }, E> {
  const found = yield* queries.entriesOf(workspace, delivery, { from, before }, reportsPerStep)
  const redacted = found.rows.filter(isWanted).map(redaction)
  const answers = yield* eraseEntries(queries, workspace, { redacted })
  return { rows: found.cost + found.rows.length + answers, isDone: found.isAll, to: found.to }
})
