import { ManagementApi } from "@inlet/api/management/ManagementApi"
import {
  foundDocument,
  foundSegment,
  searchLimitDefault,
  type FoundDocument,
  type FoundKind,
} from "@inlet/api/management/Search"
import { defaultBrand, unprefixed } from "@inlet/api/wire/Brand"
import { Catalog } from "@inlet/core/catalog/Catalog"
import { comparedName } from "@inlet/core/state/searchedNames"
import { Registry } from "@inlet/core/ports/Registry"
import { svcObjectIdKey, type SubjectKey, type WorkspaceId } from "@inlet/core/values/Identifier"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { orUnavailable } from "../../problems/problems.ts"
import { operationAt } from "../activity/activity.ts"
import { personKeyOf, workspaceAt } from "../answers/lookup.ts"

/** The largest number of segments whose names a search compares, the newest first. */
const segmentsComparedMax = 2000

/** The number of segments in one read from the store. */
const segmentsPerRead = 500

interface Wanted {
  readonly workspace: WorkspaceId
  readonly text: string
  readonly limit: number
}

export const searchHandlers = HttpApiBuilder.group(
  ManagementApi,
  "search",
  Effect.fnUntraced(function* (handlers) {
    const registry = yield* Registry
    const catalog = yield* Catalog
    return handlers.handleAll({
      find: Effect.fn("management.search.find")(function* ({ params, query }) {
        const workspace = yield* workspaceAt(registry, params.w)
        const { kind, limit = searchLimitDefault } = query
        const wanted = { workspace: workspace.id, text: query.q.trim(), limit }
        const of = (kinds: ReadonlyArray<FoundKind>) => kind === undefined || kinds.includes(kind)
        if (wanted.text === "") return { items: [] }
        const found = [
          ...(of(["operation"]) ? yield* findOperation(catalog, wanted) : []),
          ...(of(["person", "object", "delivery", "form"]) ? yield* findSubjects(catalog, wanted) : []),
          ...(of(["segment"]) ? yield* findSegments(catalog, wanted) : []),
        ].filter((item) => of([item.kind]))
        return { items: [...found.filter(({ exact }) => exact), ...found.filter(({ exact }) => !exact)] }
      }, orUnavailable),
    })
  }),
)

const findSubjects = (catalog: Catalog["Service"], { limit, text, workspace }: Wanted) => {
  const bare = unprefixed(defaultBrand, text) ?? text
  const search = {
    text,
    limit,
    personKey: personKeyOf(workspace, text) ?? null,
    objectKey: svcObjectIdKey(workspace, bare) ?? null,
  }
  return Effect.map(catalog.search(workspace, search), (found) => found.map(foundDocument))
}

const findOperation = (catalog: Catalog["Service"], { text, workspace }: Wanted) =>
  operationAt(catalog, workspace, text).pipe(
    Effect.as<ReadonlyArray<FoundDocument>>([{ kind: "operation", exact: true, operation_id: text }]),
    Effect.catchTag("NotFound", () => Effect.succeed<ReadonlyArray<FoundDocument>>([])),
  )

/** Finds segments by id, by name, and by the beginning of a word of the name. */
const findSegments = Effect.fnUntraced(function* (
  catalog: Catalog["Service"],
  { limit, text, workspace }: Wanted,
) {
  const found: Array<FoundDocument> = []
  const name = comparedName(text)
  let after: SubjectKey | null = null
  for (let compared = 0; compared < segmentsComparedMax; compared += segmentsPerRead) {
    const page: Effect.Success<ReturnType<typeof catalog.segments>> = yield* catalog.segments(workspace, {
      limit: segmentsPerRead,
      after,
      order: "desc",
    })
    for (const { segment } of page.items) {
      const own = comparedName(segment.name)
      const isExact = own === name || String(segment.key) === text
      if (isExact || ` ${own}`.includes(` ${name}`)) found.push(foundSegment(segment, isExact))
    }
    after = page.next
    if (after === null) break
  }
  const begins = found.filter(({ exact }) => !exact).slice(0, limit)
  return [...found.filter(({ exact }) => exact), ...begins]
})
