import { PostgresServer } from "@inlethq/postgres-server/PostgresServer"
import { plainDigest } from "@inlethq/store-conformance/script/digest"
import { memoryStore, type Compared } from "@inlethq/store-conformance/differential/differential"
import { parseConnectionUrl } from "@inlethq/storage-postgres/engine/ConnectionUrl"
import * as PostgresStore from "@inlethq/storage-postgres/PostgresStore"
import * as SqliteStore from "@inlethq/storage-sqlite/SqliteStore"
import { Effect, Layer, Redacted, Result } from "effect"
import { env } from "node:process"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { freshDirectory } from "../../src/cleanup.ts"
import { compareErased, compareReplay } from "../../src/replay/compareReplay.ts"

let server: PostgresServer
beforeAll(async () => {
  server = await PostgresServer.start()
})
afterAll(async () => {
  await server.remove()
})

const sqliteStore = Layer.unwrap(
  Effect.sync(() => SqliteStore.layer({ directory: freshDirectory() }).pipe(Layer.provide(plainDigest))),
)

const postgresStore = Layer.unwrap(
  Effect.promise(async () => {
    const url = server.url(await server.createDatabase())
    const connection = Result.getOrThrow(parseConnectionUrl(url))
    return PostgresStore.layer({ connection, secret: Redacted.make("s".repeat(32)) })
  }),
)

const scripts = (runs: number) => ({
  runs: runs * Number(env["INLET_TEST_RUNS"] ?? 1),
  seed: env["INLET_TEST_SEED"] ?? "inlet",
  replay: env["INLET_TEST_REPLAY"],
})

const expectNone = async (compared: Effect.Effect<Compared>): Promise<void> => {
  const { failure } = await Effect.runPromise(compared)
  if (failure !== null) assert.fail(failure)
}

describe("replaying a log into an empty workspace", () => {
  it("contract §16 replay: gives equal people, objects and segments, in memory", () =>
    expectNone(compareReplay(memoryStore, memoryStore, scripts(60))))

  it("gives equal people, objects and segments, from and to SQLite", () =>
    expectNone(compareReplay(sqliteStore, sqliteStore, scripts(8))))

  it("gives equal people, objects and segments, from and to PostgreSQL", () =>
    expectNone(compareReplay(postgresStore, postgresStore, scripts(2))))

  it("contract §16 replay: brings back nobody who was erased", () =>
    expectNone(compareErased(memoryStore, memoryStore, scripts(60))))
})
