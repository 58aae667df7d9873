import { DuplicateCursor, PairCursor } from "@inlethq/contract/values/Cursor"
import { dismissalDocument, DismissalDocument, DuplicateDocument } from "@inlethq/contract/people/Duplicates"
import { duplicateDocument } from "@inlethq/log/documents/duplicateDocument"
import { placeOf } from "@inlethq/log/reading/filteredActivity"
import { ManagementApi } from "@inlethq/contract/ManagementApi"
import { managementPath } from "@inlethq/contract/values/managementPath"
import { pageRequest } from "@inlethq/contract/values/Page"
import { Conflict, InvalidRequest, NotFound } from "@inlethq/contract/access/Problem"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import { duplicatePairs } from "@inlethq/log/history/duplicates"
import { Dismissals, dismissalsMax, pairOf } from "@inlethq/core/ports/Dismissals"
import { Registry } from "@inlethq/core/ports/Registry"
import { Turns } from "@inlethq/engine/reads/ReadTurns"
import { Clock, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { orUnavailable } from "../../problems/problems.ts"
import { problemTexts } from "../../problems/problemTexts.ts"
import { personAt, personKeyOf, workspaceAt } from "../answers/lookup.ts"
import { pageAnswer } from "../answers/pageAnswer.ts"

const answerPairs = pageAnswer(duplicateDocument(managementPath), DuplicateDocument, DuplicateCursor)

const answerDismissed = pageAnswer((one: DismissalDocument) => one, DismissalDocument, PairCursor)

export const duplicateHandlers = HttpApiBuilder.group(
  ManagementApi,
  "duplicates",
  Effect.fnUntraced(function* (handlers) {
    const registry = yield* Registry
    const catalog = yield* Catalog
    const dismissals = yield* Dismissals
    const turns = yield* Turns

    return handlers.handleAll({
      list: Effect.fn("management.duplicates.list")(function* ({ params, query }) {
        const { id } = yield* workspaceAt(registry, params.w)
        const { after, limit } = pageRequest(query)
        const request = { reason: query.reason ?? null, after, limit }
        const sources = { catalog, dismissals, workspace: id }
        const { items, next } = yield* duplicatePairs(sources, request)
        const searchedTo = next === null ? null : yield* placeOf({ catalog }, id, next, "desc")
        return yield* answerPairs(turns, { items, next }, { searched_to: searchedTo })
      }, orUnavailable),

      dismissed: Effect.fn("management.duplicates.dismissed")(function* ({ params, query }) {
        const { id } = yield* workspaceAt(registry, params.w)
        const { items, next } = yield* dismissals.list(id, pageRequest(query))
        return yield* answerDismissed(turns, { items: items.map(dismissalDocument(id)), next })
      }, orUnavailable),

      dismiss: Effect.fn("management.duplicates.dismiss")(function* ({ params, payload }) {
        const { id } = yield* workspaceAt(registry, params.w)
        const [one, other] = payload.svc_ids
        const { person: first } = yield* personAt(catalog, id, one)
        const { person: second } = yield* personAt(catalog, id, other)
        if (first.key === second.key) return yield* new InvalidRequest({ detail: problemTexts.samePair() })
        const dismissal = { ...pairOf(first.key, second.key), at: yield* Clock.currentTimeMillis }
        if (!(yield* dismissals.save(id, dismissal))) {
          return yield* new Conflict({ detail: problemTexts.tooManyDismissals({ max: dismissalsMax }) })
        }
        return dismissalDocument(id)(dismissal)
      }, orUnavailable),

      restore: Effect.fn("management.duplicates.restore")(function* ({ params }) {
        const { id } = yield* workspaceAt(registry, params.w)
        const one = personKeyOf(id, params.one)
        const other = personKeyOf(id, params.other)
        const isKnown =
          one !== undefined && other !== undefined && (yield* dismissals.remove(id, pairOf(one, other)))
        if (!isKnown)
          return yield* new NotFound({ detail: problemTexts.notFound({ thing: "dismissed pair" }) })
      }, orUnavailable),
    })
  }),
)
