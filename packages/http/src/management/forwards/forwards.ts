import { Conflict } from "@inlethq/contract/access/Problem"
import { ManagementApi } from "@inlethq/contract/ManagementApi"
import type { NewForward } from "@inlethq/contract/webhooks/Forwards"
import type { Forward } from "@inlethq/core/forward/Forward"
import { ForwardStore } from "@inlethq/core/ports/ForwardStore"
import { Registry } from "@inlethq/core/ports/Registry"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import { endOfEntry } from "@inlethq/core/webhook/EventPosition"
import { Forwards } from "@inlethq/outbound/forwards/Forwards"
import { keyOwner } from "@inlethq/outbound/forwards/targetOf"
import { SecretBox } from "@inlethq/outbound/SecretBox"
import { Clock, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { auditChanges } from "../../audit/auditChanges.ts"
import { note } from "../../audit/note.ts"
import { newPublicId } from "../../credentials/Secret.ts"
import { orUnavailable } from "../../problems/problems.ts"
import { pageRequest } from "@inlethq/contract/values/Page"
import { listPage } from "../answers/listPage.ts"
import { workspaceAt } from "../answers/lookup.ts"
import { retryIfChanged } from "../answers/retryIfChanged.ts"
import { isBefore, placeOf } from "../webhooks/webhooks.ts"
import { expectReachable } from "../webhooks/webhookSettings.ts"
import { makeForwardLookup, noForward } from "./forwardLookup.ts"
import { checkedForward } from "./forwardSettings.ts"

export const forwardHandlers = HttpApiBuilder.group(
  ManagementApi,
  "forwards",
  Effect.fnUntraced(function* (handlers) {
    const store = yield* ForwardStore
    const registry = yield* Registry
    const forwards = yield* Forwards
    const lookup = yield* makeForwardLookup

    return handlers.handleAll({
      list: Effect.fn("management.forwards.list")(function* ({ params, query }) {
        const workspace = yield* workspaceAt(registry, params.w)
        const all = (yield* store.forwards(workspace.id)).toSorted(byCreation)
        const { items, next } = listPage(all, placeOfForward, isBefore, pageRequest(query))
        return { items: yield* lookup.documents(workspace.id, items), next }
      }, orUnavailable),

      create: Effect.fn("management.forwards.create")(
        function* ({ params, payload }) {
          const workspace = yield* workspaceAt(registry, params.w)
          const forward = yield* newForward(workspace.id, payload)
          yield* store.create(forward, endOfEntry(yield* lookup.newest(workspace.id)))
          yield* note({ target: { id: forward.forwardId, name: forward.name } })
          yield* forwards.changed(forward)
          return lookup.newDocument(forward)
        },
        Effect.catchTags({ TooManyForwards: asConflict, ForwardNameTaken: asConflict }),
        Effect.uninterruptible,
        orUnavailable,
      ),

      get: Effect.fn("management.forwards.get")(function* ({ params }) {
        return yield* lookup.document(yield* lookup.forward(params))
      }, orUnavailable),

      update: Effect.fn("management.forwards.update")(
        function* ({ params, payload }) {
          const forward = yield* lookup.forward(params)
          const settings = yield* checkedForward(payload, forward)
          if (settings.url !== forward.url) yield* expectReachable(settings.url)
          const updatedAt = Math.max(forward.updatedAt + 1, yield* Clock.currentTimeMillis)
          const sealedKey =
            payload.key === undefined ? forward.sealedKey : yield* sealed(forward, payload.key)
          const changed: Forward = { ...forward, ...settings, sealedKey, updatedAt }
          yield* note({ changes: auditChanges(audited(forward), audited(changed), unshown) })
          yield* store.update(forward, changed)
          yield* forwards.changed(forward)
          return yield* lookup.document(changed)
        },
        Effect.catchTag("ForwardNameTaken", asConflict),
        retryIfChanged,
        Effect.uninterruptible,
        orUnavailable,
      ),

      delete: Effect.fn("management.forwards.delete")(
        function* ({ params }) {
          const forward = yield* lookup.forward(params)
          if (!(yield* store.remove(forward))) return yield* noForward
          yield* forwards.changed(forward)
        },
        Effect.uninterruptible,
        orUnavailable,
      ),
    })
  }),
)

const placeOfForward = ({ createdAt, forwardId }: Forward) => placeOf({ createdAt, webhookId: forwardId })

const byCreation = (a: Forward, b: Forward): number =>
  isBefore(placeOfForward(a), placeOfForward(b)) ? -1 : 1

const asConflict = ({ message }: { readonly message: string }) =>
  Effect.fail(new Conflict({ detail: message }))

const sealed = (forward: Pick<Forward, "forwardId" | "workspace">, key: string) =>
  SecretBox.use((box) => box.seal(key, keyOwner(forward)))

const newForward = Effect.fnUntraced(function* (workspace: WorkspaceId, given: NewForward) {
  const settings = yield* checkedForward(given, null)
  yield* expectReachable(settings.url)
  const now = yield* Clock.currentTimeMillis
  const id = { workspace, forwardId: yield* newPublicId }
  const forward: Forward = {
    ...settings,
    ...id,
    sealedKey: yield* sealed(id, given.key),
    createdAt: now,
    updatedAt: now,
  }
  return forward
})

/** A URL may contain a token of its receiver, and a filter the identifiers of people. The key shows that it changed. */
const unshown = new Set(["url", "filter", "key"])

const audited = ({ as, enabled, filter, name, retry, sealedKey, to, url }: Forward) => ({
  as,
  enabled,
  filter,
  key: sealedKey,
  name,
  retry,
  to,
  url,
})
