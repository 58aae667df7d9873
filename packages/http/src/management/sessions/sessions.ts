import { NotFound } from "@inlethq/contract/access/Problem"
import { ManagementApi } from "@inlethq/contract/ManagementApi"
import { pageRequest } from "@inlethq/contract/values/Page"
import { openSessionDocument } from "@inlethq/contract/workspaces/Sessions"
import { Effect, Option } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Sessions } from "../../access/Sessions.ts"
import { LinkMaker } from "../../access/SignInLinks.ts"
import { note } from "../../audit/note.ts"
import { orStoreUnavailable } from "../../problems/problems.ts"
import { problemTexts } from "../../problems/problemTexts.ts"

export const openSessionHandlers = HttpApiBuilder.group(
  ManagementApi,
  "sessions",
  Effect.fnUntraced(function* (handlers) {
    const sessions = yield* Sessions

    return handlers.handleAll({
      list: Effect.fn("management.sessions.list")(function* ({ query }) {
        const { session } = yield* LinkMaker
        const { items, next } = yield* sessions.list(pageRequest(query))
        return {
          items: items.map((item) => openSessionDocument(item, session?.sessionId ?? null)),
          next,
        }
      }, orStoreUnavailable),

      revoke: Effect.fn("management.sessions.revoke")(
        function* ({ params }) {
          const ended = yield* sessions.end(params.session_id)
          if (Option.isNone(ended)) return yield* new NotFound({ detail: problemTexts.noSession() })
          const { kind, name, principalId, sessionId } = ended.value
          yield* note({ target: { id: sessionId, name }, details: { kind, principal: principalId } })
        },
        Effect.uninterruptible,
        orStoreUnavailable,
      ),
    })
  }),
)
