import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Context, Effect, Option } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerRespondable, HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import { problemResponse } from "../problems/problems.ts"
import { Principals } from "../access/Principals.ts"
import { WrongTokens } from "../access/WrongTokens.ts"
import { bearerOf } from "../access/requestCredentials.ts"
import { HttpSettings } from "../HttpSettings.ts"
import { addressOf } from "../listener/addressOf.ts"
import { problemTexts } from "../problems/problemTexts.ts"

/** True for a request on the separate address for operators. */
export const OnOperatorAddress = Context.Reference<boolean>(
  "@inlethq/http/health/metrics/OnOperatorAddress",
  {
    defaultValue: () => false,
  },
)

const answerAfter = (sample: Effect.Effect<void>) =>
  Effect.map(Effect.andThen(sample, PrometheusMetrics.format()), (text) =>
    HttpServerResponse.text(text, { contentType: "text/plain; version=0.0.4; charset=utf-8" }),
  )

const unauthorized = HttpServerResponse.setHeader(
  problemResponse(401, problemTexts.metricsUnauthorized()),
  "www-authenticate",
  "Bearer",
)

/** The response to a token that is limited to some workspaces. The metrics are about all of them. */
const limited = problemResponse(403, problemTexts.metricsOfAll())

/**
 * GET `/metrics`, as Prometheus text, after `sample` has brought the metrics up to date. With `INLET_METRICS=token`, a request must have a management token for all workspaces, unless it
 * comes from loopback and names this machine in `Host`, or arrives on the separate address for operators.
 */
export const layerWith = (sample: Effect.Effect<void>) =>
  HttpRouter.use((router) =>
    Effect.gen(function* () {
      const { address, metrics } = yield* HttpSettings
      const principals = yield* Principals
      const wrongTokens = yield* WrongTokens
      const answer = answerAfter(sample)
      switch (metrics) {
        case "off":
          return
        case "open":
          return yield* router.add("GET", "/metrics", answer)
        case "token": {
          const guarded = Effect.gen(function* () {
            const request = yield* HttpServerRequest.HttpServerRequest
            if ((yield* OnOperatorAddress) || isFromLoopback(request, address.host)) return yield* answer
            const token = bearerOf(request.headers["authorization"])
            if (token === undefined) return unauthorized
            const holder = yield* Effect.orElseSucceed(principals.ofSecret(token), () => null)
            // While the store cannot look the token up, it does not count as wrong.
            if (holder === null) return unauthorized
            if (Option.isSome(holder))
              return holder.value.principal.workspaces === null ? yield* answer : limited
            return yield* wrongTokens
              .count("access.unknown_token")
              .pipe(Effect.as(unauthorized), Effect.catch(HttpServerRespondable.toResponse))
          })
          return yield* router.add("GET", "/metrics", guarded)
        }
      }
    }),
  )

const loopback = /^127(\.\d+){3}$|^::1$/

/**
 * Headers that proxies add. A request that a proxy on this machine forwards comes from loopback, although its client
 * may be remote.
 */
const proxyHeader = /^(forwarded|via|x-real-ip|x-forwarded-.*)$/

const isFromLoopback = (request: HttpServerRequest.HttpServerRequest, ownHost: string): boolean =>
  loopback.test(addressOf(NodeHttpServerRequest.toIncomingMessage(request).socket) ?? "") &&
  !Object.keys(request.headers).some((name) => proxyHeader.test(name)) &&
  isOwnName(hostNameOf(request.headers["host"] ?? ""), ownHost)

const loopbackName = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/

/**
 * Returns true if a host name means this machine. A web page whose own name resolves to loopback (DNS rebinding) sends
 * its name, and must not read the metrics.
 */
const isOwnName = (name: string, ownHost: string): boolean =>
  loopbackName.test(name) || name === ownHost.toLowerCase() || name === `[${ownHost.toLowerCase()}]`

/** Returns the name in a `Host` header, in lower case and without the port. */
const hostNameOf = (host: string): string => host.toLowerCase().replace(/:\d*$/, "")
