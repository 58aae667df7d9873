import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { PostgresServer } from "@inlethq/postgres-server/PostgresServer"
import { Installation } from "@inlethq/storage-postgres/installation/Installation"
import * as PostgresStore from "@inlethq/storage-postgres/PostgresStore"
import { Registry } from "@inlethq/core/ports/Registry"
import { ConfigProvider, Effect, Layer, Option, Redacted } from "effect"
import { FirstStart, type FirstStarted } from "../src/FirstStart.ts"
import { digestOf } from "@inlethq/http/credentials/Secret"
import * as Settings from "../src/Settings.ts"

const secret = "a secret of at least 32 bytes ..."

const settingsFrom = (env: Record<string, string>) =>
  Settings.layer.pipe(Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env }))))

/** Starts a node with these environment variables. Returns the result of `finish`, and the workspaces in the store. */
const start = (env: Record<string, string>) => {
  const store = Layer.unwrap(
    Effect.map(Settings.Settings, ({ store }) =>
      store.kind === "postgres"
        ? PostgresStore.layer(store)
        : Layer.effectContext(Effect.die(`a test starts with ${store.kind}`)),
    ),
  )
  const node = FirstStart.layerShared.pipe(
    Layer.provideMerge(store),
    Layer.provide(settingsFrom({ INLET_SECRET: secret, ...env })),
  )
  return Effect.gen(function* () {
    const started = yield* (yield* FirstStart).finish
    return { started, workspaces: yield* (yield* Registry).workspaces }
  }).pipe(Effect.provide(node, { local: true }))
}

const valueOf = ({ token }: FirstStarted) => Option.map(token.value, Redacted.value)

describe("nodes on one PostgreSQL database", () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await PostgresServer.start()
  })
  afterAll(() => server.remove())

  const emptyStore = Effect.promise(async () => ({ INLET_STORE: server.url(await server.createDatabase()) }))

  it.live(
    "of ten nodes that start at once, only one shows new credentials, and its token is valid on all nodes",
    () =>
      Effect.gen(function* () {
        const env = yield* emptyStore
        const nodes = yield* Effect.all(
          Array.from({ length: 10 }, () => start(env)),
          { concurrency: "unbounded" },
        )
        const first = nodes.filter(({ started }) => Option.isSome(started.credentials))
        const printing = nodes.filter(({ started }) => started.token.mustBePrinted)
        assert.strictEqual(first.length, 1)
        assert.deepStrictEqual(printing, first)
        const token = Option.getOrThrow(
          Option.flatMap(Option.fromUndefinedOr(first[0]), ({ started }) => valueOf(started)),
        )
        for (const { started, workspaces } of nodes) {
          assert.strictEqual(started.token.digest, digestOf(token))
          assert.strictEqual(workspaces.length, 1)
        }
      }),
  )

  it.live("a token that the operator sets on a node replaces the stored token on that node", () =>
    Effect.gen(function* () {
      const env = yield* emptyStore
      const { started: first } = yield* start({ ...env, INLET_MANAGEMENT_TOKEN: "chosen-by-an-operator" })
      assert.deepStrictEqual(valueOf(first), Option.some("chosen-by-an-operator"))
      assert.isFalse(first.token.mustBePrinted)
      const { started: second } = yield* start(env)
      assert.isTrue(second.token.mustBePrinted)
      assert.isTrue(Option.isNone(second.credentials))
      const { started: third } = yield* start({ ...env, INLET_MANAGEMENT_TOKEN: "another-operators-choice" })
      assert.deepStrictEqual(valueOf(third), Option.some("another-operators-choice"))
    }),
  )

  it.live("all nodes use the same key for the digests of suppressed identifiers", () =>
    Effect.gen(function* () {
      const env = yield* emptyStore
      const { store } = yield* Effect.provide(
        Settings.Settings,
        settingsFrom({ INLET_SECRET: secret, ...env }),
      )
      assert(store.kind === "postgres")
      const key = Effect.map(Installation, ({ digestKey }) => digestKey).pipe(
        Effect.provide(PostgresStore.layer(store), { local: true }),
      )
      assert.deepStrictEqual(yield* key, yield* key)
    }),
  )
})

const problemOf = (env: Record<string, string>) =>
  Effect.map(
    Effect.flip(Effect.provide(Settings.Settings, settingsFrom(env), { local: true })),
    ({ message }) => message,
  )

describe("the settings of a PostgreSQL store", () => {
  const url = "postgres://inlet:hidden@db1,db2/inlet"
  it.effect.each([
    [
      { INLET_STORE: url },
      "INLET_SECRET must be set for a PostgreSQL store: at least 32 bytes, the same on every node",
    ],
    [{ INLET_STORE: url, INLET_SECRET: "short" }, "INLET_SECRET must be at least 32 bytes long"],
    [
      { INLET_STORE: `${url}?sslmode=maybe`, INLET_SECRET: secret },
      "INLET_STORE must be a valid PostgreSQL URL (sslmode must be one of disable, prefer, require, verify-ca, verify-full)",
    ],
  ] as const)("the error for %o names the variable and hides the password", ([env, message]) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* problemOf(env), message)
    }),
  )
})
