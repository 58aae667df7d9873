import { ManagementApi } from "@inlethq/contract/ManagementApi"
import {
  foundDocument,
  foundSegment,
  searchLimitDefault,
  workspacesSearchedMax,
  type FoundDocument,
  type FoundKind,
} from "@inlethq/contract/server/Search"
import { defaultBrand, unprefixed } from "@inlethq/wire/decoding/Brand"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import { comparedName } from "@inlethq/core/state/searchedNames"
import { Registry } from "@inlethq/core/ports/Registry"
import { SubjectKey, svcObjectIdKey, type WorkspaceId } from "@inlethq/core/values/Identifier"
import { Effect, Option } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { orUnavailable } from "../../problems/problems.ts"
import { operationAt } from "../activity/activity.ts"
import { personKeyOf, workspaceAt } from "../answers/lookup.ts"
import { ownWorkspaces } from "../answers/ownWorkspaces.ts"

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
        if (wanted.text === "") return { items: [], partly_searched: [] }
        const searched = [
          of(["operation"]) ? yield* findOperation(catalog, wanted) : nothing,
          of(["person", "object", "delivery", "form"]) ? yield* findSubjects(catalog, wanted) : nothing,
          of(["segment"]) ? yield* findSegments(catalog, wanted) : nothing,
        ]
        const found = searched.flatMap(({ items }) => items).filter((item) => of([item.kind]))
        return {
          items: [...found.filter(({ exact }) => exact), ...found.filter(({ exact }) => !exact)],
          partly_searched: searched.flatMap(({ partly }) => partly).filter((one) => of([one])),
        }
      }, orUnavailable),

      everywhere: Effect.fn("management.search.everywhere")(function* ({ query }) {
        const text = query.q.trim()
        const own = yield* ownWorkspaces(registry)
        const searched = text === "" ? [] : own.slice(0, workspacesSearchedMax)
        const found = yield* Effect.forEach(searched, ({ id, name }) =>
          Effect.map(findExact(catalog, { workspace: id, text, limit: 1 }), (items) =>
            items.map((one) => ({ environment_id: id, name, found: one })),
          ),
        )
        return { items: found.flat(), not_searched: own.length - searched.length }
      }, orUnavailable),
    })
  }),
)

/** What a search found of some kinds, and those of which it looked only at a part. */
interface Searched {
  readonly items: ReadonlyArray<FoundDocument>
  readonly partly: ReadonlyArray<FoundKind>
}

const nothing: Searched = { items: [], partly: [] }

/** Finds what the text names in full. A segment has no identifier that somebody would look for in another workspace. */
const findExact = Effect.fnUntraced(function* (catalog: Catalog["Service"], wanted: Wanted) {
  const operation = yield* findOperation(catalog, wanted)
  const subjects = yield* findSubjects(catalog, wanted)
  return [...operation.items, ...subjects.items].filter(({ exact }) => exact)
})

const findSubjects = (catalog: Catalog["Service"], { limit, text, workspace }: Wanted) => {
  const bare = unprefixed(defaultBrand, text) ?? text
  const search = {
    text,
    limit,
    personKey: personKeyOf(workspace, text) ?? null,
    objectKey: svcObjectIdKey(workspace, bare) ?? null,
  }
  return Effect.map(catalog.search(workspace, search), ({ found, hasAllTypes }): Searched => ({
    items: found.map(foundDocument),
    partly: hasAllTypes ? [] : ["object"],
  }))
}

const findOperation = (catalog: Catalog["Service"], { text, workspace }: Wanted) =>
  operationAt(catalog, workspace, text).pipe(
    Effect.as<Searched>({ items: [{ kind: "operation", exact: true, operation_id: text }], partly: [] }),
    Effect.catchTag("NotFound", () => Effect.succeed(nothing)),
  )

/** Finds segments by id, and the newest ones by name and by the beginning of a word of the name. */
const findSegments = Effect.fnUntraced(function* (
  catalog: Catalog["Service"],
  { limit, text, workspace }: Wanted,
) {
  const name = comparedName(text)
  const byId = segmentIdOf(text)
  const own = byId === undefined ? Option.none() : yield* catalog.segment(workspace, byId)
  const found = Option.toArray(own).map(({ segment }) => foundSegment(segment, true))
  let after: SubjectKey | null = null
  for (let read = 0; read < segmentsComparedMax; read += segmentsPerRead) {
    const page: Effect.Success<ReturnType<typeof catalog.segments>> = yield* catalog.segments(workspace, {
      limit: segmentsPerRead,
      after,
      order: "desc",
    })
    for (const { segment } of page.items) {
      if (segment.key === byId) continue
      const compared = comparedName(segment.name)
      const isExact = compared === name
      if (isExact || ` ${compared}`.includes(` ${name}`)) found.push(foundSegment(segment, isExact))
    }
    after = page.next
    if (after === null) break
  }
  const begins = found.filter(({ exact }) => !exact).slice(0, limit)
  return {
    items: [...found.filter(({ exact }) => exact), ...begins],
    partly: after === null ? [] : ["segment"],
  } satisfies Searched
})

const segmentIdOf = (text: string): SubjectKey | undefined =>
  /^[1-9][0-9]*$/.test(text) && Number.isSafeInteger(Number(text)) ? SubjectKey.make(Number(text)) : undefined
