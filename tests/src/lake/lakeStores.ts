import { createHmac } from "node:crypto"
import { Digest } from "@inlet/core/ports/Digest"
import { Ingest } from "@inlet/engine/commits/Ingest"
import type { Catalog } from "@inlet/core/catalog/Catalog"
import type { Snapshots } from "@inlet/core/catalog/Snapshots"
import type { ErasureLedger } from "@inlet/core/ports/ErasureLedger"
import type { LakeFiles } from "@inlet/core/ports/LakeFiles"
import type { LogCursors } from "@inlet/core/ports/LogCursors"
import type { Registry } from "@inlet/core/ports/Registry"
import type { ThreadCatalog } from "@inlet/core/catalog/ThreadCatalog"
import type { Store } from "@inlet/core/ports/Store"
import * as MemoryLogCursors from "@inlet/storage-memory/logCursors"
import * as Memory from "@inlet/storage-memory/Memory"
import { parseConnectionUrl } from "@inlet/storage-postgres/engine/ConnectionUrl"
import * as PostgresStore from "@inlet/storage-postgres/PostgresStore"
import * as SqliteStore from "@inlet/storage-sqlite/SqliteStore"
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
