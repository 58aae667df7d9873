import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Effect, Layer, Option, type Scope } from "effect"
import { HttpMiddleware, HttpRouter, type HttpServerRequest } from "effect/http"
import type { IncomingMessage, ServerResponse } from "node:http"
import { consolePath } from "@inlethq/contract/console/ConsoleApi"
import { BrandInUse } from "@inlethq/http/BrandInUse"
import * as ConsoleRoutes from "@inlethq/http/console/consoleRoutes"
import { redirectPath } from "@inlethq/http/oidc/redirectPath"
import { signInLinkId } from "@inlethq/http/access/Principals"
import { SignInLinks } from "@inlethq/http/access/SignInLinks"
import { FirstStart } from "./FirstStart.ts"
import type { Host } from "./Host.ts"
import { isAppCall } from "@inlethq/http/appApi/appPaths"
import { makeAppApi } from "@inlethq/http/appApi/appApi"
import type { AppApiAccess } from "@inlethq/http/HttpSettings"
import * as Health from "@inlethq/http/health/Health"
import { json, send } from "@inlethq/http/ingestion/Answer"
import { makeHandler } from "@inlethq/http/ingestion/handler"
import { originForm, tidySlashes } from "@inlethq/http/ingestion/Path"
import { protocolOf } from "@inlethq/http/ingestion/Protocol"
import { makeRouter } from "@inlethq/http/ingestion/Router"
import { routes } from "@inlethq/http/ingestion/routes"
import { Listener, type AddressRole, type Handler } from "@inlethq/http/listener/Listener"
import { AnswerLimiter } from "@inlethq/http/management/answers/AnswerLimiter"
import { Draining } from "@inlethq/http/management/node/Draining"
import { DataFolder } from "@inlethq/http/management/node/DataFolder"
import { HomeRegion } from "@inlethq/http/management/node/HomeRegion"
import * as Metrics from "@inlethq/http/health/metrics"
import * as McpRoutes from "@inlethq/http/mcp/mcpRoutes"
import * as ManagementRoutes from "@inlethq/http/management/ManagementRoutes"
import { ManagementToken } from "@inlethq/http/access/ManagementToken"
import { makeAuthorize } from "@inlethq/http/access/requestCredentials"
import { ProcessMetrics } from "./ProcessMetrics.ts"
import { routerConfig } from "@inlethq/http/routerConfig"
import * as Settings from "./Settings.ts"
import { ingestionTexts } from "@inlethq/http/ingestion/ingestionTexts"

/** Responds with 404 to a path that this address does not serve. Used only if operators have a separate address. */
const notServedHere = (_request: IncomingMessage, response: ServerResponse): void => {
  send(response, "svc", json(404, { meta: { error: ingestionTexts.otherAddress() } }), false)
}

/**
 * Serves requests until the fiber is interrupted. Then finishes the responses in progress and commits the accepted
 * operations.
 */
export const answer = Effect.fnUntraced(function* (host: Host) {
  // Responses in progress outlive the listener, which the inner scope closes first.
  const responses = yield* Effect.scope
  const firstStart = yield* FirstStart
  const managementToken = yield* ManagementToken
  if (Option.isSome(firstStart.token)) managementToken.set(firstStart.token.value.digest)
  const run = Effect.gen(function* () {
    const listener = yield* Listener
    const handle = yield* handlerOf(responses)
    const { ingestion: url, operators: operatorUrl } = yield* listener.listen((serves, request, response) =>
      host.intercept(request, response, () => handle(serves, request, response)),
    )
    // New credentials are shown only once. Therefore every step that can fail runs before `finish` creates them, and
    // they are printed last.
    const started = yield* firstStart.finish
    managementToken.set(started.token.digest)
    yield* host.started({ url, operatorUrl, ...started, signInUrl: yield* signInUrl(operatorUrl) })
    return yield* Effect.never
  })
  return yield* run.pipe(Effect.provide(Listener.layer))
})

/** Returns the handler of every request: ingestion has its own routing table, and Effect's router has the rest. */
const handlerOf = Effect.fnUntraced(function* (responses: Scope.Scope) {
  const { appApi, brand } = yield* Settings.Settings
  const listener = yield* Listener
  const app = Effect.provideService(yield* routed, HttpMiddleware.TracerDisabledWhen, hasCode)
  const others = {
    everything: yield* NodeHttpServer.makeHandler(app, { scope: responses }),
    operators: yield* NodeHttpServer.makeHandler(
      Effect.provideService(app, Metrics.OnOperatorAddress, true),
      { scope: responses },
    ),
    ingestion: notServedHere,
  }
  const asked = yield* NodeHttpServer.makeHandler(yield* makeAppApi, { scope: responses })
  const ingestion = yield* makeHandler(makeRouter(routes), brand, listener.isStopping)
  const limiter = new AnswerLimiter(yield* makeAuthorize)
  const handle: Handler = (serves, request, response) => {
    request.url = originForm(request.url ?? "/")
    const target = tidySlashes(request.url)
    if (servesApp(appApi, serves) && isAppCall(target, request, serves)) {
      response.setHeader("x-content-type-options", "nosniff")
      return asked(request, response)
    }
    const protocol = protocolOf(target)
    if (protocol === undefined) {
      response.setHeader("x-content-type-options", "nosniff")
      return limiter.admit(request, response, () => others[serves](request, response))
    }
    if (serves === "operators") return notServedHere(request, response)
    return ingestion(protocol, request, response)
  }
  return handle
})

/** Returns whether an address serves the App API. */
const servesApp = (appApi: AppApiAccess, serves: AddressRole): boolean =>
  appApi === "both" || (appApi === "operator" && serves !== "ingestion")

/** Traces have the address of each request, and an issuer sends browsers back with a code in it. */
const hasCode = ({ url }: HttpServerRequest.HttpServerRequest): boolean => url.startsWith(redirectPath)

/** The management API, the console, health and metrics, behind Effect's router. */
const routed = Effect.gen(function* () {
  const { brand, dataDirectory, region } = yield* Settings.Settings
  const listener = yield* Listener
  const routesOfOthers = Layer.mergeAll(
    ManagementRoutes.layer,
    McpRoutes.layer,
    Health.layer,
    Metrics.layerWith((yield* ProcessMetrics).sample),
    ConsoleRoutes.layer,
  ).pipe(
    Layer.provide([
      Layer.succeed(ManagementToken, yield* ManagementToken),
      Layer.succeed(BrandInUse, brand),
      Layer.succeed(Draining, listener.stopping),
      Layer.succeed(HomeRegion, region),
      Layer.succeed(DataFolder, dataDirectory),
    ]),
  )
  // The router reads its configuration when it is created here. A layer that is added later could not change it.
  return yield* HttpRouter.toHttpEffect(routesOfOthers).pipe(
    Effect.provideService(HttpRouter.RouterConfig, routerConfig),
  )
})

/** Returns the URL that signs a browser in once. Returns an empty option if the server does not serve the console, or it takes no links. */
const signInUrl = Effect.fnUntraced(function* (operatorUrl: URL) {
  const { console, consoleTokens } = yield* Settings.Settings
  if (!console || !consoleTokens) return Option.none<string>()
  const { code } = yield* (yield* SignInLinks).make(signInLinkId)
  // Browsers do not send the fragment, so the code appears in no log of requests.
  return Option.some(`${operatorUrl.origin}${consolePath}/#login=${code}`)
})
