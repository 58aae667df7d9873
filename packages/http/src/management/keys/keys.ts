import type { KeyPlace } from "@inlethq/contract/values/Cursor"
import { issuedKey, keyDocument } from "@inlethq/contract/workspaces/Keys"
import { ManagementApi } from "@inlethq/contract/ManagementApi"
import { pageRequest } from "@inlethq/contract/values/Page"
import { Conflict, InvalidRequest, NotFound } from "@inlethq/contract/access/Problem"
import type { ApiKey } from "@inlethq/core/workspace/Credentials"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import { Registry, type TooManyKeys } from "@inlethq/core/ports/Registry"
import { Clock, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Invalidation } from "../node/Invalidation.ts"
import { expiryOf } from "../answers/expiryOf.ts"
import { listPage } from "../answers/listPage.ts"
import { workspaceAt } from "../answers/lookup.ts"
import { note } from "../../audit/note.ts"
import { orUnavailable } from "../../problems/problems.ts"
import { newAppSecret, newPublicId, newSecret, storedSecret } from "../../credentials/Secret.ts"
import { problemTexts } from "../../problems/problemTexts.ts"

export const keyHandlers = HttpApiBuilder.group(
  ManagementApi,
  "keys",
  Effect.fnUntraced(function* (handlers) {
    const registry = yield* Registry
    const invalidation = yield* Invalidation

    return handlers.handleAll({
      list: Effect.fn("management.keys.list")(function* ({ params, query }) {
        const workspace = yield* workspaceAt(registry, params.w)
        const keys = yield* registry.keys(workspace.id)
        const ascending = keys.toSorted((a, b) => (isBefore(a, b) ? -1 : 1))
        const page = listPage(ascending, placeOf, isBefore, pageRequest(query))
        return { items: page.items.map(keyDocument), next: page.next }
      }, orUnavailable),

      create: Effect.fn("management.keys.create")(
        function* ({ params, payload }) {
          const workspace = yield* workspaceAt(registry, params.w)
          if (payload.scope !== undefined && payload.kind !== "app") {
            return yield* new InvalidRequest({ detail: problemTexts.scopeOfKey({ kind: payload.kind }) })
          }
          const { key, secret } = yield* issueKey(
            workspace.id,
            payload,
            yield* expiryOf(payload.expires_at ?? null),
          )
          yield* registry.addKey(key)
          yield* note({ target: { id: key.keyId, name: key.name }, details: { kind: key.kind } })
          yield* invalidation.workspace(workspace.id)
          return issuedKey(key, secret)
        },
        Effect.catchTag("TooManyKeys", conflict),
        Effect.uninterruptible,
        orUnavailable,
      ),

      revoke: Effect.fn("management.keys.revoke")(
        function* ({ params }) {
          const workspace = yield* workspaceAt(registry, params.w)
          const key = (yield* registry.keys(workspace.id)).find(({ keyId }) => keyId === params.key_id)
          if (key !== undefined) {
            yield* note({ target: { id: key.keyId, name: key.name }, details: { kind: key.kind } })
          }
          const revoked = yield* registry.revokeKey(workspace.id, params.key_id)
          if (!revoked) return yield* new NotFound({ detail: problemTexts.notFound({ thing: "key" }) })
          yield* invalidation.workspace(workspace.id)
        },
        Effect.uninterruptible,
        orUnavailable,
      ),
    })
  }),
)

/** Generates a key. Returns the key to store, which contains only a digest of the secret, and the secret itself. */
const issueKey = Effect.fnUntraced(function* (
  workspace: WorkspaceId,
  { kind, name, scope = "read" }: Pick<ApiKey, "kind" | "name" | "scope">,
  expiresAt: EpochMillis | null,
) {
  const secret = yield* kind === "app" ? newAppSecret : newSecret
  const key: ApiKey = {
    keyId: yield* newPublicId,
    workspace,
    kind,
    name,
    siteId: kind === "track" ? yield* newPublicId : null,
    ...storedSecret(secret),
    createdAt: yield* Clock.currentTimeMillis,
    lastUsedAt: null,
    expiresAt,
    ...(kind === "app" && { scope }),
  }
  return { key, secret }
})

const conflict = ({ message }: TooManyKeys) => Effect.fail(new Conflict({ detail: message }))

const placeOf = ({ createdAt, keyId }: ApiKey): KeyPlace => ({ createdAt, keyId })

const isBefore = (a: KeyPlace, b: KeyPlace): boolean =>
  a.createdAt === b.createdAt ? a.keyId < b.keyId : a.createdAt < b.createdAt
