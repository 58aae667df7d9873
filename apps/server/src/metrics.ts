import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Context, Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import { problemResponse } from "./management/problems.ts"
import { ManagementToken } from "./management/ManagementToken.ts"
import { bearerOf } from "./management/requestCredentials.ts"
import { Settings } from "./Settings.ts"
import { details } from "./management/details.ts"

/** True for a request on the separate address for operators. */
export const OnOperatorAddress = Context.Reference<boolean>("@inlet/server/OnOperatorAddress", {
  defaultValue: () => false,
})

const answer = Effect.map(PrometheusMetrics.format(), (text) =>
  HttpServerResponse.text(text, { contentType: "text/plain; version=0.0.4; charset=utf-8" }),
)

const unauthorized = HttpServerResponse.setHeader(
  problemResponse(401, details.metricsUnauthorized()),
  "www-authenticate",
  "Bearer",
)

/**
 * GET `/metrics`, as Prometheus text. With `INLET_METRICS=token`, a request must have the management token, unless it
 * comes from loopback or arrives on the separate address for operators.
 */
export const layer = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const { metrics } = yield* Settings
    const managementToken = yield* ManagementToken
    switch (metrics) {
      case "off":
        return
      case "open":
        return yield* router.add("GET", "/metrics", answer)
      case "token": {
        const guarded = Effect.gen(function* () {
          const request = yield* HttpServerRequest.HttpServerRequest
          const isAllowed =
            (yield* OnOperatorAddress) || isFromLoopback(request) || hasToken(request, managementToken)
          return isAllowed ? yield* answer : unauthorized
        })
        return yield* router.add("GET", "/metrics", guarded)
      }
    }
  }),
)

const loopback = /^(::ffff:)?127(\.\d+){3}$|^::1$/

/**
 * Headers that proxies add. A request that a proxy on this machine forwards comes from loopback, although its client
 * may be remote.
 */
const proxyHeader = /^(forwarded|via|x-real-ip|x-forwarded-.*)$/

const isFromLoopback = (request: HttpServerRequest.HttpServerRequest): boolean =>
  loopback.test(NodeHttpServerRequest.toIncomingMessage(request).socket.remoteAddress ?? "") &&
  !Object.keys(request.headers).some((name) => proxyHeader.test(name))

const hasToken = (
  { headers }: HttpServerRequest.HttpServerRequest,
  managementToken: ManagementToken["Service"],
): boolean => {
  const token = bearerOf(headers["authorization"])
  return token !== undefined && managementToken.isValid(token)
}
