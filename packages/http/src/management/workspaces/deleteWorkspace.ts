import { Conflict, NotFound } from "@inlethq/contract/access/Problem"
import { Registry } from "@inlethq/core/ports/Registry"
import { ForwardStore } from "@inlethq/core/ports/ForwardStore"
import { WebhookStore } from "@inlethq/core/ports/WebhookStore"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import { Clock, Effect } from "effect"
import { Forwards } from "@inlethq/outbound/forwards/Forwards"
import { Webhooks } from "@inlethq/outbound/webhooks/Webhooks"
import { note } from "../../audit/note.ts"
import { problemTexts } from "../../problems/problemTexts.ts"
import { Invalidation } from "../node/Invalidation.ts"
import { workspaceAt } from "../answers/lookup.ts"

/**
 * Makes the function that deletes a workspace if its name is given, and stops its webhooks and forwards on this node. Other nodes find
 * out when they next read the list of webhooks.
 */
export const makeDeleteWorkspace = Effect.gen(function* () {
  const registry = yield* Registry
  const invalidation = yield* Invalidation
  const webhookStore = yield* WebhookStore
  const webhooks = yield* Webhooks
  const forwardStore = yield* ForwardStore
  const forwards = yield* Forwards
  return Effect.fnUntraced(function* (w: WorkspaceId, given: string) {
    const { id, name } = yield* workspaceAt(registry, w)
    yield* note({ target: { id: String(id), name } })
    if (given !== name) {
      return yield* new Conflict({ detail: problemTexts.otherName({ workspace: id, name }) })
    }
    const owned = yield* webhookStore.webhooks(id)
    const ownedForwards = yield* forwardStore.forwards(id)
    const isDeleted = yield* registry.deleteWorkspace(id, yield* Clock.currentTimeMillis)
    if (!isDeleted) return yield* new NotFound({ detail: problemTexts.noWorkspace({ workspace: id }) })
    yield* invalidation.workspace(id)
    yield* Effect.forEach(owned, webhooks.changed, { discard: true })
    yield* Effect.forEach(ownedForwards, forwards.changed, { discard: true })
  })
})
