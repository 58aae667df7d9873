import { assert, it } from "@effect/vitest"
import { registryLaws } from "@inlethq/store-conformance/tables/registryLaws"
import { WorkspaceId } from "@inlethq/core/values/Identifier"
import { uploadRetentionMs } from "@inlethq/core/ports/Upload"
import { defaultSettings } from "@inlethq/core/workspace/Workspace"
import { Effect, Fiber, Option, Redacted, Schedule } from "effect"
import { openInstallation } from "../src/installation/Installation.ts"
import * as PostgresStore from "../src/PostgresStore.ts"
import { makeRegistry } from "@inlethq/storage/tables/registry"
import { registerUpload } from "@inlethq/storage/tables/uploads"
import { makeTables } from "../src/tables/tables.ts"
import {
  databaseAt,
  describeServers,
  emptyDatabase,
  migratedDatabase,
  sessionTo,
  settingsOf,
} from "./server.ts"

const secret = Redacted.make("s".repeat(32))
const settings = defaultSettings("default", "us")
const keyOf = (node: number) => ({
  keyId: `key ${node}`,
  kind: "track" as const,
  name: "a\u0000b",
  siteId: `site ${node}`,
  digest: "d",
  createdAt: 1,
  prefix: null,
  lastUsedAt: null,
  expiresAt: null,
})

describeServers("the registry", (server) => {
  const database = Effect.flatMap(
    Effect.suspend(() => migratedDatabase(server())),
    databaseAt,
  )

  for (const { check, name } of registryLaws) {
    it.live(name, () =>
      Effect.gen(function* () {
        const connection = settingsOf(yield* emptyDatabase(server()))
        yield* Effect.provide(check, PostgresStore.layer({ connection, secret }), { local: true })
      }),
    )
  }

  it.live("ten nodes that start at once create one workspace and one management token in all", () =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase(server())
      const nodes = yield* Effect.forEach(
        Array.from({ length: 10 }, (_, node) => node),
        (node) =>
          Effect.gen(function* () {
            const installation = yield* openInstallation(yield* databaseAt(url), secret)
            return yield* installation.join({ tokenDigest: `token ${node}`, settings, keys: [keyOf(node)] })
          }),
        { concurrency: "unbounded" },
      )
      const first = nodes.findIndex(({ madeWorkspace }) => madeWorkspace)
      const isFirst = nodes.map((_, node) => node === first)
      assert.deepStrictEqual(
        nodes.map(({ madeWorkspace }) => madeWorkspace),
        isFirst,
      )
      assert.deepStrictEqual(
        nodes.map(({ madeToken }) => madeToken),
        isFirst,
      )
      assert.deepStrictEqual(
        new Set(nodes.map(({ tokenDigest }) => tokenDigest)),
        new Set([`token ${first}`]),
      )
      const registry = makeRegistry(makeTables(yield* databaseAt(url)))
      assert.strictEqual((yield* registry.workspaces).length, 1)
      const found = yield* registry.find({ kind: "track", siteId: `site ${first}` })
      assert.strictEqual(Option.getOrThrow(found).key.name, "a\u0000b")
    }),
  )

  it.live("a node that starts waits until the table with the installation is no longer locked", () =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase(server())
      const hurried = yield* databaseAt(url, { lockMsMax: 20, attemptsMax: 1 })
      const holder = yield* sessionTo(url)
      yield* holder.control("BEGIN")
      yield* holder.execute("LOCK TABLE installation IN ACCESS EXCLUSIVE MODE")
      const starting = yield* Effect.forkChild(openInstallation(hurried, secret))
      const attempts = new Set<unknown>()
      const look = Effect.gen(function* () {
        const waiting = yield* holder.query(`
          SELECT virtualtransaction AS id FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
          WHERE NOT granted AND datname = current_database()`)
        for (const { id } of waiting) attempts.add(id)
        return attempts.size >= 2 || starting.pollUnsafe() !== undefined
      })
      yield* Effect.repeat(look, { until: (isOver) => isOver, schedule: Schedule.spaced(2) })
      yield* holder.control("ROLLBACK")
      yield* Fiber.join(starting)
    }),
  )

  it.live("if the start of a node is repeated, the node still shows the credentials that it made", () =>
    Effect.gen(function* () {
      const { join } = yield* openInstallation(yield* database, secret)
      const start = { tokenDigest: "token 1", settings, keys: [keyOf(1)] }
      const joined = yield* join(start)
      assert.deepStrictEqual(joined, { tokenDigest: "token 1", madeToken: true, madeWorkspace: true })
      assert.deepStrictEqual(yield* join(start), joined)
      const other = yield* join({ tokenDigest: "token 2", settings, keys: [keyOf(2)] })
      assert.deepStrictEqual(other, { tokenDigest: "token 1", madeToken: false, madeWorkspace: false })
    }),
  )

  it.live("a management token that the operator chose is not stored", () =>
    Effect.gen(function* () {
      const installation = yield* openInstallation(yield* database, secret)
      const joined = yield* installation.join({ tokenDigest: undefined, settings, keys: [] })
      assert.deepStrictEqual(joined, { tokenDigest: undefined, madeToken: false, madeWorkspace: true })
    }),
  )

  it.live("workspaces that are created at the same time get different ids", () =>
    Effect.gen(function* () {
      const registry = makeRegistry(makeTables(yield* database))
      const made = yield* Effect.all(
        Array.from({ length: 8 }, () => registry.createWorkspace(settings)),
        { concurrency: "unbounded" },
      )
      assert.deepStrictEqual(
        made.map(({ id }) => id).toSorted((a, b) => a - b),
        [1, 2, 3, 4, 5, 6, 7, 8].map((id) => WorkspaceId.make(id)),
      )
    }),
  )

  it.live("a site id with a NUL character is an unknown key, not an error", () =>
    Effect.gen(function* () {
      const registry = makeRegistry(makeTables(yield* database))
      assert.isTrue(Option.isNone(yield* registry.find({ kind: "track", siteId: "a\u0000" })))
    }),
  )

  it.live(
    "if several uploads register the same name at the same time, the digest of only one upload is stored until it expires",
    () =>
      Effect.gen(function* () {
        const register = registerUpload(makeTables(yield* database))
        const workspace = WorkspaceId.make(1)
        const upload = (digest: string, at: number) =>
          register({ workspace, name: "file\u0000 0", digest, at })
        const digests = yield* Effect.all(
          Array.from({ length: 6 }, (_, n) => upload(`digest ${n}`, 1000)),
          { concurrency: "unbounded" },
        )
        assert.strictEqual(new Set(digests).size, 1)
        assert.strictEqual(yield* upload("later", 1000 + uploadRetentionMs), digests[0])
        assert.strictEqual(yield* upload("expired", 1001 + uploadRetentionMs), "expired")
      }),
  )
})
