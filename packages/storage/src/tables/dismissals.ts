import { dismissalsMax, type Dismissal, type Dismissals } from "@inlethq/core/ports/Dismissals"
import { Effect } from "effect"
import { integer, type Row } from "../columns/columns.ts"
import { subjectKey } from "../columns/ids.ts"
import type { Tables } from "./Tables.ts"

/*
 * A pair has two rows, one from the side of each person, so that housekeeping finds the pairs of a deleted person by either.
 */

const countSql = "SELECT count(*) AS found FROM dismissals WHERE workspace = $1 AND subject = $2"

const saveSql = `
  INSERT INTO dismissals (workspace, subject, other, at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`

const removeSql =
  "DELETE FROM dismissals WHERE workspace = $1 AND ((subject = $2 AND other = $3) OR (subject = $3 AND other = $2))"

const ofSql = "SELECT other FROM dismissals WHERE workspace = $1 AND subject = $2"

const listSql = `
  SELECT subject, other, at FROM dismissals
  WHERE workspace = $1 AND subject < other AND (subject > $2 OR (subject = $2 AND other > $3))
  ORDER BY subject, other LIMIT $4`

/** Makes the store of the pairs of people who are not suggested as duplicates any more. */
export const makeDismissals = (tables: Tables): Dismissals["Service"] => ({
  save: (workspace, { at, one, other }) =>
    tables.write("dismiss a pair", workspace, (ask) =>
      Effect.gen(function* () {
        if (yield* ask.isDeleted(workspace)) return false
        for (const person of [one, other]) {
          const [row] = yield* ask.rows(countSql, workspace, person)
          if (integer(row?.["found"]) >= dismissalsMax) return false
        }
        yield* ask.runEach(saveSql, [
          [workspace, one, other, at],
          [workspace, other, one, at],
        ])
        return true
      }),
    ),
  remove: (workspace, { one, other }) =>
    tables.write("remove a dismissal", workspace, (ask) =>
      Effect.map(ask.run(removeSql, workspace, one, other), (rows) => rows > 0),
    ),
  of: (workspace, person) =>
    Effect.map(
      tables.read("read dismissals", ofSql, workspace, person),
      (rows) => new Set(rows.map(({ other }) => subjectKey(integer(other)))),
    ),
  list: (workspace, { after, limit }) =>
    Effect.map(
      tables.read("read dismissals", listSql, workspace, after?.one ?? 0, after?.other ?? 0, limit + 1),
      (rows) => {
        const items = rows.slice(0, limit).map(dismissalIn)
        return { items, next: rows.length > limit ? (items.at(-1) ?? null) : null }
      },
    ),
})

const dismissalIn = ({ at, other, subject }: Row): Dismissal => ({
  one: subjectKey(integer(subject)),
  other: subjectKey(integer(other)),
  at: integer(at),
})
