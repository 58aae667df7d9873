import { createHmac } from "node:crypto"
import { Digest } from "@inlethq/core/ports/Digest"
import { Ingest } from "@inlethq/engine/commits/Ingest"
import type { Catalog } from "@inlethq/core/catalog/Catalog"
import type { Snapshots } from "@inlethq/core/catalog/Snapshots"
import type { DestinationHours } from "@inlethq/core/ports/DestinationHours"
import type { ErasureLedger } from "@inlethq/core/ports/ErasureLedger"
import type { LakeFiles } from "@inlethq/core/ports/LakeFiles"
import type { LogCursors } from "@inlethq/core/ports/LogCursors"
import type { Registry } from "@inlethq/core/ports/Registry"
import type { ThreadCatalog } from "@inlethq/core/catalog/ThreadCatalog"
import type { Store } from "@inlethq/core/ports/Store"
import * as MemoryLogCursors from "@inlethq/storage-memory/logCursors"
import * as Memory from "@inlethq/storage-memory/Memory"
import { parseConnectionUrl } from "@inlethq/storage-postgres/engine/ConnectionUrl"
import * as PostgresStore from "@inlethq/storage-postgres/PostgresStore"
import * as SqliteStore from "@inlethq/storage-sqlite/SqliteStore"
import { Effect, Layer, Redacted, Result } from "effect"
import { freshDirectory } from "../cleanup.ts"

/** What writing a lake and checking it needs of a store. */
type LakeStore =
  | Store
  | Catalog
  | ThreadCatalog
  | ErasureLedger
  | Snapshots
  | Registry
  | LogCursors
  | LakeFiles
  | DestinationHours

const digestKey = Buffer.from("a key for tests")

/** A digest that the thread of a lake computes too. */
const keyedDigest = Layer.succeed(Digest, {
  key: digestKey,
  of: (text) => createHmac("sha256", digestKey).update(text).digest("hex"),
})

const withIngest = <E>(store: Layer.Layer<LakeStore, E>) =>
  Ingest.layer.pipe(Layer.provideMerge(Layer.merge(store, keyedDigest)))

export const memoryStore = withIngest(
  Layer.merge(Memory.layer, MemoryLogCursors.layer).pipe(Layer.provide(keyedDigest)),
)

export const sqliteStore = Layer.unwrap(
  Effect.sync(() =>
    withIngest(SqliteStore.layer({ directory: freshDirectory() }).pipe(Layer.provide(keyedDigest))),
  ),
)

const secret = Redacted.make("a secret for tests that has more than 32 bytes")

export const postgresStore = (url: string) =>
  withIngest(PostgresStore.layer({ connection: Result.getOrThrow(parseConnectionUrl(url)), secret }))
