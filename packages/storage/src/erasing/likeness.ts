import { digestsOf, type Digest } from "@inlet/core/ports/Digest"
import { subjectFromRow } from "../subjectRows.ts"
import type { WorkspaceId } from "@inlet/core/values/Identifier"
import { Effect } from "effect"
import { integer, text } from "../columns.ts"
import { subjectKey } from "../ids.ts"
import { kindsWith, likenessBits, likenessKindOf, likenessOf, type LikenessRow } from "../likenessRows.ts"
import type { SweepBudget } from "../sweepBudget.ts"
import { likenessWork } from "../tables/likeness.ts"
import type { ErasureQueries } from "./ErasureQueries.ts"

const workSql =
  "SELECT kind, state, filled_to FROM likeness_work WHERE workspace = $1 ORDER BY filled_to, kind"

const removeSql = `
  DELETE FROM likeness WHERE workspace = $1 AND kind = $2 AND (digest, subject) IN (
    SELECT digest, subject FROM likeness WHERE workspace = $1 AND kind = $2 ORDER BY digest, subject LIMIT $3)`

const removeSharedSql = `
  DELETE FROM likeness_shared WHERE workspace = $1 AND kind = $2 AND digest IN (
    SELECT digest FROM likeness_shared WHERE workspace = $1 AND kind = $2 ORDER BY digest LIMIT $3)`

/** What comparing a person costs, in rows of the budget of a step, besides what is stored. */
const rowsPerPerson = 2

/** What storing a row and looking for others with its digest costs. */
const rowsPerRow = 3

const documentBytesPerRow = 1024

/** After the setting of a workspace changed: removes what it no longer compares, and compares the people who were there before. */
export const keepLikeness = Effect.fnUntraced(function* <E>(
  queries: ErasureQueries<E>,
  digest: Digest["Service"],
  workspace: WorkspaceId,
  budget: SweepBudget,
): Effect.fn.Return<void, E> {
  while (!budget.isSpent) {
    const work = yield* queries.ask.rows(workSql, workspace)
    const stale = work.find((row) => row["state"] !== likenessWork.fill)
    if (stale !== undefined) {
      yield* removeKind(queries, workspace, integer(stale["kind"]), integer(stale["state"]), budget)
      continue
    }
    const [next] = work
    if (next === undefined) return
    // Kinds that were turned on together share the reading of the people.
    const together = work.filter((row) => row["filled_to"] === next["filled_to"])
    const codes = together.map((row) => integer(row["kind"]))
    yield* fillKinds(queries, digest, workspace, codes, integer(next["filled_to"]), budget)
  }
})

const removeKind = Effect.fnUntraced(function* <E>(
  { ask }: ErasureQueries<E>,
  workspace: WorkspaceId,
  code: number,
  state: number,
  budget: SweepBudget,
): Effect.fn.Return<void, E> {
  for (const sql of [removeSharedSql, removeSql]) {
    const rowsMax = budget.room
    const removed = yield* ask.run(sql, workspace, code, rowsMax)
    budget.rowsLeft -= removed
    if (removed === rowsMax) return
  }
  const named = [workspace, code] as const
  if (state === likenessWork.remove) {
    yield* ask.run("DELETE FROM likeness_work WHERE workspace = $1 AND kind = $2", ...named)
    return
  }
  const [head] = yield* ask.rows("SELECT likeness FROM heads WHERE workspace = $1", workspace)
  const kind = likenessKindOf(code)
  const kept = kindsWith(integer(head?.["likeness"] ?? 0))
  const bits = likenessBits(kind === undefined ? kept : [...kept.filter((one) => one !== kind), kind])
  yield* ask.run("UPDATE heads SET likeness = $2 WHERE workspace = $1", workspace, bits)
  yield* ask.run(
    "UPDATE likeness_work SET state = $3 WHERE workspace = $1 AND kind = $2",
    ...named,
    likenessWork.fill,
  )
})

/** Compares the next people, as many as the budget allows. Commits keep what has changed since. */
const fillKinds = Effect.fnUntraced(function* <E>(
  queries: ErasureQueries<E>,
  digest: Digest["Service"],
  workspace: WorkspaceId,
  codes: ReadonlyArray<number>,
  filledTo: number,
  budget: SweepBudget,
): Effect.fn.Return<void, E> {
  const kinds = codes.flatMap((code) => likenessKindOf(code) ?? [])
  const digestOf = digestsOf(digest, workspace)
  const count = Math.max(Math.floor(budget.room / (rowsPerPerson + rowsPerRow * kinds.length)), 1)
  const { isCut, rows } = yield* queries.peopleAfter(workspace, subjectKey(filledTo), count)
  const added: Array<LikenessRow> = []
  let last = filledTo
  for (const row of rows) {
    const person = subjectFromRow(row)
    last = person.key
    budget.rowsLeft -= rowsPerPerson + Math.floor(text(row["doc"]).length / documentBytesPerRow)
    if (person._tag !== "Person") continue
    const own = likenessOf(digestOf, person, kinds)
    budget.rowsLeft -= rowsPerRow * own.length
    added.push(...own)
  }
  if (added.length > 0) yield* queries.saveLikeness(workspace, { removed: [], added })
  const isDone = !isCut && rows.length < count
  for (const code of codes) {
    yield* isDone
      ? queries.ask.run("DELETE FROM likeness_work WHERE workspace = $1 AND kind = $2", workspace, code)
      : queries.ask.run(
          "UPDATE likeness_work SET filled_to = $3 WHERE workspace = $1 AND kind = $2",
          workspace,
          code,
          last,
        )
  }
})
