import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import { Digest } from "@inlethq/core/ports/Digest"
import { ExportFiles } from "@inlethq/core/ports/ExportFiles"
import { Store, StoreUnavailable, WorkspaceDeleted } from "@inlethq/core/ports/Store"
import type { Json } from "@inlethq/core/values/Json"
import { secondMs } from "@inlethq/core/values/Timestamp"
import { Ingest } from "@inlethq/engine/commits/Ingest"
import { Overloaded } from "@inlethq/engine/commits/IngestBounds"
import { Turns } from "@inlethq/engine/reads/ReadTurns"
import { ByteSize, Clock, Duration, Effect, Option, Schema, Semaphore, type Stream } from "effect"
import { HttpIncomingMessage, HttpServerRequest, HttpServerResponse } from "effect/http"
import { RequestSender } from "../access/sentNow.ts"
import { bearerOf } from "../access/requestCredentials.ts"
import { Authenticator, type AppAccess } from "../credentials/Authenticator.ts"
import { Senders, withSender } from "../credentials/Senders.ts"
import { tidySlashes } from "../ingestion/Path.ts"
import { RefusedCalls } from "../listener/RefusedCalls.ts"
import { AppRefused, json, refuse, type AppAnswer } from "./AppAnswer.ts"
import { answerMsMax, type AppCall, type AppServices } from "./AppCall.ts"
import { AppQuery, quoted } from "./AppQuery.ts"
import { ExportChecks } from "./ExportChecks.ts"
import { AppRateMeter, requestsPerSecondMax } from "./AppRateMeter.ts"
import { isLink, readLink } from "./exportLink.ts"
import { openExport } from "./exports.ts"
import { TLSSocket } from "node:tls"
import { findRoute } from "./AppRouter.ts"
import { appDocument } from "./appDocument.ts"
import { appDocumentPath, appRoot } from "./appPaths.ts"
import { appRoutes } from "./appRoutes.ts"
import { appTexts } from "./appTexts.ts"
import { refuseToSend, sendingRoots } from "./sends.ts"

/** The largest body of a call, in bytes. */
const bodyBytesMax = 262_144

/** The most calls of the App API that a node answers at a time. Further ones wait. */
const answeringMax = 16

/** The value of `Retry-After` where a call could not be answered, in seconds. */
const retrySeconds = 1

const retryLater = { "retry-after": String(retrySeconds) }

const decodeJson = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Json))

type Request = HttpServerRequest.HttpServerRequest

/** Makes what answers requests to the paths of the App API (`appRoot`). */
export const makeAppApi = Effect.gen(function* () {
  const [catalog, store, files] = [yield* Catalog, yield* Store, yield* ExportFiles]
  const services: AppServices = {
    catalog,
    store,
    turns: yield* Turns,
    ingest: yield* Ingest,
    exports: files,
    exportChecks: yield* ExportChecks.make({ catalog, store, files }),
    digest: yield* Digest,
  }
  const refused = yield* RefusedCalls
  const senders = yield* Senders
  const accessOf = yield* makeAccess
  const places = yield* Semaphore.make(answeringMax)

  const file = Effect.fnUntraced(function* (request: Request) {
    const found = readLink(services.digest, tidySlashes(request.url), yield* Clock.currentTimeMillis)
    if (found === undefined) return yield* refuse(404, appTexts.exportGone())
    return yield* places.withPermits(1)(openExport(services, found.workspace, found.id))
  })

  const called = Effect.fnUntraced(function* (request: Request) {
    const access = yield* accessOf(request)
    const [path = "", ...query] = tidySlashes(request.url).split("?")
    if (sendingRoots.has(appRoot(path) ?? "")) return yield* refuseToSend(refused, callOf(request, path))
    if (path === appDocumentPath) return json(appDocument)
    const { parameters, route } = yield* routeOf(request.method, path, access)
    const call: AppCall = {
      ...services,
      workspace: access.workspace,
      parameters,
      query: new AppQuery(query.join("?")),
      origin: originOf(request),
      body: yield* bodyOf(request),
    }
    const answer = places.withPermits(1)(route.endpoint(call))
    if (route.scope === "read") return yield* answer
    const arrival = {
      request: { headers: { "user-agent": request.headers["user-agent"] } },
      route: `${route.method} ${route.path}`,
    }
    return yield* Effect.provideService(answer, RequestSender, (workspace) =>
      withSender(arrival, workspace, Effect.succeed).pipe(Effect.provideService(Senders, senders)),
    )
  })

  return Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
    isLink(tidySlashes(request.url))
      ? answered(Effect.map(file(request), fileResponse))
      : answered(Effect.map(called(request), responseOf)),
  )
})

/** Turns what a call comes to into a response, in time. */
const answered = <R>(
  answer: Effect.Effect<
    HttpServerResponse.HttpServerResponse,
    AppRefused | StoreUnavailable | Overloaded | WorkspaceDeleted,
    R
  >,
) =>
  answer.pipe(
    Effect.timeoutOrElse({
      duration: Duration.millis(answerMsMax),
      orElse: () => Effect.fail(refuse(503, appTexts.tooSlow({ seconds: answerMsMax / secondMs }))),
    }),
    Effect.catch((error) => Effect.map(refusalOf(error), responseOf)),
    Effect.catchCause((cause) =>
      Effect.as(
        Effect.logError("a call of the App API failed", cause),
        responseOf({ status: 500, json: errorBody(appTexts.failed()) }),
      ),
    ),
    Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(bodyBytesMax)),
  )

/** Makes what finds out what the key of a request opens, and counts its requests. */
const makeAccess = Effect.gen(function* () {
  const authenticator = yield* Authenticator
  const refused = yield* RefusedCalls
  const meter = new AppRateMeter()
  return Effect.fnUntraced(function* ({ headers, remoteAddress }: Request) {
    const token = bearerOf(headers["authorization"])
    const found = token === undefined ? Option.none() : yield* authenticator.app(token)
    if (Option.isNone(found)) {
      refused.count("unknown_key", Option.getOrNull(remoteAddress))
      return yield* new AppRefused({
        status: 401,
        message: appTexts.unauthorized(),
        headers: { "www-authenticate": "Bearer" },
      })
    }
    const wait = meter.count(found.value.keyId, yield* Clock.currentTimeMillis)
    if (wait === null) return found.value
    refused.count("rate_limit", Option.getOrNull(remoteAddress))
    return yield* new AppRefused({
      status: 429,
      message: appTexts.tooMany({ max: requestsPerSecondMax }),
      headers: { "retry-after": String(wait) },
    })
  })
})

/** Returns the address that a client has sent a request to. */
const originOf = (request: Request): string => {
  const isProxied = /^https\b/.test(request.headers["x-forwarded-proto"] ?? "")
  const isEncrypted = NodeHttpServerRequest.toIncomingMessage(request).socket instanceof TLSSocket
  return `${isProxied || isEncrypted ? "https" : "http"}://${request.headers["host"] ?? "localhost"}`
}

/** Answers with the file of an export, CSV that is compressed with gzip. */
const fileResponse = (file: Stream.Stream<Uint8Array, StoreUnavailable>) =>
  HttpServerResponse.stream(file, {
    contentType: "application/gzip",
    headers: { "cache-control": "no-store", "content-disposition": 'attachment; filename="export.csv.gz"' },
  })

/** Returns what is kept of a call that asks to send: no ids, which may be of people. */
const callOf = ({ headers, method, remoteAddress }: Request, path: string) => ({
  route: `${method} /v1/${appRoot(path) ?? ""}`,
  address: Option.getOrNull(remoteAddress),
  userAgent: headers["user-agent"],
})

/** Returns the call of a method and a path, if the key may make it. */
const routeOf = Effect.fnUntraced(function* (method: string, path: string, { scope }: AppAccess) {
  const found = findRoute(appRoutes, method === "HEAD" ? "GET" : method, path)
  switch (found._tag) {
    case "NotFound":
      return yield* refuse(404, appTexts.unknownPath())
    case "WrongMethod":
      return yield* new AppRefused({
        status: 405,
        message: appTexts.wrongMethod({ methods: quoted(found.methods) }),
        headers: { allow: found.methods.join(", ") },
      })
    case "Found":
      return found.route.scope === "read" || scope === found.route.scope
        ? found
        : yield* refuse(403, appTexts.outsideScope())
  }
})

const bodyOf = Effect.fnUntraced(function* (request: Request): Effect.fn.Return<Json, AppRefused> {
  if (request.method !== "POST") return null
  if (Number(request.headers["content-length"] ?? 0) > bodyBytesMax) return yield* tooLarge
  const text = yield* Effect.mapError(request.text, () =>
    refuse(413, appTexts.tooLarge({ max: bodyBytesMax })),
  )
  if (text.trim() === "") return null
  return yield* Effect.mapError(decodeJson(text), (error) =>
    refuse(400, appTexts.wrongBody({ problem: error.message })),
  )
})

const tooLarge = Effect.suspend(() => Effect.fail(refuse(413, appTexts.tooLarge({ max: bodyBytesMax }))))

/** Returns the answer to a call that failed. */
const refusalOf = Effect.fnUntraced(function* (
  error: AppRefused | StoreUnavailable | Overloaded | WorkspaceDeleted,
): Effect.fn.Return<AppAnswer> {
  if (error instanceof AppRefused) {
    const { headers = error.status === 503 ? retryLater : {}, message, status } = error
    return { status, json: errorBody(message), headers }
  }
  // A key of a deleted workspace is unknown from the next call on.
  if (error instanceof WorkspaceDeleted) return { status: 401, json: errorBody(appTexts.unauthorized()) }
  yield* Effect.logWarning("a call of the App API was answered 503", error)
  return { status: 503, json: errorBody(appTexts.busy()), headers: retryLater }
})

const errorBody = (error: string): string => JSON.stringify({ meta: { error } })

const responseOf = ({
  headers = {},
  json: text,
  status,
}: AppAnswer): HttpServerResponse.HttpServerResponse => {
  const response =
    text === null
      ? HttpServerResponse.empty({ status })
      : // The response body is a string, because the memory of a `Buffer` is outside the V8 heap and is freed much later.
        HttpServerResponse.raw(text, {
          status,
          contentType: "application/json; charset=utf-8",
          contentLength: Buffer.byteLength(text),
        })
  return HttpServerResponse.setHeaders(response, { "cache-control": "no-store", ...headers })
}
