import type { Catalog } from "@inlethq/core/catalog/Catalog"
import type { Snapshots } from "@inlethq/core/catalog/Snapshots"
import type { Digest } from "@inlethq/core/ports/Digest"
import type { ErasureLedger } from "@inlethq/core/ports/ErasureLedger"
import type { LakeFiles } from "@inlethq/core/ports/LakeFiles"
import type { LogCursors } from "@inlethq/core/ports/LogCursors"
import type { ThreadCatalog } from "@inlethq/core/catalog/ThreadCatalog"
import type { Registry } from "@inlethq/core/ports/Registry"
import type { Ingest } from "@inlethq/engine/commits/Ingest"
import { LakeThread } from "@inlethq/lake/thread/LakeThread"
import { PostgresServer } from "@inlethq/postgres-server/PostgresServer"
import { Effect, Layer } from "effect"
import { afterAll, beforeAll, describe, it } from "vitest"
import { failingLake } from "../../src/lake/failingLake.ts"
import { memoryStore, postgresStore, sqliteStore } from "../../src/lake/lakeStores.ts"

/** The number of rounds of a lake, in each of which its reader fails. */
const rounds = 16

const runs = Number(process.env["INLET_TEST_RUNS"] ?? 1)

const check = <E>(
  store: Layer.Layer<
    Catalog | Digest | ErasureLedger | Ingest | LakeFiles | LogCursors | Registry | Snapshots | ThreadCatalog,
    E
  >,
  seed: number,
) =>
  Effect.runPromise(
    failingLake(seed, rounds).pipe(
      Effect.asVoid,
      Effect.provide(Layer.provideMerge(LakeThread.layer, store)),
    ),
  )

describe("contract §16 lake positions: after random failures, each position is in exactly one file", () => {
  let server: PostgresServer

  beforeAll(async () => {
    server = await PostgresServer.start()
  })
  afterAll(() => server.stop())

  const seeds = Array.from({ length: runs }, (_, run) => run + 1)

  it.each(seeds)("in memory, seed %i", (seed) => check(memoryStore, seed))

  it.each(seeds)("on SQLite, seed %i", (seed) => check(sqliteStore, seed + 1000))

  it.each(seeds)("on PostgreSQL, seed %i", async (seed) =>
    check(postgresStore(server.url(await server.createDatabase())), seed + 2000),
  )
})
