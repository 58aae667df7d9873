import { Effect, Layer } from "effect"
import { TrustedTime, trustedTime } from "@inlethq/engine/time/TrustedTime"
import { MayKeepRules } from "@inlethq/engine/rules/MayKeepRules"
import * as Memory from "@inlethq/storage-memory/Memory"
import * as MemoryLogCursors from "@inlethq/storage-memory/logCursors"
import * as MemoryConsoleSessions from "@inlethq/storage-memory/consoleSessions"
import * as MemoryForwards from "@inlethq/storage-memory/forwards"
import * as MemoryWebhooks from "@inlethq/storage-memory/webhooks"
import { Leases, type LeaseName } from "@inlethq/storage-postgres/nodes/Leases"
import { randomUUID } from "node:crypto"
import { ImportNode } from "@inlethq/http/management/imports/ImportNode"
import { DatabaseStatus } from "@inlethq/storage-postgres/nodes/DatabaseStatus"
import * as PostgresStore from "@inlethq/storage-postgres/PostgresStore"
import * as SqliteStore from "@inlethq/storage-sqlite/SqliteStore"
import * as DigestKey from "./digestKey.ts"
import { databaseDocument } from "./databaseDocument.ts"
import { FirstStart } from "./FirstStart.ts"
import { MayDeliver } from "@inlethq/outbound/MayDeliver"
import { DatabaseServer } from "@inlethq/http/management/server/DatabaseServer"
import type { HttpSettings } from "@inlethq/http/HttpSettings"
import { MayJump } from "./MayJump.ts"
import { makeMigrationAnswers } from "./MigrationAnswers.ts"
import * as Settings from "./Settings.ts"

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
            MemoryForwards.layer,
            MemoryLogCursors.layer,
            MemoryConsoleSessions.layer,
          )
        : Layer.provideMerge(Layer.effectDiscard(DigestKey.settle), sqlite(settings)),
    ),
    Layer.provideMerge(DigestKey.layer),
  )

/** Returns whether this node holds a lease. While the database is unavailable, no node does. */
const holdsLease = (name: LeaseName) =>
  Effect.map(Leases, (leases) =>
    leases.hold(name).pipe(
      Effect.map((lease) => lease !== undefined),
      Effect.catchTag("StoreUnavailable", () => Effect.succeed(false)),
    ),
  )

/** A lease decides which of the nodes on one database sends to webhooks and to Kafka. */
const mayDeliver = Layer.effect(MayDeliver, holdsLease("webhooks"))

/** Another lease decides which of them follows rules when time passes, and builds new rules. */
const mayKeepRules = Layer.effect(MayKeepRules, holdsLease("rules"))

/** A third lease decides which of them works at imports without a client. */
const importNode = Layer.effect(
  ImportNode,
  Effect.map(holdsLease("imports"), (may) => ({ id: randomUUID(), isAlone: false, may })),
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
  Layer.unwrap(
    Effect.map(makeMigrationAnswers, ({ close, tell }) =>
      Layer.mergeAll(
        FirstStart.layerShared,
        mayDeliver,
        mayKeepRules,
        importNode,
        databaseServer,
        Layer.effectDiscard(close),
      ).pipe(Layer.provideMerge(PostgresStore.layer({ ...options, migrating: tell }))),
    ),
  )

type Local = ReturnType<typeof local>

/** The time by which data are deleted for their age. */
const trusted = Layer.unwrap(
  Effect.map(MayJump, (mayJump) => (mayJump ? Layer.effect(TrustedTime, trustedTime) : Layer.empty)),
)

type Opened = Layer.Layer<
  Layer.Success<Local>,
  Layer.Error<Local> | PostgresStore.OpenError,
  Layer.Services<Local> | HttpSettings
>

const selected = (settings: Settings.ServerSettings): Opened =>
  settings.store.kind === "postgres" ? shared(settings.store) : local(settings)

/** Provides the services of the store that the settings select. */
export const stores = Layer.unwrap(
  Effect.map(Settings.Settings, (settings) => Layer.provideMerge(trusted, selected(settings))),
)
