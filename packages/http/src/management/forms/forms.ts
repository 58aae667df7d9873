import { formDocument } from "@inlethq/contract/objects/Forms"
import { ManagementApi } from "@inlethq/contract/ManagementApi"
import { pageRequest } from "@inlethq/contract/values/Page"
import { InvalidRequest, NotFound } from "@inlethq/contract/access/Problem"
import { canonicalName, defaultBrand } from "@inlethq/wire/decoding/Brand"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import type { FieldMapping } from "@inlethq/core/state/Form"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import { Ingest } from "@inlethq/engine/commits/Ingest"
import { exceedsBytes } from "@inlethq/core/values/Json"
import { Registry } from "@inlethq/core/ports/Registry"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { foundOr404, workspaceAt } from "../answers/lookup.ts"
import { orUnavailable } from "../../problems/problems.ts"
import { submit } from "../operations/submit.ts"
import { problemTexts } from "../../problems/problemTexts.ts"

const noSuchForm = problemTexts.notFound({ thing: "form" })

export const formHandlers = HttpApiBuilder.group(
  ManagementApi,
  "forms",
  Effect.fnUntraced(function* (handlers) {
    const registry = yield* Registry
    const catalog = yield* Catalog
    const ingest = yield* Ingest

    return handlers.handleAll({
      list: Effect.fn("management.forms.list")(function* ({ params, query }) {
        const workspace = yield* workspaceAt(registry, params.w)
        const page = yield* catalog.forms(workspace.id, pageRequest(query))
        return { items: page.items.map(formDocument), next: page.next }
      }, orUnavailable),

      get: Effect.fn("management.forms.get")(function* ({ params }) {
        const workspace = yield* workspaceAt(registry, params.w)
        return formDocument(yield* formAt(catalog, workspace.id, params.form_id))
      }, orUnavailable),

      update: Effect.fn("management.forms.update")(function* ({ params, payload }) {
        const workspace = yield* workspaceAt(registry, params.w)
        const mapping = yield* mappingIn(workspace, payload.mapping)
        yield* submit(ingest, workspace, payload, new NotFound({ detail: noSuchForm }), (envelope) => ({
          ...envelope,
          _tag: "MapForm",
          formId: params.form_id,
          mapping,
        }))
        return formDocument(yield* formAt(catalog, workspace.id, params.form_id))
      }, orUnavailable),
    })
  }),
)

const formAt = Effect.fnUntraced(function* (
  catalog: Catalog["Service"],
  workspace: WorkspaceId,
  formId: string,
) {
  return yield* foundOr404(yield* catalog.form(workspace, formId), noSuchForm)
})

/**
 * Checks a mapping from field names to attribute names. Field names and attribute names have the same size limit
 * (track-api §8).
 */
const mappingIn = Effect.fnUntraced(function* (
  { limits: { attributeNameBytesMax } }: Workspace,
  mapping: { readonly [field: string]: string },
): Effect.fn.Return<FieldMapping, InvalidRequest> {
  const fields = Object.entries(mapping)
  const tooLong = fields.flat().some((name) => exceedsBytes(name, attributeNameBytesMax))
  if (tooLong) {
    return yield* new InvalidRequest({
      detail: problemTexts.longMapping({ bytes: attributeNameBytesMax }),
    })
  }
  return new Map(fields.map(([field, name]) => [field, canonicalName(defaultBrand, name)]))
})
