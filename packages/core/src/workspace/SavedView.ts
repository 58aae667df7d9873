import { Schema } from "effect"
import { WorkspaceId } from "../values/Identifier.ts"

/** The pages of the console whose lists can be saved as views. */
export const ViewPage = Schema.Literals(["live", "errors", "people", "events"])
export type ViewPage = typeof ViewPage.Type

/** The largest number of parameters of a view, and of characters of one of them. */
export const viewParametersMax = 20
export const viewParameterCharactersMax = 2_000

/** A list of the console under a name: its filter, period and columns, as the address of the page says them. */
export const SavedView = Schema.Struct({
  viewId: Schema.NonEmptyString,
  workspace: WorkspaceId,
  page: ViewPage,
  name: Schema.String,
  /** The query parameters of the page's address, such as `filter`. */
  query: Schema.Record(Schema.String, Schema.String),
  createdAt: Schema.Int,
  updatedAt: Schema.Int,
})
export type SavedView = typeof SavedView.Type
