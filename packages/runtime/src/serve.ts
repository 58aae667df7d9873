import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { randomUUID } from "node:crypto"
import { Effect, Layer, Option } from "effect"
import { HttpRouter } from "effect/http"
import type { IncomingMessage, ServerResponse } from "node:http"
import { consolePath } from "@inlet/api/console/ConsoleApi"
import { Ingest } from "@inlet/engine/commits/Ingest"
import * as Memory from "@inlet/storage-memory/Memory"
import * as MemoryLogCursors from "@inlet/storage-memory/logCursors"
import * as MemorySignedOutSessions from "@inlet/storage-memory/signedOutSessions"
import * as MemoryWebhooks from "@inlet/storage-memory/webhooks"
import { heldLease } from "@inlet/storage-postgres/heldLease"
import { Leases } from "@inlet/storage-postgres/Leases"
import { DatabaseStatus } from "@inlet/storage-postgres/DatabaseStatus"
import * as PostgresStore from "@inlet/storage-postgres/PostgresStore"
import * as SqliteStore from "@inlet/storage-sqlite/SqliteStore"
import { Authenticator } from "@inlet/http/credentials/Authenticator"
import { BrandInUse } from "@inlet/http/BrandInUse"
import { ConsoleFolder } from "@inlet/http/console/ConsoleFolder"
import * as ConsoleRoutes from "@inlet/http/console/consoleRoutes"
import { Sessions } from "@inlet/http/access/Sessions"
import { SignInLinks } from "@inlet/http/access/SignInLinks"
import * as DigestKey from "./digestKey.ts"
import { databaseDocument } from "./databaseDocument.ts"
import { FirstStart } from "./FirstStart.ts"
import * as Health from "@inlet/http/Health"
import { keepHeapSmall, keepTickShape } from "./heap.ts"
import * as Housekeeping from "./Housekeeping.ts"
import { Admission } from "@inlet/http/ingestion/Admission"
import { json, send } from "@inlet/http/ingestion/Answer"
import { makeHandler } from "@inlet/http/ingestion/handler"
import { originForm } from "@inlet/http/ingestion/Path"
import { protocolOf } from "@inlet/http/ingestion/Protocol"
import { makeRouter } from "@inlet/http/ingestion/Router"
import { routes } from "@inlet/http/ingestion/routes"
import { hostsReceivingPassword, type KafkaConnection } from "@inlet/outbound/kafka/KafkaConnection"
import * as KafkaFeeds from "@inlet/outbound/kafka/KafkaFeeds"
import { KafkaSender } from "@inlet/outbound/kafka/KafkaSender"
import { RefusedCalls } from "@inlet/http/listener/RefusedCalls"
import { Listener, type Handler } from "@inlet/http/listener/Listener"
import { AnswerLimiter } from "@inlet/http/management/answers/AnswerLimiter"
import { Draining } from "@inlet/http/management/Draining"
import { HomeRegion } from "@inlet/http/management/HomeRegion"
import * as Metrics from "@inlet/http/metrics"
import { MayDeliver } from "@inlet/outbound/MayDeliver"
import { Invalidation } from "@inlet/http/management/Invalidation"
import { DatabaseServer } from "@inlet/http/management/server/DatabaseServer"
import * as ManagementRoutes from "@inlet/http/management/ManagementRoutes"
import { ManagementToken } from "@inlet/http/access/ManagementToken"
import { makeAuthorize } from "@inlet/http/access/requestCredentials"
import { AuditTrail } from "@inlet/http/audit/AuditTrail"
import { WrongTokens } from "@inlet/http/access/WrongTokens"
import { Principals } from "@inlet/http/access/Principals"
import * as Observability from "./Observability.ts"
import { ProcessMetrics } from "./ProcessMetrics.ts"
import { routerConfig } from "@inlet/http/routerConfig"
import * as Settings from "./Settings.ts"
import { welcome, type Started } from "./Welcome.ts"
import * as WorkspaceSizes from "./WorkspaceSizes.ts"
import { ArrivingBodies } from "@inlet/http/ingestion/Body"
import { ingestionTexts } from "@inlet/http/ingestion/ingestionTexts"
import { ForwardLimit } from "@inlet/http/ingestion/forward"
import { BrowserLibrary } from "@inlet/http/ingestion/snippetFiles"
import { UnsubscribeMeter } from "@inlet/http/ingestion/UnsubscribeMeter"
import { ConnectionPools } from "@inlet/outbound/webhooks/ConnectionPools"
import { RecordWriter } from "@inlet/outbound/webhooks/RecordWriter"
import { SecretBox } from "@inlet/outbound/webhooks/SecretBox"
import { Sender } from "@inlet/outbound/webhooks/Sender"
import { Webhooks } from "@inlet/outbound/webhooks/Webhooks"

/** The SQLite store. If the data directory cannot be used, fails with the error for an invalid setting. */
const sqlite = ({ dataDirectory: directory, scrub }: Settings.ServerSettings) =>
  SqliteStore.layer({ directory, scrub, mustExist: DigestKey.isInUse(directory) }).pipe(
    Layer.catchTag("StoreUnavailable", ({ cause }) =>
      Layer.effectContext(Effect.fail(Settings.unusableDirectory(directory, cause))),
    ),
  )

/** A store that only this process uses. Its digest key and its management token are in files or in memory. */
const local = (settings: Settings.ServerSettings) =>
  FirstStart.layerLocal.pipe(
    Layer.provideMerge(
      settings.store.kind === "memory"
        ? Layer.mergeAll(
            Memory.layer,
            MemoryWebhooks.layer,
            MemoryLogCursors.layer,
            MemorySignedOutSessions.layer,
          )
        : Layer.provideMerge(Layer.effectDiscard(DigestKey.settle), sqlite(settings)),
    ),
    Layer.provideMerge(DigestKey.layer),
  )

/**
 * A lease decides which of the nodes on one database sends to webhooks and to Kafka. While the database is unavailable,
 * no node sends.
 */
const mayDeliver = Layer.effect(
  MayDeliver,
  Effect.map(Leases, (leases) =>
    heldLease(leases, "webhooks", randomUUID()).pipe(
      Effect.map((lease) => lease !== undefined),
      Effect.catchTag("StoreUnavailable", () => Effect.succeed(false)),
    ),
  ),
)

/** What the management API shows of the database server. */
const databaseServer = Layer.effect(
  DatabaseServer,
  Effect.map(DatabaseStatus, ({ state }) => ({ state: Effect.map(state, databaseDocument) })),
)

/**
 * A store that many nodes share. The database contains its digest key, encrypted with `INLET_SECRET`, and the digest of
 * its management token.
 */
const shared = (options: PostgresStore.PostgresStoreOptions) =>
  Layer.mergeAll(FirstStart.layerShared, mayDeliver, databaseServer).pipe(
    Layer.provideMerge(PostgresStore.layer(options)),
  )

type Local = ReturnType<typeof local>

/** Provides the services of the store that the settings select. */
const stores = Layer.unwrap(
  Effect.map(
    Settings.Settings,
    (
      settings,
    ): Layer.Layer<
      Layer.Success<Local>,
      Layer.Error<Local> | PostgresStore.OpenError,
      Layer.Services<Local>
    > => (settings.store.kind === "postgres" ? shared(settings.store) : local(settings)),
  ),
)

const sender = Layer.unwrap(
  Effect.map(Settings.Settings, ({ webhookAllow }) => Sender.layerWith({ allowed: webhookAllow })),
)

const webhooks = Webhooks.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(sender, SecretBox.layer)),
  Layer.provide([RecordWriter.layer, ConnectionPools.layer]),
)

const warnOfPassword = (connection: KafkaConnection): Effect.Effect<void> => {
  const hosts = hostsReceivingPassword(connection)
  if (hosts.length === 0) return Effect.void
  return Effect.logWarning(
    `INLET_KAFKA_SASL=plain sends the password unencrypted to ${hosts.join(", ")}. Set INLET_KAFKA_TLS, or use scram-sha-512.`,
  )
}

const kafka = Layer.unwrap(
  Effect.map(Settings.Settings, ({ kafka: connection }) =>
    connection === null
      ? KafkaFeeds.layerOff
      : Layer.merge(KafkaFeeds.layer, Layer.effectDiscard(warnOfPassword(connection))).pipe(
          Layer.provide(KafkaSender.layerWith(connection)),
        ),
  ),
)

/** Responds with 404 to a path that this address does not serve. Used only if operators have a separate address. */
const notServedHere = (_request: IncomingMessage, response: ServerResponse): void => {
  send(response, json(404, { meta: { error: ingestionTexts.otherAddress() } }), false)
}

const invalidation = Layer.effect(
  Invalidation,
  Effect.map(Authenticator, ({ forget }) => Invalidation.of({ workspace: () => forget })),
)

/** Calls `pass` to let the server handle a request, or writes the response itself. */
export type Intercept = (request: IncomingMessage, response: ServerResponse, pass: () => void) => void

/** Callbacks of the program in which a server runs. */
export interface Host {
  /** Runs when the server has started to listen. */
  readonly started: (started: Started) => Effect.Effect<void, never, Settings.Settings>
  /** Receives every request before the server does. */
  readonly intercept: Intercept
}

/**
 * Serves requests until the fiber is interrupted. Then finishes the responses in progress and commits the accepted
 * operations.
 */
const answer = Effect.fnUntraced(function* (host: Host) {
  const handlers = yield* Effect.scope
  const { brand, region } = yield* Settings.Settings
  const firstStart = yield* FirstStart
  const managementToken = yield* ManagementToken
  if (Option.isSome(firstStart.token)) managementToken.set(firstStart.token.value.digest)
  const run = Effect.gen(function* () {
    const listener = yield* Listener
    const routed = Layer.mergeAll(
      ManagementRoutes.layer,
      Health.layer,
      Metrics.layerWith((yield* ProcessMetrics).sample),
      ConsoleRoutes.layer,
    ).pipe(
      Layer.provide(Layer.succeed(ManagementToken, managementToken)),
      Layer.provide([
        Layer.succeed(BrandInUse, brand),
        Layer.succeed(Draining, listener.stopping),
        Layer.succeed(HomeRegion, region),
      ]),
    )
    // The router reads its configuration when it is created here. A layer that is added later could not change the
    // configuration.
    const app = yield* HttpRouter.toHttpEffect(routed).pipe(
      Effect.provideService(HttpRouter.RouterConfig, routerConfig),
    )
    const others = {
      everything: yield* NodeHttpServer.makeHandler(app, { scope: handlers }),
      operators: yield* NodeHttpServer.makeHandler(
        Effect.provideService(app, Metrics.OnOperatorAddress, true),
        { scope: handlers },
      ),
      ingestion: notServedHere,
    }
    const ingestion = yield* makeHandler(makeRouter(routes), brand, listener.isStopping)
    const limiter = new AnswerLimiter(yield* makeAuthorize)
    const handle: Handler = (serves, request, response) => {
      request.url = originForm(request.url ?? "/")
      const protocol = protocolOf(request.url)
      if (protocol === undefined) {
        response.setHeader("x-content-type-options", "nosniff")
        return limiter.admit(request, response, () => others[serves](request, response))
      }
      if (serves === "operators") return notServedHere(request, response)
      return ingestion(protocol, request, response)
    }
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

/** Returns the URL that signs a browser in once. Returns an empty option if the server does not serve the console. */
const signInUrl = Effect.fnUntraced(function* (operatorUrl: URL) {
  if (!(yield* Settings.Settings).console) return Option.none<string>()
  // Browsers do not send the fragment, so the code appears in no log.
  return Option.some(`${operatorUrl.origin}${consolePath}/#login=${yield* (yield* SignInLinks).make}`)
})

const engine = Layer.mergeAll(
  Admission.layer,
  Authenticator.layer,
  Housekeeping.layer,
  WorkspaceSizes.layer,
  ArrivingBodies.layer,
  ForwardLimit.layer,
  RefusedCalls.layer,
  UnsubscribeMeter.layer,
  BrowserLibrary.layer,
  ManagementToken.layer,
  WrongTokens.layer.pipe(Layer.provideMerge(AuditTrail.layer)),
  ProcessMetrics.layer,
  webhooks,
  kafka,
).pipe(Layer.provideMerge(Ingest.layer), Layer.provideMerge(stores))

const environment = Layer.mergeAll(invalidation, Sessions.layer, SignInLinks.layer).pipe(
  Layer.provideMerge(Principals.layer),
  Layer.provideMerge(engine),
  Layer.provideMerge(Observability.layer),
  Layer.provideMerge(Layer.mergeAll(NodeHttpServer.layerHttpServices, Settings.layer)),
)

/** Runs the whole server inside another program until the fiber is interrupted. */
export const serveIn = (host: Host) => Effect.scoped(answer(host)).pipe(Effect.provide(environment))

/**
 * Runs the whole server, with the built console in a folder. Opens its store, listens, prints its address, and runs until it
 * is interrupted.
 */
export const serve = Effect.fnUntraced(function* (consoleFolder: string) {
  yield* Effect.sync(keepHeapSmall)
  yield* Effect.sync(keepTickShape)
  const host: Host = { started: welcome, intercept: (_request, _response, pass) => pass() }
  return yield* Effect.provideService(serveIn(host), ConsoleFolder, consoleFolder)
})
