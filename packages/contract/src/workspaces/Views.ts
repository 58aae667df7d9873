import {
  viewParameterCharactersMax,
  viewParametersMax,
  ViewPage,
  type SavedView,
} from "@inlethq/core/workspace/SavedView"
import { WorkspaceId } from "@inlethq/core/values/Identifier"
import { toIso } from "@inlethq/core/values/Timestamp"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { reads, Requirement, writes } from "../access/Access.ts"
import { ProblemAnswers } from "../access/Authorization.ts"
import { Conflict } from "../access/Problem.ts"
import { ViewCursor } from "../values/Cursor.ts"
import { IsoTime } from "../values/IsoTime.ts"
import { Name } from "../values/Name.ts"
import { Page, pageQuery } from "../values/Page.ts"

const page = ViewPage.annotate({ description: "the page of the console that the view is of" })

const query = Schema.Record(
  Schema.String.check(Schema.isPattern(/^[a-z][a-z_]{0,39}$/, { expected: "a parameter of the page" })),
  Schema.String.check(Schema.isMaxLength(viewParameterCharactersMax)),
)
  .check(Schema.isMaxProperties(viewParametersMax))
  .annotate({
    description: "the parameters of the page's address, such as `filter`, `last` and `columns`",
  })

/** A list of the console that an operator saved under a name. */
export const ViewDocument = Schema.Struct({
  view_id: Schema.String,
  page,
  name: Schema.String,
  query,
  created_at: IsoTime,
  updated_at: IsoTime,
}).annotate({
  identifier: "View",
  description: "a list of the console under a name: its filter, period and columns",
})
export type ViewDocument = typeof ViewDocument.Type

const NewView = Schema.Struct({ page, name: Name, query }).annotate({
  identifier: "NewView",
  description: "the name is unique among the views of the page",
})

const ViewChanges = Schema.Struct({
  name: Schema.optionalKey(Name),
  query: Schema.optionalKey(query),
}).annotate({ identifier: "ViewChanges", description: "what is left out stays as it is" })

export class ViewsGroup extends HttpApiGroup.make("views")
  .add(
    HttpApiEndpoint.get("list", "/workspaces/:w/views", {
      params: { w: WorkspaceId },
      query: {
        page: Schema.optionalKey(ViewPage).annotate({ description: "only views of this page" }),
        ...pageQuery(ViewCursor),
      },
      success: Page(ViewDocument, ViewCursor),
    }).annotate(Requirement, reads),
    HttpApiEndpoint.post("create", "/workspaces/:w/views", {
      params: { w: WorkspaceId },
      payload: NewView,
      success: ViewDocument.pipe(HttpApiSchema.status(201)),
      error: Conflict,
    }).annotate(Requirement, writes("view.create")),
    HttpApiEndpoint.patch("update", "/workspaces/:w/views/:view_id", {
      params: { w: WorkspaceId, view_id: Schema.String },
      payload: ViewChanges,
      success: ViewDocument,
      error: Conflict,
    }).annotate(Requirement, writes("view.update")),
    HttpApiEndpoint.delete("delete", "/workspaces/:w/views/:view_id", {
      params: { w: WorkspaceId, view_id: Schema.String },
    }).annotate(Requirement, writes("view.delete")),
  )
  .middleware(ProblemAnswers)
  .annotateMerge(OpenApi.annotations({ title: "Views" })) {}

export const viewDocument = (view: SavedView): ViewDocument => ({
  view_id: view.viewId,
  page: view.page,
  name: view.name,
  query: view.query,
  created_at: toIso(view.createdAt),
  updated_at: toIso(view.updatedAt),
})
