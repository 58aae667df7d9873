import {
  summariesCursor,
  summaryRowsMax,
  type CauseRow,
  type LogSummaries,
  type ShapedTypeRow,
  type SummaryCommit,
  type TypeName,
  type TypeRow,
} from "@inlethq/core/ports/LogSummaries"
import type { Page } from "@inlethq/core/values/Page"
import { Effect } from "effect"
import { text, type Row } from "../columns/columns.ts"
import { fromStored, toStored } from "../columns/storedText.ts"
import { advanceClaimedSql } from "./logCursors.ts"
import type { Statements, Tables } from "./Tables.ts"

const limit = summaryRowsMax + 1

const typesSql = `
  SELECT kind, name, doc FROM type_summaries WHERE workspace = $1 AND (kind, name) > ($2, $3)
  ORDER BY kind, name LIMIT ${limit}`

const typesOfKindSql = `
  SELECT kind, name, doc FROM type_summaries WHERE workspace = $1 AND kind = $2 AND name > $3
  ORDER BY name LIMIT ${limit}`

const shapedTypesSql = `
  SELECT kind, name, doc, shape FROM type_summaries WHERE workspace = $1 AND (kind, name) > ($2, $3)
  ORDER BY kind, name LIMIT ${limit}`

const typeSql =
  "SELECT kind, name, doc, shape FROM type_summaries WHERE workspace = $1 AND kind = $2 AND name = $3"

const causesSql = `
  SELECT cause, doc FROM cause_summaries WHERE workspace = $1 AND cause > $2 ORDER BY cause LIMIT ${limit}`

const saveTypeSql = `
  INSERT INTO type_summaries (workspace, kind, name, doc, shape) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (workspace, kind, name) DO UPDATE SET doc = excluded.doc, shape = excluded.shape`

const saveCauseSql = `
  INSERT INTO cause_summaries (workspace, cause, doc) VALUES ($1, $2, $3)
  ON CONFLICT (workspace, cause) DO UPDATE SET doc = excluded.doc`

const forgetCauseSql = "DELETE FROM cause_summaries WHERE workspace = $1 AND cause = $2"

const reading = "read the summaries of the log"

/** The name before the first one. */
const first: TypeName = { kind: "", name: "" }

/**
 * Makes the store of what the entries of each log have in common. `onForgotten` is SQL that runs in the transaction in which
 * keys of people who are gone leave it, or null.
 */
export const makeLogSummaries = (
  { read, writeUnsynced }: Tables,
  onForgotten: string | null,
): LogSummaries["Service"] => ({
  types: (workspace, kind, after) => {
    const { kind: afterKind, name } = storedName(after ?? first)
    const rows =
      kind === null
        ? read(reading, typesSql, workspace, afterKind, name)
        : read(reading, typesOfKindSql, workspace, toStored(kind), name)
    return Effect.map(rows, (found) => pageOf(found.map(typeRow), nameOf))
  },
  shapedTypes: (workspace, after) => {
    const { kind, name } = storedName(after ?? first)
    return Effect.map(read(reading, shapedTypesSql, workspace, kind, name), (found) =>
      pageOf(found.map(shapedTypeRow), nameOf),
    )
  },
  type: (workspace, wanted) => {
    const { kind, name } = storedName(wanted)
    return Effect.map(read(reading, typeSql, workspace, kind, name), ([row]) =>
      row === undefined ? null : shapedTypeRow(row),
    )
  },
  causes: (workspace, after) =>
    Effect.map(read(reading, causesSql, workspace, toStored(after ?? "")), (found) =>
      pageOf(found.map(causeRow), ({ cause }) => cause),
    ),
  commit: (commit) =>
    writeUnsynced("save the summaries of the log", commit.workspace, (ask) =>
      Effect.flatMap(ask.isDeleted(commit.workspace), (isDeleted) =>
        isDeleted ? Effect.succeed(false) : save(ask, commit, onForgotten),
      ),
    ),
})

const save = <E>(
  ask: Statements<E>,
  { causes, forgottenCauses, hasForgotten, to, token, types, workspace }: SummaryCommit,
  onForgotten: string | null,
): Effect.Effect<boolean, E> =>
  Effect.gen(function* () {
    const { destination } = summariesCursor(workspace)
    if ((yield* ask.run(advanceClaimedSql, workspace, destination, to ?? 0, token)) === 0) return false
    yield* ask.runEach(
      saveTypeSql,
      types.map(({ doc, kind, name, shape }) => [workspace, toStored(kind), toStored(name), doc, shape]),
    )
    yield* ask.runEach(
      saveCauseSql,
      causes.map(({ cause, doc }) => [workspace, toStored(cause), doc]),
    )
    yield* ask.runEach(
      forgetCauseSql,
      forgottenCauses.map((cause) => [workspace, toStored(cause)]),
    )
    if (hasForgotten && onForgotten !== null) yield* ask.run(onForgotten)
    return true
  })

const storedName = ({ kind, name }: TypeName): TypeName => ({ kind: toStored(kind), name: toStored(name) })

const nameOf = ({ kind, name }: TypeName): TypeName => ({ kind, name })

const typeRow = (row: Row): TypeRow => ({
  kind: fromStored(text(row["kind"])),
  name: fromStored(text(row["name"])),
  doc: text(row["doc"]),
})

const shapedTypeRow = (row: Row): ShapedTypeRow => ({ ...typeRow(row), shape: text(row["shape"]) })

const causeRow = (row: Row): CauseRow => ({ cause: fromStored(text(row["cause"])), doc: text(row["doc"]) })

const pageOf = <Item, Place>(
  rows: ReadonlyArray<Item>,
  placeOf: (item: Item) => Place,
): Page<Item, Place> => {
  const items = rows.slice(0, summaryRowsMax)
  const last = items.at(-1)
  return { items, next: rows.length > items.length && last !== undefined ? placeOf(last) : null }
}
