import { statSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import { provenanceOf } from "@inlethq/core/log/ActivityEntry"
import type { JsonObject } from "@inlethq/core/values/Json"
import { contextsMax } from "@inlethq/storage/rows/contextRows"
import { byId, event } from "@inlethq/store-conformance/script/commands"
import { activity, apply } from "@inlethq/store-conformance/script/scenario"
import { Effect } from "effect"
import { storeIn, temporaryDirectory } from "./temporary.ts"

const seen = (who: string, context: JsonObject) => event(byId(who), "seen", { provenance: { context } })

const rowsIn = (directory: string, sql: string) => {
  const file = new DatabaseSync(join(directory, "inlet.db"), { readOnly: true })
  const rows = file.prepare(sql).all()
  file.close()
  return rows
}

const clientOf = (n: number) => ({ userAgent: `client/${n}`, page: { path: `/${n}` } })

/** What the library of a current desktop browser tells of a page that somebody reached by a link. */
const desktop = (n: number): JsonObject => ({
  page: {
    path: `/products/${n % 50}`,
    referrer: "https://www.example.com/",
    search: "",
    title: `Product ${n % 50}`,
    url: `https://shop.example.com/products/${n % 50}`,
  },
  userAgent:
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36",
  userAgentData: {
    brands: [
      { brand: "Chromium", version: "153" },
      { brand: "Google Chrome", version: "153" },
      { brand: "Not_A Brand", version: "24" },
    ],
    mobile: false,
    platform: "Linux",
  },
  locale: "en-US",
  timezone: "Europe/Berlin",
  library: { name: "analytics.js", version: "npm:next-0.5.11" },
})

/** Returns the bytes of the database file after so many events, each with its context. */
const bytesOf = (events: number, contextOf: (n: number) => JsonObject | null) =>
  Effect.gen(function* () {
    const directory = yield* temporaryDirectory
    const commands = Array.from({ length: events }, (_, n) => {
      const context = contextOf(n)
      return context === null ? event(byId(`p${n % 10}`), "seen") : seen(`p${n % 10}`, context)
    })
    yield* Effect.gen(function* () {
      for (let from = 0; from < events; from += 100) yield* apply(...commands.slice(from, from + 100))
    }).pipe(Effect.provide(storeIn(directory), { local: true }))
    const file = new DatabaseSync(join(directory, "inlet.db"))
    file.exec("PRAGMA wal_checkpoint(TRUNCATE)")
    file.close()
    return statSync(join(directory, "inlet.db")).size
  })

describe("contract §13 context: descriptions of clients in the SQLite store", () => {
  it.effect("are stored once, without what is a person's own", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const browser = { library: { name: "js", version: "2", own: "mine" }, locale: "de" }
      yield* Effect.gen(function* () {
        for (const who of ["ada", "bob", "ada"]) {
          yield* apply(
            seen(who, { ...browser, ip: who, device: { id: who, type: "ios" } }),
            seen(who, { ...browser, ip: who, device: { id: who, type: "ios" } }),
            seen(who, { page: { path: who } }),
          )
        }
        const contexts = (yield* activity()).map((view) => provenanceOf(view).context)
        assert.deepStrictEqual(contexts.slice(0, 3), [
          { ...browser, ip: "ada", device: { id: "ada", type: "ios" } },
          { ...browser, ip: "ada", device: { id: "ada", type: "ios" } },
          { page: { path: "ada" } },
        ])
      }).pipe(Effect.provide(storeIn(directory), { local: true }))
      const json = '{"library":{"name":"js","version":"2"},"locale":"de","device":{"type":"ios"}}'
      assert.deepStrictEqual(
        rowsIn(directory, "SELECT number, json FROM contexts").map((row) => ({ ...row })),
        [{ number: 1, json }],
      )
      assert.deepStrictEqual(
        rowsIn(directory, "SELECT context FROM activity ORDER BY id").map(({ context }) => context),
        [1, 1, null, 1, 1, null, 1, 1, null],
      )
    }),
  )

  it.effect(
    "leave at most 250 bytes of the context of a browser with each event",
    () =>
      Effect.gen(function* () {
        const events = 1000
        const without = yield* bytesOf(events, () => null)
        assert.isAtMost(((yield* bytesOf(events, desktop)) - without) / events, 250)
      }),
    60_000,
  )

  it.effect(
    "that a workspace has no room for are stored with their entries",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        const clients = Array.from({ length: contextsMax + 2 }, (_, n) => clientOf(n))
        yield* Effect.gen(function* () {
          yield* apply(...clients.map((context) => seen("ada", context)))
          yield* apply(seen("bob", clientOf(7)), seen("bob", clientOf(contextsMax + 1)))
          const shown = (yield* activity({}, { limit: 500 })).map((view) => provenanceOf(view).context)
          assert.deepStrictEqual(shown, [...clients, clientOf(7), clientOf(contextsMax + 1)])
        }).pipe(Effect.provide(storeIn(directory), { local: true }))
        assert.deepStrictEqual(
          rowsIn(directory, "SELECT count(*) AS n, max(number) AS last FROM contexts").map((row) => ({
            ...row,
          })),
          [{ n: contextsMax, last: contextsMax }],
        )
        assert.deepStrictEqual(
          rowsIn(directory, "SELECT context FROM activity ORDER BY id DESC LIMIT 4").map(
            ({ context }) => context,
          ),
          [null, 8, null, null],
        )
      }),
    30_000,
  )
})
