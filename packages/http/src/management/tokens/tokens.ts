import type { TokenPlace } from "@inlethq/contract/values/Cursor"
import { ManagementApi } from "@inlethq/contract/ManagementApi"
import { pageRequest } from "@inlethq/contract/values/Page"
import { Conflict, NotFound, Unprocessable } from "@inlethq/contract/access/Problem"
import { tokenDocument } from "@inlethq/contract/workspaces/Tokens"
import { ManagementTokens, type TooManyTokens } from "@inlethq/core/ports/ManagementTokens"
import { Registry } from "@inlethq/core/ports/Registry"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import type { NamedToken } from "@inlethq/core/workspace/NamedToken"
import { Clock, Effect, Option } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { newPublicId } from "../../credentials/Secret.ts"
import { problemTexts } from "../../problems/problemTexts.ts"
import { expiryOf } from "../answers/expiryOf.ts"
import { listPage } from "../answers/listPage.ts"
import { installationId, newNamedSecret, Principals } from "../../access/Principals.ts"
import { note, type Noted } from "../../audit/note.ts"
import { orStoreUnavailable } from "../../problems/problems.ts"

export const tokenHandlers = HttpApiBuilder.group(
  ManagementApi,
  "tokens",
  Effect.fnUntraced(function* (handlers) {
    const tokens = yield* ManagementTokens
    const registry = yield* Registry
    const principals = yield* Principals

    return handlers.handleAll({
      list: Effect.fn("management.tokens.list")(function* ({ query }) {
        const ascending = (yield* tokens.all).toSorted((a, b) => (isBefore(a, b) ? -1 : 1))
        const page = listPage(ascending, placeOf, isBefore, pageRequest(query))
        return { items: page.items.map(tokenDocument), next: page.next }
      }, orStoreUnavailable),

      create: Effect.fn("management.tokens.create")(
        function* ({ payload: { expires_at = null, masked = false, name, scope, workspaces: given } }) {
          if (masked && scope === "admin") {
            return yield* new Unprocessable({ detail: problemTexts.maskedAdmin() })
          }
          const workspaces = given === null ? null : [...new Set(given)].toSorted((a, b) => a - b)
          const expiresAt = yield* expiryOf(expires_at)
          yield* expectWorkspaces(registry, workspaces ?? [])
          const { digest, prefix, secret } = yield* newNamedSecret
          const token: NamedToken = {
            tokenId: yield* newPublicId,
            name,
            scope,
            workspaces,
            ...(masked ? { masked } : {}),
            prefix,
            digest,
            createdAt: yield* Clock.currentTimeMillis,
            expiresAt,
            usedAt: null,
          }
          yield* note(noteOf(token))
          yield* tokens.add(token)
          yield* principals.forget
          return { ...tokenDocument(token), token: secret }
        },
        Effect.uninterruptible,
        Effect.catchTag("TooManyTokens", conflict),
        orStoreUnavailable,
      ),

      revoke: Effect.fn("management.tokens.revoke")(
        function* ({ params }) {
          if (params.token_id === installationId) {
            return yield* new Conflict({ detail: problemTexts.installationToken() })
          }
          const revoked = yield* tokens.revoke(params.token_id)
          if (Option.isNone(revoked)) return yield* new NotFound({ detail: problemTexts.noToken() })
          yield* note(noteOf(revoked.value))
          yield* principals.forget
        },
        Effect.uninterruptible,
        orStoreUnavailable,
      ),
    })
  }),
)

const noteOf = ({ masked, name, scope, tokenId, workspaces }: NamedToken): Noted => ({
  target: { id: tokenId, name },
  details: { scope, workspaces, masked },
})

const conflict = ({ message }: TooManyTokens) => Effect.fail(new Conflict({ detail: message }))

const expectWorkspaces = Effect.fnUntraced(function* (
  registry: Registry["Service"],
  wanted: ReadonlyArray<WorkspaceId>,
) {
  if (wanted.length === 0) return
  const known = new Set((yield* registry.workspaces).map(({ id }) => id))
  const unknown = wanted.find((id) => !known.has(id))
  if (unknown === undefined) return
  return yield* new Unprocessable({ detail: problemTexts.noWorkspace({ workspace: unknown }) })
})

const placeOf = ({ createdAt, tokenId }: NamedToken): TokenPlace => ({ createdAt, tokenId })

const isBefore = (a: TokenPlace, b: TokenPlace): boolean =>
  a.createdAt === b.createdAt ? a.tokenId < b.tokenId : a.createdAt < b.createdAt
