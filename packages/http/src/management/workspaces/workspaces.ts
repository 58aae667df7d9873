import { Principal } from "@inlethq/contract/access/Access"
import { ManagementApi } from "@inlethq/contract/ManagementApi"
import { pageRequest } from "@inlethq/contract/values/Page"
import { Conflict, Forbidden, Unprocessable } from "@inlethq/contract/access/Problem"
import { patched, workspaceDocument, type WorkspacePatch } from "@inlethq/contract/workspaces/Workspaces"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import { lakeSettingsOf } from "@inlethq/contract/transfer/LakeSettingsDocument"
import { Registry, type LastWorkspace, type TooManyWorkspaces } from "@inlethq/core/ports/Registry"
import { Store } from "@inlethq/core/ports/Store"
import { defaultSettings, type Workspace } from "@inlethq/core/workspace/Workspace"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { LakeFeeds } from "@inlethq/outbound/lake/LakeFeeds"
import { lakeSecretOwner } from "@inlethq/outbound/lake/openTarget"
import { SecretBox } from "@inlethq/outbound/SecretBox"
import { BrandInUse } from "../../BrandInUse.ts"
import { makeDeleteWorkspace } from "./deleteWorkspace.ts"
import { DataFolder } from "../node/DataFolder.ts"
import { HomeRegion } from "../node/HomeRegion.ts"
import { Invalidation } from "../node/Invalidation.ts"
import { listPage } from "../answers/listPage.ts"
import { ownWorkspaces } from "../answers/ownWorkspaces.ts"
import { workspaceAt } from "../answers/lookup.ts"
import { retryIfChanged } from "../answers/retryIfChanged.ts"
import { auditChanges } from "../../audit/auditChanges.ts"
import { note } from "../../audit/note.ts"
import { orUnavailable } from "../../problems/problems.ts"
import { problemTexts } from "../../problems/problemTexts.ts"
import { sharesFolder } from "./sharesFolder.ts"
import { usageOf } from "./usageOf.ts"

export const workspaceHandlers = HttpApiBuilder.group(
  ManagementApi,
  "workspaces",
  Effect.fnUntraced(function* (handlers) {
    const registry = yield* Registry
    const catalog = yield* Catalog
    const store = yield* Store
    const invalidation = yield* Invalidation
    const deleteWorkspace = yield* makeDeleteWorkspace
    const brand = yield* BrandInUse
    const region = yield* HomeRegion
    const lakes = yield* LakeFeeds
    return handlers.handleAll({
      list: Effect.fn("management.workspaces.list")(function* ({ query }) {
        const page = listPage(
          yield* ownWorkspaces(registry),
          ({ id }) => id,
          (a, b) => a < b,
          pageRequest(query),
        )
        return { items: page.items.map(workspaceDocument), next: page.next }
      }, orUnavailable),

      create: Effect.fn("management.workspaces.create")(
        function* ({ payload }) {
          const defaults = defaultSettings(payload.name, region)
          const created = yield* registry.createWorkspace(patched(defaults, payload))
          yield* noteChange({ ...defaults, id: created.id }, created)
          return workspaceDocument(created)
        },
        Effect.catchTag("TooManyWorkspaces", conflict),
        orUnavailable,
      ),

      get: Effect.fn("management.workspaces.get")(function* ({ params }) {
        return workspaceDocument(yield* workspaceAt(registry, params.w))
      }, orUnavailable),

      usage: Effect.fn("management.workspaces.usage")(function* ({ params }) {
        const { id } = yield* workspaceAt(registry, params.w)
        return yield* usageOf(catalog, store, id, brand)
      }, orUnavailable),

      update: Effect.fn("management.workspaces.update")(
        function* ({ params, payload }) {
          const current = yield* workspaceAt(registry, params.w)
          yield* expectAuditDays(current, payload)
          const lake = yield* lakeAfter(current, payload)
          const workspace = { ...patched(current, payload), lake, id: current.id }
          if (!sameIdentifiers(current, workspace) && (yield* holdsPeople(catalog, current))) {
            return yield* new Conflict({ detail: identifiersInUse })
          }
          yield* noteChange(current, workspace)
          yield* registry.updateWorkspace(current, workspace)
          if (current.lake !== workspace.lake) yield* lakes.changed(workspace.id)
          yield* invalidation.workspace(workspace.id)
          return workspaceDocument(workspace)
        },
        retryIfChanged,
        Effect.uninterruptible,
        orUnavailable,
      ),

      delete: Effect.fn("management.workspaces.delete")(
        ({ params, query }) => deleteWorkspace(params.w, query.name),
        Effect.catchTag("LastWorkspace", conflict),
        Effect.uninterruptible,
        orUnavailable,
      ),
    })
  }),
)

const noteChange = (before: Workspace, after: Workspace) =>
  note({
    target: { id: String(before.id), name: before.name },
    changes: auditChanges(workspaceDocument(before), workspaceDocument(after)),
  })

const conflict = ({ message }: TooManyWorkspaces | LastWorkspace) =>
  Effect.fail(new Conflict({ detail: message }))

const identifiersInUse = problemTexts.identifiersInUse()

/** Whoever the audit log is about must not be able to shorten it. */
const expectAuditDays = Effect.fnUntraced(function* (
  { auditDays }: Workspace,
  { audit_days }: WorkspacePatch,
) {
  const { name, workspaces } = yield* Principal
  if (workspaces === null || audit_days === undefined || audit_days === auditDays) return
  return yield* new Forbidden({ detail: problemTexts.auditDaysOfAll({ token: name }) })
})

/** Returns the settings of the lake after a patch. A lake writes outside of its workspace, so not every admin may set it. */
const lakeAfter = Effect.fnUntraced(function* ({ id, lake: current }: Workspace, { lake }: WorkspacePatch) {
  if (lake === undefined) return current
  const { name, workspaces } = yield* Principal
  if (workspaces !== null) return yield* new Forbidden({ detail: problemTexts.lakeOfAll({ token: name }) })
  if (lake === null) return null
  const secret = lake.target === "s3" ? lake.secret_access_key : ""
  const sealed = yield* SecretBox.use((box) => box.seal(secret, lakeSecretOwner(id)))
  const settings = lakeSettingsOf(lake, current, sealed)
  if (settings?.target === "folder" && sharesFolder(settings.url, yield* DataFolder))
    return yield* new Unprocessable({ detail: problemTexts.lakeInData({ url: settings.url }) })
  return settings ?? (yield* new Unprocessable({ detail: problemTexts.lakeWithoutFolder() }))
})

const sameIdentifiers = (a: Workspace, b: Workspace): boolean =>
  a.identifiers.id === b.identifiers.id && a.identifiers.email === b.identifiers.email

const holdsPeople = (catalog: Catalog["Service"], { id }: Workspace) =>
  Effect.map(
    catalog.people(id, null, { limit: 1, after: null, order: "asc" }),
    ({ items, next }) => items.length > 0 || next !== null,
  )
