import {
  DeliveryDocument,
  deliveryDocument,
  sourcesIn,
  type DeliveryRegistration,
} from "@inlethq/contract/objects/Deliveries"
import { DeliveryCursor } from "@inlethq/contract/values/Cursor"
import { ManagementApi } from "@inlethq/contract/ManagementApi"
import { pageRequest } from "@inlethq/contract/values/Page"
import { InvalidRequest, Unprocessable } from "@inlethq/contract/access/Problem"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import type { Reference, WorkspaceId } from "@inlethq/core/values/Identifier"
import { Ingest } from "@inlethq/engine/commits/Ingest"
import { exceedsBytes } from "@inlethq/core/values/Json"
import { foreignIdBytesMax } from "@inlethq/core/workspace/Limits"
import { Turns } from "@inlethq/engine/reads/ReadTurns"
import { Registry } from "@inlethq/core/ports/Registry"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { foundOr404, personKeyOf, workspaceAt } from "../answers/lookup.ts"
import { pageAnswer } from "../answers/pageAnswer.ts"
import { orUnavailable } from "../../problems/problems.ts"
import { submit } from "../operations/submit.ts"
import { problemTexts } from "../../problems/problemTexts.ts"

const noSuchDelivery = problemTexts.notFound({ thing: "delivery" })

const noSuchPerson = problemTexts.recipientNotFound()

const answerDeliveries = pageAnswer(deliveryDocument, DeliveryDocument, DeliveryCursor)

export const deliveryHandlers = HttpApiBuilder.group(
  ManagementApi,
  "deliveries",
  Effect.fnUntraced(function* (handlers) {
    const registry = yield* Registry
    const catalog = yield* Catalog
    const turns = yield* Turns
    const ingest = yield* Ingest

    return handlers.handleAll({
      list: Effect.fn("management.deliveries.list")(function* ({ params, query }) {
        const workspace = yield* workspaceAt(registry, params.w)
        const page = yield* catalog.deliveries(workspace.id, pageRequest(query))
        return yield* answerDeliveries(turns, page)
      }, orUnavailable),

      get: Effect.fn("management.deliveries.get")(function* ({ params }) {
        const workspace = yield* workspaceAt(registry, params.w)
        return deliveryDocument(yield* deliveryAt(catalog, workspace.id, params.delivery_id))
      }, orUnavailable),

      register: Effect.fn("management.deliveries.register")(function* ({ params, payload }) {
        const workspace = yield* workspaceAt(registry, params.w)
        const deliveryId = params.delivery_id
        if (exceedsBytes(deliveryId, foreignIdBytesMax)) {
          const detail = problemTexts.longDeliveryId({ bytes: foreignIdBytesMax })
          return yield* new InvalidRequest({ detail })
        }
        yield* submit(
          ingest,
          workspace,
          payload,
          new Unprocessable({ detail: noSuchPerson }),
          (envelope) => ({
            ...envelope,
            _tag: "RegisterDelivery",
            deliveryId,
            channel: payload.channel,
            person: addresseeIn(workspace.id, payload),
            recipient: payload.recipient ?? null,
            subject: payload.subject ?? null,
            sources: sourcesIn(payload),
          }),
        )
        return deliveryDocument(yield* deliveryAt(catalog, workspace.id, deliveryId))
      }, orUnavailable),
    })
  }),
)

const deliveryAt = Effect.fnUntraced(function* (
  catalog: Catalog["Service"],
  workspace: WorkspaceId,
  deliveryId: string,
) {
  return yield* foundOr404(yield* catalog.delivery(workspace, deliveryId), noSuchDelivery)
})

/**
 * Returns a reference to the recipient of a delivery, or null if the registration names no recipient. The schema
 * accepts at most one of `svc_id`, `id` and `email`.
 */
const addresseeIn = (workspace: WorkspaceId, { person = {} }: DeliveryRegistration): Reference | null => {
  const { email, id, svc_id } = person
  if (svc_id !== undefined) return { _tag: "BySvcId", key: personKeyOf(workspace, svc_id) ?? null }
  if (id !== undefined) return { _tag: "ByIdentifier", kind: "id", value: id }
  return email === undefined ? null : { _tag: "ByIdentifier", kind: "email", value: email }
}
