import {
  auditPositionAt,
  AuditPosition,
  auditPositionsPerMs,
  NewAuditRecord,
  type AuditRecord,
} from "@inlethq/core/audit/AuditRecord"
import {
  auditPrunedMax,
  auditReadMax,
  type AuditLog,
  type AuditPlace,
  type AuditReach,
} from "@inlethq/core/ports/AuditLog"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import type { Page, PageRequest } from "@inlethq/core/values/Page"
import { dayMs, type EpochMillis } from "@inlethq/core/values/Timestamp"
import { Effect, Schema, Struct } from "effect"
import { integer, integerOrNull, text, type Row } from "../columns/columns.ts"
import { ownerOf, workspaceId } from "../columns/ids.ts"
import { wholeInstallation, type RowOwner } from "../columns/transferTables.ts"
import { workspaceFromRow } from "../rows/workspaceRow.ts"
import type { Statements, Tables } from "./Tables.ts"

/** The workspace and the position of a record have columns of their own. */
const Doc = Schema.fromJsonString(NewAuditRecord.mapFields(Struct.omit(["workspace"])))
const encodeDoc = Schema.encodeSync(Doc)
const decodeDoc = Schema.decodeUnknownSync(Doc)

const recordFromRow = (row: Row): AuditRecord => {
  const owner = integer(row["workspace"])
  return {
    ...decodeDoc(text(row["doc"])),
    workspace: owner === wholeInstallation ? null : workspaceId(owner),
    position: AuditPosition.make(integer(row["position"])),
  }
}

const ownerIn = (workspace: WorkspaceId | null): RowOwner => workspace ?? wholeInstallation

const columns = "workspace, position, doc"

/** Writes nothing if another node has taken the position. */
const insertSql = `
  INSERT INTO audit_log (${columns})
  SELECT CAST($1 AS BIGINT), coalesce(max(position) + 1, CAST($2 AS BIGINT)), CAST($3 AS TEXT) FROM audit_log
  WHERE workspace = $1 AND position >= $2 AND position < $2 + ${auditPositionsPerMs}
  ON CONFLICT DO NOTHING RETURNING ${columns}`

/** All records go through transactions of the installation, because those of a deleted workspace would fail. */
export const makeAuditLog = (tables: Tables): AuditLog["Service"] => ({
  append: (record, at) =>
    tables.write("write the audit log", wholeInstallation, (ask) => insert(ask, record, at)),
  replace: (record) =>
    tables.write("write the audit log", wholeInstallation, (ask) =>
      Effect.asVoid(
        ask.run(
          "UPDATE audit_log SET doc = $3 WHERE workspace = $1 AND position = $2",
          ownerIn(record.workspace),
          record.position,
          encodeDoc(record),
        ),
      ),
    ),
  read: (reach, page) => readPage(tables, reach, page),
  prune: makePrune(tables),
})

const insert = Effect.fnUntraced(function* <E>(
  ask: Statements<E>,
  record: NewAuditRecord,
  at: EpochMillis,
): Effect.fn.Return<AuditRecord, E> {
  for (let ms = at; ; ms++) {
    const position = auditPositionAt(ms)
    const [row] = yield* ask.rows(insertSql, ownerIn(record.workspace), position, encodeDoc(record))
    if (row !== undefined) return recordFromRow(row)
  }
})

const readPage = (tables: Tables, reach: AuditReach, page: PageRequest<AuditPlace>) => {
  const { after, limit, order } = page
  const wanted = Math.min(limit, auditReadMax)
  const [compare, direction] = order === "asc" ? [">", "ASC"] : ["<", "DESC"]
  const from = after?.position ?? (order === "asc" ? 0 : Number.MAX_SAFE_INTEGER)
  const select = `SELECT ${columns} FROM audit_log WHERE`
  const owner = ownerOfReach(reach)
  const rows =
    owner === null
      ? tables.read(
          "read the audit log",
          `${select} (position, workspace) ${compare} ($1, $2) ORDER BY position ${direction}, workspace ${direction} LIMIT $3`,
          from,
          ownerIn(after?.workspace ?? null),
          wanted + 1,
        )
      : tables.read(
          "read the audit log",
          `${select} workspace = $1 AND position ${compare} $2 ORDER BY position ${direction} LIMIT $3`,
          owner,
          from,
          wanted + 1,
        )
  return Effect.map(rows, (found) => pageOf(found, wanted))
}

/** Returns the owner of the rows that a read reaches, or null if it reads those of all owners. */
const ownerOfReach = (reach: AuditReach): RowOwner | null => {
  switch (reach) {
    case "everything":
      return null
    case "installation":
      return wholeInstallation
    default:
      return reach
  }
}

/** Returns a page of at most `wanted` records. `rows` has one more row if there is a next page. */
const pageOf = (rows: ReadonlyArray<Row>, wanted: number): Page<AuditRecord, AuditPlace> => {
  const items = rows.slice(0, wanted).map(recordFromRow)
  const last = items.at(-1)
  const hasMore = rows.length > wanted && last !== undefined
  return { items, next: hasMore ? { position: last.position, workspace: last.workspace } : null }
}

/** The largest number of workspaces that one step of `prune` examines. */
const ownersPerStep = 64

// Another node may prune the same rows. Materialized, because PostgreSQL may run a subquery that locks rows again for each row, and
// then `LIMIT` bounds nothing.
const removeSql = (skipLocked: string) => `
  WITH oldest AS MATERIALIZED (
    SELECT position FROM audit_log WHERE workspace = $1 AND position < $2 ORDER BY position LIMIT $3 ${skipLocked}
  )
  DELETE FROM audit_log WHERE workspace = $1 AND position IN (SELECT position FROM oldest)`

/** Each step continues after the last workspace of the step before, so that every workspace has its turn. */
const makePrune = (tables: Tables): AuditLog["Service"]["prune"] => {
  let last = -1
  return (now, days) =>
    tables
      .write("prune the audit log", wholeInstallation, (ask) => pruneStep(ask, last, now, days))
      .pipe(
        Effect.map((pruned) => {
          last = pruned.last
          return pruned.isDone
        }),
      )
}

const pruneStep = Effect.fnUntraced(function* <E>(
  ask: Statements<E>,
  last: number,
  now: EpochMillis,
  days: number,
): Effect.fn.Return<{ readonly last: number; readonly isDone: boolean }, E> {
  let room = auditPrunedMax
  let after = last
  for (let owners = 0; owners < ownersPerStep; owners++) {
    const [row] = yield* ask.rows("SELECT min(workspace) AS owner FROM audit_log WHERE workspace > $1", after)
    const found = integerOrNull(row?.["owner"] ?? null)
    if (found === null) return { last: -1, isDone: true }
    const owner = ownerOf(found)
    const kept = (yield* auditDays(ask, owner)) ?? days
    room -= yield* ask.run(removeSql(ask.skipLocked), owner, auditPositionAt(now - kept * dayMs), room)
    if (room === 0) break
    after = owner
  }
  return { last: after, isDone: false }
})

/** Returns for how many days the records of a workspace are kept, or null if it was deleted. */
const auditDays = <E>(ask: Statements<E>, owner: RowOwner): Effect.Effect<number | null, E> =>
  Effect.map(ask.rows("SELECT id, doc FROM workspaces WHERE id = $1", owner), ([row]) =>
    row === undefined ? null : workspaceFromRow(row["id"], text(row["doc"])).auditDays,
  )
