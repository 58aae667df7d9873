import { AuditPosition, NewAuditRecord, type AuditRecord } from "@inlet/core/audit/AuditRecord"
import type { Page } from "@inlet/core/values/Page"
import type { AuditPlace, AuditReach } from "@inlet/core/ports/AuditLog"
import type { WorkspaceId } from "@inlet/core/values/Identifier"
import { Schema, Struct } from "effect"
import { integer, text, type Row } from "./columns.ts"
import { workspaceId } from "./ids.ts"
import { wholeInstallation, type RowOwner } from "./transfer/transferTables.ts"

const Doc = Schema.fromJsonString(NewAuditRecord.mapFields(Struct.omit(["workspace"])))
const encodeDoc = Schema.encodeSync(Doc)
const decodeDoc = Schema.decodeUnknownSync(Doc)

/** Returns the column `doc` of a record. Its workspace and its position have columns of their own. */
export const auditDoc = (record: NewAuditRecord): string => encodeDoc(record)

export const auditFromRow = (row: Row): AuditRecord => {
  const owner = integer(row["workspace"])
  return {
    ...decodeDoc(text(row["doc"])),
    workspace: owner === wholeInstallation ? null : workspaceId(owner),
    position: AuditPosition.make(integer(row["position"])),
  }
}

export const auditOwner = (workspace: WorkspaceId | null): RowOwner => workspace ?? wholeInstallation

/** Returns the owner of the rows that a read reaches, or null if it reads those of all owners. */
export const auditReachOwner = (reach: AuditReach): RowOwner | null => {
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
export const auditPage = (rows: ReadonlyArray<Row>, wanted: number): Page<AuditRecord, AuditPlace> => {
  const items = rows.slice(0, wanted).map(auditFromRow)
  const last = items.at(-1)
  const hasMore = rows.length > wanted && last !== undefined
  return { items, next: hasMore ? { position: last.position, workspace: last.workspace } : null }
}
