import { auditPositionAt, auditPositionsPerMs } from "@inlet/core/audit/AuditRecord"
import type { PageRequest } from "@inlet/core/values/Page"
import {
  auditPrunedMax,
  auditReadMax,
  type AuditLog,
  type AuditPlace,
  type AuditReach,
} from "@inlet/core/ports/AuditLog"
import type { StoreUnavailable } from "@inlet/core/ports/Store"
import { dayMs, type EpochMillis } from "@inlet/core/values/Timestamp"
import { auditDoc, auditFromRow, auditOwner, auditPage, auditReachOwner } from "@inlet/storage/auditRows"
import { integerOrNull } from "@inlet/storage/columns"
import type { RowOwner } from "@inlet/storage/transfer/transferTables"
import { Effect } from "effect"
import type { Connection } from "./engine/Connection.ts"
import { installation, type Database } from "./engine/Database.ts"
import type { DatabaseError } from "./engine/DatabaseError.ts"
import type { Parameter } from "./engine/parameters.ts"

const columns = "workspace, position, doc"

/** Writes nothing if another node has taken the position. */
const insertSql = `
  INSERT INTO audit_log (${columns})
  SELECT $1::bigint, coalesce(max(position) + 1, $2::bigint), $3::text FROM audit_log
  WHERE workspace = $1 AND position >= $2 AND position < $2 + ${auditPositionsPerMs}
  ON CONFLICT DO NOTHING RETURNING ${columns}`

const replaceSql = "UPDATE audit_log SET doc = $3 WHERE workspace = $1 AND position = $2"

/** All records go through transactions of the installation, because those of a deleted workspace would fail. */
export const makeAuditLog = (database: Database["Service"]): AuditLog["Service"] => ({
  append: (record, at) =>
    database.write("write the audit log", installation, (connection) =>
      Effect.map(insert(connection, auditOwner(record.workspace), auditDoc(record), at), auditFromRow),
    ),
  replace: (record) =>
    Effect.asVoid(
      database.write("write the audit log", installation, (connection) =>
        connection.execute(replaceSql, [auditOwner(record.workspace), record.position, auditDoc(record)]),
      ),
    ),
  read: (reach, page) => {
    const { parameters, sql, wanted } = readOf(reach, page)
    return Effect.map(database.query("read the audit log", sql, parameters), (rows) =>
      auditPage(rows, wanted),
    )
  },
  prune: makePrune(database),
})

const insert = (connection: Connection, owner: RowOwner, doc: string, at: EpochMillis) =>
  Effect.gen(function* () {
    for (let ms = at; ; ms++) {
      const [row] = yield* connection.query(insertSql, [owner, auditPositionAt(ms), doc])
      if (row !== undefined) return row
    }
  })

const readOf = (
  reach: AuditReach,
  { after, limit, order }: PageRequest<AuditPlace>,
): { readonly sql: string; readonly parameters: ReadonlyArray<Parameter>; readonly wanted: number } => {
  const wanted = Math.min(limit, auditReadMax)
  const [compare, direction] = order === "asc" ? [">", "ASC"] : ["<", "DESC"]
  const from = after?.position ?? (order === "asc" ? 0 : Number.MAX_SAFE_INTEGER)
  const select = `SELECT ${columns} FROM audit_log WHERE`
  const owner = auditReachOwner(reach)
  return owner === null
    ? {
        sql: `${select} (position, workspace) ${compare} ($1, $2) ORDER BY position ${direction}, workspace ${direction} LIMIT $3`,
        parameters: [from, auditOwner(after?.workspace ?? null), wanted + 1],
        wanted,
      }
    : {
        sql: `${select} workspace = $1 AND position ${compare} $2 ORDER BY position ${direction} LIMIT $3`,
        parameters: [owner, from, wanted + 1],
        wanted,
      }
}

/** The largest number of workspaces that one step of `prune` examines. */
const ownersPerStep = 64

const nextOwnerSql = `
  SELECT owner, (SELECT (doc::jsonb ->> 'auditDays')::bigint FROM workspaces WHERE id = owner) AS days
  FROM (SELECT min(workspace) AS owner FROM audit_log WHERE workspace > $1) AS next`

// Another node may prune the same rows.
const removeSql = `
  DELETE FROM audit_log WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM audit_log WHERE workspace = $1 AND position < $2 ORDER BY position LIMIT $3 FOR UPDATE SKIP LOCKED
  ))`

/** Each step continues after the last workspace of the step before, so that every workspace has its turn. */
const makePrune = (
  database: Database["Service"],
): ((now: EpochMillis, days: number) => Effect.Effect<boolean, StoreUnavailable>) => {
  let last = -1
  const step = (connection: Connection, now: EpochMillis, days: number) =>
    Effect.gen(function* (): Effect.fn.Return<{ last: number; isDone: boolean }, DatabaseError> {
      let room = auditPrunedMax
      let after = last
      for (let owners = 0; owners < ownersPerStep; owners++) {
        const [row] = yield* connection.query(nextOwnerSql, [after])
        const owner = integerOrNull(row?.["owner"])
        if (owner === null) return { last: -1, isDone: true }
        const kept = integerOrNull(row?.["days"]) ?? days
        room -= yield* connection.execute(removeSql, [owner, auditPositionAt(now - kept * dayMs), room])
        if (room === 0) break
        after = owner
      }
      return { last: after, isDone: false }
    })
  return (now, days) =>
    database
      .write("prune the audit log", installation, (connection) => step(connection, now, days))
      .pipe(
        Effect.map((pruned) => {
          last = pruned.last
          return pruned.isDone
        }),
      )
}
