import { viewsPerWorkspaceMax, type SavedViews, type ViewSaved } from "@inlethq/core/ports/SavedViews"
import { SavedView } from "@inlethq/core/workspace/SavedView"
import { Effect, Schema, Struct } from "effect"
import { integer, text, type Row } from "../columns/columns.ts"
import { workspaceId } from "../columns/ids.ts"
import { fromStored, toStored } from "../columns/storedText.ts"
import { lockWorkspace } from "./settingsChanges.ts"
import type { Statements, Tables } from "./Tables.ts"

/** The workspace, the id, the creation time, the page and the name of a view have columns of their own. */
const Doc = Schema.fromJsonString(
  SavedView.mapFields(Struct.omit(["workspace", "viewId", "createdAt", "page", "name"])),
)
const encodeDoc = Schema.encodeSync(Doc)
const decodeDoc = Schema.decodeUnknownSync(Doc)
const decodePage = Schema.decodeUnknownSync(SavedView.fields.page)

const columns = "workspace, id, created, page, name, doc"

const listSql = `SELECT ${columns} FROM saved_views WHERE workspace = $1 ORDER BY created, id`

const countSql = "SELECT count(*) AS found FROM saved_views WHERE workspace = $1"

const takenSql = "SELECT id FROM saved_views WHERE workspace = $1 AND page = $2 AND name = $3 AND id <> $4"

const addSql = `INSERT INTO saved_views (${columns}) VALUES ($1, $2, $3, $4, $5, $6)`

const updateSql = "UPDATE saved_views SET page = $3, name = $4, doc = $5 WHERE workspace = $1 AND id = $2"

const removeSql = "DELETE FROM saved_views WHERE workspace = $1 AND id = $2"

/** Makes the store of saved views. */
export const makeSavedViews = (tables: Tables): SavedViews["Service"] => ({
  list: (workspace) =>
    Effect.map(tables.read("read saved views", listSql, workspace), (rows) => rows.map(viewFromRow)),
  add: (view) =>
    tables.write("save a view", view.workspace, (ask) =>
      Effect.gen(function* () {
        const { createdAt, name, page, viewId, workspace, ...rest } = view
        yield* lockWorkspace(ask, workspace)
        if (yield* ask.isDeleted(workspace)) return "missing"
        const [row] = yield* ask.rows(countSql, workspace)
        if (integer(row?.["found"]) >= viewsPerWorkspaceMax) return "full"
        if (yield* isTaken(ask, view)) return "taken"
        const values = [workspace, toStored(viewId), createdAt, page, toStored(name), encodeDoc(rest)]
        yield* ask.run(addSql, ...values)
        return "saved"
      }).pipe(Effect.map((saved): ViewSaved => saved)),
    ),
  update: (view) =>
    tables.write("save a view", view.workspace, (ask) =>
      Effect.gen(function* () {
        const { createdAt: _, name, page, viewId, workspace, ...rest } = view
        yield* lockWorkspace(ask, workspace)
        if (yield* isTaken(ask, view)) return "taken"
        const values = [workspace, toStored(viewId), page, toStored(name), encodeDoc(rest)]
        return (yield* ask.run(updateSql, ...values)) > 0 ? "saved" : "missing"
      }).pipe(Effect.map((saved): ViewSaved => saved)),
    ),
  remove: (workspace, viewId) =>
    tables.write("delete a view", workspace, (ask) =>
      Effect.map(ask.run(removeSql, workspace, toStored(viewId)), (rows) => rows > 0),
    ),
})

const isTaken = <E>(ask: Statements<E>, { name, page, viewId, workspace }: SavedView) =>
  Effect.map(ask.rows(takenSql, workspace, page, toStored(name), toStored(viewId)), (rows) => rows.length > 0)

const viewFromRow = (row: Row): SavedView => ({
  ...decodeDoc(row["doc"]),
  workspace: workspaceId(integer(row["workspace"])),
  viewId: fromStored(text(row["id"])),
  createdAt: integer(row["created"]),
  page: decodePage(row["page"]),
  name: fromStored(text(row["name"])),
})
