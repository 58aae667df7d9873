import { ActivityDocument } from "@inlethq/contract/activity/ActivityLog"
import { activityDocument } from "@inlethq/log/documents/activityDocument"
import { ActivityCursor } from "@inlethq/contract/values/Cursor"
import { ManagementApi } from "@inlethq/contract/ManagementApi"
import { fromTheBeginning } from "@inlethq/contract/values/StreamPart"
import { pageRequest } from "@inlethq/contract/values/Page"
import type { WrittenBrand } from "@inlethq/wire/texts/WrittenBrand"
import type { ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import { operationIdText, operationSequence, type WorkspaceId } from "@inlethq/core/values/Identifier"
import { Ingest } from "@inlethq/engine/commits/Ingest"
import { Turns } from "@inlethq/engine/reads/ReadTurns"
import { Registry } from "@inlethq/core/ports/Registry"
import { Effect, Option } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { BrandInUse } from "../../BrandInUse.ts"
import { newestSequence } from "@inlethq/log/reading/newestSequence"
import { activityStream } from "./activityStream.ts"
import { Draining } from "../node/Draining.ts"
import { requestedUnmerge } from "../operations/unmerge.ts"
import { applyRequested } from "../operations/applyRequested.ts"
import { requestedOperation } from "../operations/requestedOperation.ts"
import { readActivity } from "@inlethq/log/reading/filteredActivity"
import { validActivityRequest } from "./validActivityRequest.ts"
import { foundOr404, workspaceAt } from "../answers/lookup.ts"
import { pageAnswer } from "../answers/pageAnswer.ts"
import { Store } from "@inlethq/core/ports/Store"
import { orUnavailable } from "../../problems/problems.ts"
import { sameRequest } from "../operations/sameRequest.ts"
import { AccessEnds } from "../../access/AccessEnds.ts"
import { eventStreamResponse } from "./eventStream.ts"
import { periodOf } from "@inlethq/log/reading/receiptPeriod"
import { problemTexts } from "../../problems/problemTexts.ts"
import { explanationOf } from "./explanation.ts"
import { capsuleDocument } from "./capsuleDocument.ts"
import { makeForwardedTo } from "./forwardedTo.ts"
import { operationDocument } from "./operationDocument.ts"

/** The time for which an activity stream does not look again whether its workspace was deleted. */
const existsFor = "1 second"

export const activityHandlers = HttpApiBuilder.group(
  ManagementApi,
  "activity",
  Effect.fnUntraced(function* (handlers) {
    const registry = yield* Registry
    const catalog = yield* Catalog
    const store = yield* Store
    const ingest = yield* Ingest
    const draining = yield* Draining
    const turns = yield* Turns
    const brand = yield* BrandInUse
    const answerActivity = activityAnswer(brand)
    const reader = { catalog, turns, brand }

    const forwardedTo = yield* makeForwardedTo

    return handlers.handleAll({
      list: Effect.fn("management.activity.list")(function* ({ params, query }) {
        const workspace = yield* workspaceAt(registry, params.w)
        const requested = yield* validActivityRequest(query, null)
        const page = yield* readActivity(reader, workspace.id, requested, periodOf(query), pageRequest(query))
        return yield* answerActivity(turns, page, { searched_to: page.searchedTo })
      }, orUnavailable),

      stream: Effect.fn("management.activity.stream")(function* ({ headers, params, query }) {
        const workspace = yield* workspaceAt(registry, params.w)
        const requested = yield* validActivityRequest(query, null)
        const last = headers["last-event-id"] ?? (yield* newestSequence(catalog, workspace.id))
        return eventStreamResponse(
          activityStream({
            ...reader,
            ...requested,
            commits: ingest.commits(workspace.id),
            workspace: workspace.id,
            exists: yield* Effect.cachedWithTTL(
              Effect.map(registry.workspace(workspace.id), Option.isSome),
              existsFor,
            ),
            after: last === fromTheBeginning ? null : last,
          }),
          Effect.raceFirst(draining, yield* AccessEnds),
        )
      }, orUnavailable),

      operation: Effect.fn("management.activity.operation")(function* ({ params }) {
        const workspace = yield* workspaceAt(registry, params.w)
        const record = yield* operationAt(catalog, workspace.id, params.operation_id)
        return yield* operationDocument(reader, workspace, record, forwardedTo)
      }, orUnavailable),

      apply: Effect.fn("management.activity.apply")(function* ({ params, payload }) {
        const workspace = yield* workspaceAt(registry, params.w)
        const requested = yield* requestedOperation(workspace, payload)
        const unmerge =
          "type" in requested ? yield* requestedUnmerge({ catalog, store }, workspace, requested) : null
        const entry = yield* applyRequested(ingest, workspace, requested, unmerge)
        const found = yield* catalog.operation(workspace.id, entry.sequence)
        const record = yield* foundOr404(found, problemTexts.notFound({ thing: "operation" }))
        return activityDocument(record, brand)
      }, orUnavailable),

      request: Effect.fn("management.activity.request")(function* ({ params, query }) {
        const workspace = yield* workspaceAt(registry, params.w)
        const record = yield* operationAt(catalog, workspace.id, params.operation_id)
        return yield* answerActivity(turns, yield* sameRequest(catalog, record, pageRequest(query)))
      }, orUnavailable),

      capsule: Effect.fn("management.activity.capsule")(function* ({ params }) {
        const workspace = yield* workspaceAt(registry, params.w)
        const record = yield* operationAt(catalog, workspace.id, params.operation_id)
        return yield* capsuleDocument({ catalog, store }, workspace, record)
      }, orUnavailable),

      explanation: Effect.fn("management.activity.explanation")(function* ({ params }) {
        const workspace = yield* workspaceAt(registry, params.w)
        return yield* explanationOf(reader, yield* operationAt(catalog, workspace.id, params.operation_id))
      }, orUnavailable),
    })
  }),
)

export const activityAnswer = (brand: WrittenBrand) =>
  pageAnswer((record: ActivityRecord) => activityDocument(record, brand), ActivityDocument, ActivityCursor)

/**
 * Returns the operation with an id, or fails with a 404. If the id names a whole batch, returns the first operation of
 * the batch.
 */
export const operationAt = Effect.fnUntraced(function* (
  catalog: Catalog["Service"],
  workspace: WorkspaceId,
  operationId: string,
) {
  const sequence = operationSequence(workspace, operationId)
  const found = sequence === undefined ? Option.none() : yield* catalog.operation(workspace, sequence)
  const hasId = ({ entry: { batchIndex, sequence } }: ActivityRecord) =>
    operationIdText(workspace, sequence, batchIndex) === operationId ||
    (batchIndex === 0 && operationIdText(workspace, sequence, null) === operationId)
  return yield* foundOr404(Option.filter(found, hasId), problemTexts.notFound({ thing: "operation" }))
})
