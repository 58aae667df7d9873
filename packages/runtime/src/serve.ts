import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Effect, Layer } from "effect"
import { Ingest } from "@inlethq/engine/commits/Ingest"
import * as KeepRules from "@inlethq/engine/rules/keepRules"
import { Authenticator } from "@inlethq/http/credentials/Authenticator"
import { ShippedFiles } from "@inlethq/http/ShippedFiles"
import { Sessions } from "@inlethq/http/access/Sessions"
import { SignInLinks } from "@inlethq/http/access/SignInLinks"
import type { Host } from "./Host.ts"
import { keepHeapSmall, keepTickShape } from "./heap.ts"
import * as Housekeeping from "./Housekeeping.ts"
import { Admission } from "@inlethq/http/ingestion/Admission"
import * as ExportsWorker from "@inlethq/http/appApi/exportsWorker"
import * as ImportsWorker from "@inlethq/http/management/imports/importsWorker"
import { DataFolder } from "@inlethq/http/management/node/DataFolder"
import * as SealErasures from "@inlethq/http/management/erasures/sealErasures"
import { ServerHistory } from "@inlethq/http/management/server/ServerHistory"
import { RefusedCalls } from "@inlethq/http/listener/RefusedCalls"
import { Invalidation } from "@inlethq/http/management/node/Invalidation"
import { ManagementToken } from "@inlethq/http/access/ManagementToken"
import { AuditTrail } from "@inlethq/http/audit/AuditTrail"
import { WrongTokens } from "@inlethq/http/access/WrongTokens"
import { Principals } from "@inlethq/http/access/Principals"
import * as Observability from "./Observability.ts"
import { freeSpace } from "./readFreeBytes.ts"
import { ProcessMetrics } from "./ProcessMetrics.ts"
import * as RuleMetrics from "./RuleMetrics.ts"
import * as Settings from "./Settings.ts"
import { welcome } from "./Welcome.ts"
import * as WorkspaceSizes from "./WorkspaceSizes.ts"
import { ArrivingBodies } from "@inlethq/http/ingestion/Body"
import { ForwardLimit } from "@inlethq/http/ingestion/forward"
import { BrowserLibrary } from "@inlethq/http/ingestion/snippetFiles"
import { Senders } from "@inlethq/http/credentials/Senders"
import { Geo } from "@inlethq/http/geo/Geo"
import { UnsubscribeMeter } from "@inlethq/http/ingestion/UnsubscribeMeter"
import { answer } from "./answer.ts"
import { alerts, kafka, types } from "./destinations.ts"
import { stores } from "./stores.ts"

const invalidation = Layer.effect(
  Invalidation,
  Effect.map(Authenticator, ({ forget }) => Invalidation.of({ workspace: () => forget })),
)

const dataFolder = Layer.effect(
  DataFolder,
  Effect.map(Settings.Settings, ({ dataDirectory }) => dataDirectory),
)

const engine = Layer.mergeAll(
  Admission.layer,
  Senders.layer,
  Authenticator.layer,
  Housekeeping.layer,
  SealErasures.layer.pipe(Layer.provide(dataFolder)),
  KeepRules.layer,
  ImportsWorker.layer,
  ExportsWorker.layer,
  WorkspaceSizes.layer,
  RuleMetrics.layer,
  ArrivingBodies.layer,
  ForwardLimit.layer,
  RefusedCalls.layer,
  Geo.layer,
  ServerHistory.layer.pipe(Layer.provide(freeSpace)),
  UnsubscribeMeter.layer,
  BrowserLibrary.layer,
  ManagementToken.layer,
  WrongTokens.layer.pipe(Layer.provideMerge(AuditTrail.layer)),
  ProcessMetrics.layer,
  alerts,
  kafka,
  types,
).pipe(Layer.provideMerge(Ingest.layer), Layer.provideMerge(stores))

const environment = Layer.mergeAll(invalidation, Sessions.layer, SignInLinks.layer).pipe(
  Layer.provideMerge(Principals.layer),
  Layer.provideMerge(engine),
  Layer.provideMerge(Observability.layer),
  Layer.provideMerge(Layer.mergeAll(NodeHttpServer.layerHttpServices, Settings.layer)),
)

/** Runs the whole server inside another program until the fiber is interrupted. */
export const serveIn = (host: Host) => Effect.scoped(answer(host)).pipe(Effect.provide(environment))

/** Runs the whole server. Opens its store, listens, prints its address, and runs until it is interrupted. */
export const serve = Effect.fnUntraced(function* (shipped: ShippedFiles) {
  yield* Effect.sync(keepHeapSmall)
  yield* Effect.sync(keepTickShape)
  const host: Host = { started: welcome, intercept: (_request, _response, pass) => pass() }
  return yield* Effect.provideService(serveIn(host), ShippedFiles, shipped)
})
