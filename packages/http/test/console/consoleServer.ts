import { NodeHttpServer } from "@effect/platform-node"
import * as Memory from "@inlethq/storage-memory/Memory"
import * as MemoryConsoleSessions from "@inlethq/storage-memory/consoleSessions"
import { plainDigest } from "@inlethq/store-conformance/script/digest"
import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { ShippedFiles } from "../../src/ShippedFiles.ts"
import * as ConsoleRoutes from "../../src/console/consoleRoutes.ts"
import { Sessions } from "../../src/access/Sessions.ts"
import { SignInLinks } from "../../src/access/SignInLinks.ts"
import { ManagementToken } from "../../src/access/ManagementToken.ts"
import { Principals } from "../../src/access/Principals.ts"
import { AuditTrail } from "../../src/audit/AuditTrail.ts"
import { WrongTokens } from "../../src/access/WrongTokens.ts"
import { routerConfig } from "../../src/routerConfig.ts"
import { digestOf } from "../../src/credentials/Secret.ts"
import { HttpSettings } from "../../src/HttpSettings.ts"
import { settings } from "../ingestion/ingestionLayers.ts"
import { token } from "../management/managementServer.ts"

const managementToken = Layer.effectDiscard(
  Effect.map(ManagementToken, ({ set }) => set(digestOf(token))),
).pipe(Layer.provideMerge(ManagementToken.layer))

/** Serves the console on a real socket. The built files are read from a folder. */
export const consoleServer = (folder: string, changed: Partial<HttpSettings["Service"]> = {}) =>
  HttpRouter.serve(ConsoleRoutes.layer, { disableLogger: true, disableListenLog: true, routerConfig }).pipe(
    Layer.provide(Layer.succeed(ShippedFiles, { console: folder, browserLibrary: null, system: null })),
    Layer.provideMerge(Layer.mergeAll(Sessions.layer, SignInLinks.layer, WrongTokens.layer)),
    Layer.provideMerge(MemoryConsoleSessions.layer),
    Layer.provideMerge(Principals.layer),
    Layer.provide(AuditTrail.layer),
    Layer.provide(Layer.succeed(HttpSettings, { ...settings, ...changed })),
    Layer.provideMerge(managementToken),
    Layer.provideMerge(Memory.layer),
    Layer.provide(plainDigest),
    Layer.provideMerge(NodeHttpServer.layerTest),
  )
