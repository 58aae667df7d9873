import { tmpdir } from "node:os"
import { join } from "node:path"
import { BlockList } from "node:net"
import { NodeHttpServer } from "@effect/platform-node"
import { assert } from "@effect/vitest"
import { Authorization } from "@inlethq/contract/access/Authorization"
import { ManagementApi } from "@inlethq/contract/ManagementApi"
import { managementPath } from "@inlethq/contract/values/managementPath"
import { defaultSettings } from "@inlethq/core/workspace/Workspace"
import type { Command } from "@inlethq/core/Command"
import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import type { Catalog } from "@inlethq/core/catalog/Catalog"
import type { Snapshots } from "@inlethq/core/catalog/Snapshots"
import { svcIdText, type WorkspaceId } from "@inlethq/core/values/Identifier"
import { Ingest } from "@inlethq/engine/commits/Ingest"
import type { Json } from "@inlethq/core/values/Json"
import * as Memory from "@inlethq/storage-memory/Memory"
import * as MemoryLogCursors from "@inlethq/storage-memory/logCursors"
import * as MemoryConsoleSessions from "@inlethq/storage-memory/consoleSessions"
import * as MemoryForwards from "@inlethq/storage-memory/forwards"
import * as MemoryWebhooks from "@inlethq/storage-memory/webhooks"
import type { AuditLog } from "@inlethq/core/ports/AuditLog"
import type { ManagementTokens } from "@inlethq/core/ports/ManagementTokens"
import { Registry } from "@inlethq/core/ports/Registry"
import { Store } from "@inlethq/core/ports/Store"
import { noon } from "@inlethq/store-conformance/script/commands"
import { plainDigest } from "@inlethq/store-conformance/script/digest"
import { toIso } from "@inlethq/core/values/Timestamp"
import { Context, Effect, Layer, Option, Schema } from "effect"
import {
  FetchHttpClient,
  HttpClient,
  HttpClientRequest,
  HttpRouter,
  HttpServer,
  type HttpMethod,
} from "effect/http"
import { HttpApiClient, HttpApiMiddleware } from "effect/http-api"
import { createServer } from "node:http"
import { storageGrowth } from "../../src/management/server/storageGrowth.ts"
import { ServerHistory } from "../../src/management/server/ServerHistory.ts"
import { RefusedCalls } from "../../src/listener/RefusedCalls.ts"
import { keepAliveTimeoutMs } from "../../src/listener/Listener.ts"
import { Sessions } from "../../src/access/Sessions.ts"
import { SignInLinks } from "../../src/access/SignInLinks.ts"
import * as LakeFeeds from "@inlethq/outbound/lake/LakeFeeds"
import * as KafkaFeeds from "@inlethq/outbound/KafkaFeeds"
import { SecretBox } from "@inlethq/outbound/SecretBox"
import { Sender } from "@inlethq/outbound/sending/Sender"
import { Forwards } from "@inlethq/outbound/forwards/Forwards"
import { Webhooks } from "@inlethq/outbound/webhooks/Webhooks"
import { DataFolder } from "../../src/management/node/DataFolder.ts"
import { Invalidation } from "../../src/management/node/Invalidation.ts"
import * as ManagementRoutes from "../../src/management/ManagementRoutes.ts"
import { ManagementToken } from "../../src/access/ManagementToken.ts"
import { AuditTrail } from "../../src/audit/AuditTrail.ts"
import { Senders } from "../../src/credentials/Senders.ts"
import { WrongTokens } from "../../src/access/WrongTokens.ts"
import { Principals } from "../../src/access/Principals.ts"
import { digestOf } from "../../src/credentials/Secret.ts"
import { HttpSettings } from "../../src/HttpSettings.ts"
import { settingsFor } from "../console/issuer.ts"
import { defaultSettings as serverSettings, settings } from "../ingestion/ingestionLayers.ts"

export const token = "the-management-token"

/** The issuer that signs people in to the console. */
export const issuer = "https://issuer.example"

/** The workspaces for which the handlers have cleared the cache. */
export class Invalidated extends Context.Service<Invalidated, Array<WorkspaceId>>()(
  "@inlethq/http/test/management/managementServer/Invalidated",
) {}

const invalidation = Layer.effect(
  Invalidation,
  Effect.gen(function* () {
    const seen = yield* Invalidated
    return Invalidation.of({ workspace: (id) => Effect.sync(() => void seen.push(id)) })
  }),
).pipe(Layer.provideMerge(Layer.sync(Invalidated, () => Invalidated.of([]))))

export const memory = Ingest.layer.pipe(Layer.provideMerge(Memory.layer), Layer.provideMerge(plainDigest))

const managementToken = Layer.effectDiscard(
  Effect.map(ManagementToken, ({ set }) => set(digestOf(token))),
).pipe(Layer.provideMerge(ManagementToken.layer))

const sessions = Sessions.layer.pipe(
  Layer.provide([
    plainDigest,
    MemoryConsoleSessions.layer,
    Layer.succeed(HttpSettings, {
      ...settings,
      oidc: Option.some(settingsFor(issuer, "http://127.0.0.1:1")),
    }),
  ]),
)

/** Stores webhooks and Kafka cursors, but sends nothing. */
export const idleWebhooksWith = (sender: Layer.Layer<Sender>) =>
  Layer.mergeAll(
    MemoryWebhooks.layer.pipe(Layer.provide(plainDigest)),
    MemoryForwards.layer.pipe(Layer.provide(plainDigest)),
    Layer.succeed(Forwards, {
      changed: () => Effect.void,
      status: Effect.succeed({ sending: true, feeds: [] }),
    }),
    MemoryLogCursors.layer.pipe(Layer.provide(plainDigest)),
    KafkaFeeds.layerOff,
    LakeFeeds.layerOff,
    SecretBox.layer.pipe(Layer.provide(plainDigest)),
    sender,
    Layer.succeed(Webhooks, {
      changed: () => Effect.void,
      status: Effect.succeed({ sending: true, feeds: [] }),
    }),
  )

const idleWebhooks = idleWebhooksWith(Sender.layerWith({ allowed: new BlockList() }))

/**
 * A listening HTTP server and its client. By default, Node would close connections after five idle seconds. On a busy
 * machine, the client would then send requests on connections that the server is closing. The end of a test does not wait for
 * responses that it left unread.
 */
const listener = HttpServer.layerTestClient.pipe(
  Layer.provide(Layer.fresh(FetchHttpClient.layer)),
  Layer.provideMerge(
    NodeHttpServer.layer(() => createServer({ keepAliveTimeout: keepAliveTimeoutMs }), {
      port: 0,
      gracefulShutdownTimeout: 0,
    }),
  ),
)

/** The data directory of the server. */
export const dataFolder = join(tmpdir(), "inlet-management-data")

/** A history without samples, because tests that set the clock would take one for each minute in between. */
const noHistory = Layer.succeed(ServerHistory, {
  samples: Effect.succeed([]),
  storage: Effect.succeed(storageGrowth([], null)),
})

/** Serves the management routes on a real socket, with the given stores. */
export const serverWith = <Others = never>(
  stores: Layer.Layer<Catalog | Snapshots | Registry | ManagementTokens | AuditLog | Ingest | Others>,
  webhooks = idleWebhooks,
  history: Layer.Layer<ServerHistory> = noHistory,
) =>
  HttpRouter.serve(ManagementRoutes.layer, {
    disableLogger: true,
    disableListenLog: true,
    routerConfig: { caseSensitive: true, ignoreTrailingSlash: false, maxParamLength: 1000 },
  }).pipe(
    Layer.provideMerge(stores),
    // The routes need a `Store`. This mock is used only if `stores` has no `Store`. Tests that call methods of the `Store`
    // must pass their own.
    Layer.provide(
      Layer.mock(Store, {
        batchLimits: { gatherMs: 0, writingMax: 1, inFlightMax: 1, spreadOver: () => 1 },
      }),
    ),
    Layer.provide([webhooks, history, plainDigest, Layer.succeed(DataFolder, dataFolder)]),
    Layer.provideMerge(invalidation),
    Layer.provideMerge(sessions),
    Layer.provide([WrongTokens.layer, RefusedCalls.layer, SignInLinks.layer]),
    Layer.provide(Layer.provide(Layer.mergeAll(AuditTrail.layer, Senders.layer), stores)),
    Layer.provide(serverSettings),
    Layer.provideMerge(Layer.provide(Principals.layer, stores)),
    Layer.provideMerge(managementToken),
    Layer.provideMerge(listener),
  )

export const server = serverWith(memory)

const decodeJson = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Json))

/** Sends one request with the management token, unless `headers` contains another `authorization`. */
export const call = Effect.fnUntraced(function* (
  method: HttpMethod.HttpMethod,
  path: string,
  options: { readonly body?: Json; readonly text?: string; readonly headers?: Record<string, string> } = {},
) {
  const request = HttpClientRequest.make(method)(`${managementPath}${path}`).pipe(
    HttpClientRequest.bearerToken(token),
    withBody(options),
    HttpClientRequest.setHeaders(options.headers ?? {}),
  )
  const response = yield* HttpClient.execute(request)
  const text = yield* response.text
  const json = text === "" ? null : yield* decodeJson(text)
  return { status: response.status, headers: response.headers, json }
})

const withBody = ({ body, text }: { readonly body?: Json; readonly text?: string }) => {
  if (text !== undefined) return HttpClientRequest.bodyText(text)
  return body === undefined ? HttpClientRequest.setHeaders({}) : HttpClientRequest.bodyJsonUnsafe(body)
}

/** Asserts that a response is a problem document (RFC 9457) with the given detail. */
export const assertProblem = (
  answer: Effect.Success<ReturnType<typeof call>>,
  status: number,
  title: string,
  detail: string | RegExp,
): void => {
  assert.strictEqual(answer.status, status)
  assert.strictEqual(answer.headers["content-type"], "application/problem+json")
  const { detail: said, ...rest } = Schema.decodeUnknownSync(
    Schema.Struct({
      type: Schema.String,
      title: Schema.String,
      status: Schema.Int,
      detail: Schema.String,
    }),
    { onExcessProperty: "error" },
  )(answer.json)
  assert.deepStrictEqual(rest, { type: "about:blank", title, status })
  if (typeof detail === "string") assert.strictEqual(said, detail)
  else assert.match(said, detail)
}

/** A typed client that is derived from the API definition, like the client in the SDK. */
export const client = HttpApiClient.make(ManagementApi).pipe(
  Effect.provide(
    HttpApiMiddleware.layerClient(Authorization, ({ next, request }) =>
      next(HttpClientRequest.bearerToken(request, token)),
    ),
  ),
)

export const newWorkspace = Registry.use((registry) =>
  registry.createWorkspace(defaultSettings("test", "us")),
)

/** The default receipt time of test commands, in the format of the management API. */
export const receivedAt = toIso(noon)

/** Submits each command in a request of its own, in order. Returns the log entries of the commands. */
export const apply = (...commands: ReadonlyArray<Command>) =>
  Effect.forEach(commands, (command) =>
    Ingest.use((ingest) => ingest.submit([command], 100)).pipe(Effect.map(([entry]) => entry)),
  )

/** Returns the `svc_id` of the person that a log entry is about. Fails the test if the entry has no subject. */
export const svcIdOf = (entry: ActivityEntry | undefined): string =>
  entry?.subject == null ? assert.fail("the entry has no subject") : svcIdText(entry.workspace, entry.subject)

export const decodePage = Schema.decodeUnknownEffect(
  Schema.Struct({
    items: Schema.Array(Schema.Record(Schema.String, Schema.Json)),
    next: Schema.NullOr(Schema.String),
  }),
)

/** Reads a whole list in pages of at most two items. Returns one field of each item. */
export const readPages = Effect.fnUntraced(function* (path: string, query: string, field: string, limit = 2) {
  const seen: Array<Json | undefined> = []
  let after: string | null = ""
  while (after !== null) {
    const from: string = after === "" ? "" : `&after=${after}`
    const { json } = yield* call("GET", `${path}?limit=${limit}&${query}${from}`)
    const page = yield* decodePage(json)
    assert.isAtMost(page.items.length, limit)
    seen.push(...page.items.map((item) => item[field]))
    after = page.next
  }
  return seen
})
