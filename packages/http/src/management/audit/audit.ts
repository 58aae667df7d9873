import { Principal } from "@inlethq/contract/access/Access"
import { AuditDocument, auditDocument, type AuditQuery } from "@inlethq/contract/workspaces/Audit"
import { AuditCursor } from "@inlethq/contract/values/Cursor"
import { ManagementApi } from "@inlethq/contract/ManagementApi"
import { pageRequest } from "@inlethq/contract/values/Page"
import { Forbidden } from "@inlethq/contract/access/Problem"
import { Turns } from "@inlethq/engine/reads/ReadTurns"
import type { AuditRecord } from "@inlethq/core/audit/AuditRecord"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { AuditLog, auditReadMax, type AuditPlace } from "@inlethq/core/ports/AuditLog"
import { WorkspaceId } from "@inlethq/core/values/Identifier"
import { Effect, Option, Schema, Stream } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { note } from "../../audit/note.ts"
import { problemTexts } from "../../problems/problemTexts.ts"
import { orStoreUnavailable } from "../../problems/problems.ts"
import { pageAnswer } from "../answers/pageAnswer.ts"
import type { Piece } from "../exports/exportLines.ts"
import { exportResponse } from "../exports/exportResponse.ts"
import { readAudit, type AuditRequest } from "./readAudit.ts"

const answerAudit = pageAnswer(auditDocument, AuditDocument, AuditCursor)

const encodeDocument = Schema.encodeSync(AuditDocument)

export const auditHandlers = HttpApiBuilder.group(
  ManagementApi,
  "audit",
  Effect.fnUntraced(function* (handlers) {
    const log = yield* AuditLog
    const turns = yield* Turns

    return handlers.handleAll({
      list: Effect.fn("management.audit.list")(function* ({ query }) {
        const page = yield* readAudit(log, yield* requestOf(query), pageRequest(query))
        return yield* answerAudit(turns, page)
      }, orStoreUnavailable),

      export: Effect.fn("management.audit.export")(function* ({ query }) {
        const request = yield* requestOf(query)
        yield* note({ details: { ...query } })
        return yield* exportResponse(piecesOf(log, request))
      }, orStoreUnavailable),
    })
  }),
)

/** Returns what a principal asks for. Fails with a 403 if it may not see the workspace. */
const requestOf = Effect.fnUntraced(function* (
  query: AuditQuery,
): Effect.fn.Return<AuditRequest, Forbidden, Principal> {
  const { name, workspaces } = yield* Principal
  const { workspace } = query
  if (workspace === undefined) {
    const [only, ...others] = workspaces ?? []
    return { reach: only !== undefined && others.length === 0 ? only : "everything", workspaces, query }
  }
  if (workspaces !== null && !workspaces.some((id) => id === workspace)) {
    return yield* new Forbidden({ detail: problemTexts.otherWorkspace({ workspace, token: name }) })
  }
  return { reach: workspace === 0 ? "installation" : WorkspaceId.make(workspace), workspaces, query }
})

const piecesOf = (log: AuditLog["Service"], request: AuditRequest) => {
  const start: AuditPlace | null = null
  return Stream.paginate<AuditPlace | null, Piece, StoreUnavailable, never>(start, (after) =>
    Effect.map(
      readAudit(log, request, { after, limit: auditReadMax, order: "asc" }),
      ({ items, next }) => [[pieceOf(items)], Option.fromNullOr(next)] as const,
    ),
  )
}

const pieceOf = (records: ReadonlyArray<AuditRecord>): Piece => ({
  text: records.map((record) => `${JSON.stringify(encodeDocument(auditDocument(record)))}\n`).join(""),
  lines: records.length,
})
