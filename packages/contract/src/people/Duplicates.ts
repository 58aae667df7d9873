import { pageOperationsMax, pairOperationsMax } from "@inlethq/core/log/evidenceBounds"
import { EvidenceReason } from "@inlethq/core/log/evidence"
import type { Dismissal } from "@inlethq/core/ports/Dismissals"
import { svcIdText, WorkspaceId } from "@inlethq/core/values/Identifier"
import { toIso } from "@inlethq/core/values/Timestamp"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { reads, Requirement, writes } from "../access/Access.ts"
import { SearchedTo } from "../activity/ActivityLog.ts"
import { ProblemAnswers } from "../access/Authorization.ts"
import { DuplicateCursor, PairCursor } from "../values/Cursor.ts"
import { IsoTime } from "../values/IsoTime.ts"
import { Page, pageQuery } from "../values/Page.ts"
import { Conflict } from "../access/Problem.ts"

const PairedPerson = Schema.Struct({
  svc_id: Schema.String,
  id: Schema.NullOr(Schema.String),
  email: Schema.NullOr(Schema.String),
  name: Schema.NullOr(Schema.String),
})

/** Two people who may be one. */
export const DuplicateDocument = Schema.Struct({
  people: Schema.Tuple([PairedPerson, PairedPerson]).annotate({
    description: "the person who was created first comes first",
  }),
  reasons: Schema.Array(EvidenceReason).annotate({
    description:
      "what an operation said: that an identifier of one was refused to the other, that a device moved, or that an alias named both",
  }),
  operation_ids: Schema.Array(Schema.String).annotate({
    description: `the operations that say so, newest first, at most ${pairOperationsMax}`,
  }),
  last_at: Schema.NullOr(IsoTime).annotate({
    description: "when the newest of them was received",
  }),
  merge_preview: Schema.String.annotate({
    description: "the path at which the merge of the second person into the first can be previewed",
  }),
}).annotate({ identifier: "Duplicate", description: "two people who may be one, and what says so" })
export type DuplicateDocument = typeof DuplicateDocument.Type

const pair = Schema.Tuple([Schema.String, Schema.String])

/** A pair that is not suggested any more. */
export const DismissalDocument = Schema.Struct({ svc_ids: pair, at: IsoTime }).annotate({
  identifier: "Dismissal",
  description: "two people who are not one, as an operator judged",
})
export type DismissalDocument = typeof DismissalDocument.Type

export const dismissalDocument =
  (workspace: WorkspaceId) =>
  ({ at, one, other }: Dismissal): DismissalDocument => ({
    svc_ids: [svcIdText(workspace, one), svcIdText(workspace, other)],
    at: toIso(at),
  })

const { after, limit } = pageQuery(DuplicateCursor)
const dismissalsQuery = pageQuery(PairCursor)

export class DuplicatesGroup extends HttpApiGroup.make("duplicates")
  .add(
    HttpApiEndpoint.get("list", "/workspaces/:w/duplicates", {
      params: { w: WorkspaceId },
      query: {
        reason: Schema.optionalKey(EvidenceReason).annotate({
          description: "only pairs for this reason; they are shown with all their reasons",
        }),
        after,
        limit,
      },
      success: Schema.Struct({
        ...Page(DuplicateDocument, DuplicateCursor).fields,
        searched_to: Schema.NullOr(SearchedTo).annotate({
          description: `how far this page has searched the log, newest first, or null if no operation is left; a page looks at ${pageOperationsMax} operations at most`,
        }),
      }),
    }).annotate(Requirement, reads),
    HttpApiEndpoint.get("dismissed", "/workspaces/:w/duplicates/dismissed", {
      params: { w: WorkspaceId },
      query: { after: dismissalsQuery.after, limit: dismissalsQuery.limit },
      success: Page(DismissalDocument, PairCursor),
    }).annotate(Requirement, reads),
    HttpApiEndpoint.post("dismiss", "/workspaces/:w/duplicates/dismissed", {
      params: { w: WorkspaceId },
      payload: Schema.Struct({ svc_ids: pair }),
      success: DismissalDocument.pipe(HttpApiSchema.status(201)),
      error: Conflict,
    }).annotate(Requirement, writes("duplicate.dismiss")),
    HttpApiEndpoint.delete("restore", "/workspaces/:w/duplicates/dismissed/:one/:other", {
      params: { w: WorkspaceId, one: Schema.String, other: Schema.String },
    }).annotate(Requirement, writes("duplicate.restore")),
  )
  .middleware(ProblemAnswers)
  .annotateMerge(OpenApi.annotations({ title: "Duplicates" })) {}
