import { auditPositionAt, auditPositionsPerMs } from "@inlet/core/audit/AuditRecord"
import type { PageRequest } from "@inlet/core/values/Page"
import {
  auditPrunedMax,
  auditReadMax,
  type AuditLog,
  type AuditPlace,
  type AuditReach,
} from "@inlet/core/ports/AuditLog"
import { dayMs, type EpochMillis } from "@inlet/core/values/Timestamp"
import { auditDoc, auditFromRow, auditOwner, auditPage, auditReachOwner } from "@inlet/storage/auditRows"
import { integerOrNull, type Row } from "@inlet/storage/columns"
import type { RowOwner } from "@inlet/storage/transfer/transferTables"
import type { Database } from "./engine/Database.ts"

export const makeAuditLog = (database: Database): AuditLog["Service"] => {
  const { durability } = database
  const insert = insertRecord(database)
  const replace = database.prepare("UPDATE audit_log SET doc = ? WHERE workspace = ? AND position = ?")
  const read = readRecords(database.reads)
  const prune = pruneRecords(database)
  return {
    append: (record, at) =>
      durability.write("write the audit log", () =>
        database.write(() => auditFromRow(insert(auditOwner(record.workspace), auditDoc(record), at))),
      ),
    replace: (record) =>
      durability.write("write the audit log", () =>
        database.write(
          () => void replace.run(auditDoc(record), auditOwner(record.workspace), record.position),
        ),
      ),
    read: (reach, page) => durability.read("read the audit log", () => read(reach, page)),
    prune: (now, days) =>
      durability.write("prune the audit log", () => database.write(() => prune(now, days))),
  }
}

const insertRecord = (database: Database) => {
  const statement = database.prepare(`
    INSERT INTO audit_log (workspace, position, doc)
    SELECT ?1, coalesce(max(position) + 1, ?2), ?3 FROM audit_log
    WHERE workspace = ?1 AND position >= ?2 AND position < ?2 + ${auditPositionsPerMs}
    ON CONFLICT DO NOTHING RETURNING workspace, position, doc`)
  return (owner: RowOwner, doc: string, at: EpochMillis): Row => {
    for (let ms = at; ; ms++) {
      const row = statement.get(owner, auditPositionAt(ms), doc)
      if (row !== undefined) return row
    }
  }
}

const readRecords = (database: Database) => {
  const select = "SELECT workspace, position, doc FROM audit_log WHERE"
  const all = {
    asc: database.prepare(`${select} (position, workspace) > (?, ?) ORDER BY position, workspace LIMIT ?`),
    desc: database.prepare(
      `${select} (position, workspace) < (?, ?) ORDER BY position DESC, workspace DESC LIMIT ?`,
    ),
  }
  const own = {
    asc: database.prepare(`${select} workspace = ? AND position > ? ORDER BY position LIMIT ?`),
    desc: database.prepare(`${select} workspace = ? AND position < ? ORDER BY position DESC LIMIT ?`),
  }
  return (reach: AuditReach, { after, limit, order }: PageRequest<AuditPlace>) => {
    const wanted = Math.min(limit, auditReadMax)
    const from = after?.position ?? (order === "asc" ? 0 : Number.MAX_SAFE_INTEGER)
    const owner = auditReachOwner(reach)
    const rows =
      owner === null
        ? all[order].all(from, auditOwner(after?.workspace ?? null), wanted + 1)
        : own[order].all(owner, from, wanted + 1)
    return auditPage(rows, wanted)
  }
}

/** The largest number of workspaces that one step of `prune` examines. */
const ownersPerStep = 64

/** Each step continues after the last workspace of the step before, so that every workspace has its turn. */
const pruneRecords = (database: Database) => {
  const nextOwner = database.prepare("SELECT min(workspace) AS owner FROM audit_log WHERE workspace > ?")
  const daysOf = database.prepare("SELECT doc ->> '$.auditDays' AS days FROM workspaces WHERE id = ?")
  const remove = database.prepare(`
    DELETE FROM audit_log WHERE (workspace, position) IN (
      SELECT workspace, position FROM audit_log WHERE workspace = ? AND position < ? ORDER BY position LIMIT ?
    )`)
  let last = -1
  return (now: EpochMillis, days: number): boolean => {
    let room = auditPrunedMax
    for (let owners = 0; owners < ownersPerStep; owners++) {
      const owner = integerOrNull(nextOwner.get(last)?.["owner"])
      if (owner === null) {
        last = -1
        return true
      }
      const kept = integerOrNull(daysOf.get(owner)?.["days"] ?? null) ?? days
      room -= Number(remove.run(owner, auditPositionAt(now - kept * dayMs), room).changes)
      if (room === 0) return false
      last = owner
    }
    return false
  }
}
