import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { TooManyRequests } from "@inlethq/contract/access/Problem"
import { Context, Duration, Effect, Layer, Metric, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import { answerHeader } from "../answerHeader.ts"
import { AuditTrail, unknownActor } from "../audit/AuditTrail.ts"
import { addressCounters, makeAddressMeter } from "../listener/AddressMeter.ts"
import { HttpSettings } from "../HttpSettings.ts"
import { clientAddress } from "../listener/clientAddress.ts"
import { problemTexts } from "../problems/problemTexts.ts"

/**
 * The largest number of wrong tokens and sign-in links within `wrongTokensWindow` from the addresses of one group (see
 * `addressGroups`).
 */
const wrongTokensMax = 10

/** The period in which wrong tokens are counted. */
const wrongTokensWindow = Duration.minutes(1)

/**
 * Counts the wrong tokens of each address. Tokens are checked before they are counted: the right token gets in even if
 * somebody behind the same proxy is guessing. What makes guessing hopeless is the length of the token.
 */
export class WrongTokens extends Context.Service<
  WrongTokens,
  {
    /**
     * Counts the wrong token of a request, also in the audit log. Fails with a 429 if its address has sent too many.
     */
    count(
      action: "access.unknown_token" | "session.sign_in",
    ): Effect.Effect<void, TooManyRequests, HttpServerRequest.HttpServerRequest>
  }
>()("@inlethq/http/access/WrongTokens") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const count = yield* makeAddressMeter({
        name: "wrong token",
        max: wrongTokensMax,
        window: wrongTokensWindow,
      })
      const trail = yield* AuditTrail
      const { trustedProxies } = yield* HttpSettings
      yield* Metric.value(wrongTokens)
      return WrongTokens.of({
        count: Effect.fnUntraced(function* (action) {
          yield* Metric.update(wrongTokens, 1)
          yield* trail.refused({ action, actor: unknownActor, workspace: null, target: null }, 401)
          const request = yield* HttpServerRequest.HttpServerRequest
          const address = clientAddress(NodeHttpServerRequest.toIncomingMessage(request), trustedProxies)
          const wait = yield* count(address ?? null)
          if (Option.isSome(wait)) return yield* tooMany(wait.value)
        }),
      })
    }),
  ).pipe(Layer.provide(addressCounters))
}

const tooMany = (seconds: number) =>
  Effect.andThen(
    answerHeader("retry-after", String(seconds)),
    Effect.fail(new TooManyRequests({ detail: problemTexts.tooManyWrongTokens({ tokens: wrongTokensMax }) })),
  )

const wrongTokens = Metric.counter("inlet_wrong_tokens_total", {
  description: "Wrong management tokens and sign-in links",
  incremental: true,
})
