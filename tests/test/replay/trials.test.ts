import { PostgresServer } from "@inlethq/postgres-server/PostgresServer"
import { defaultLimits, type Limits } from "@inlethq/core/workspace/Limits"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { parseConnectionUrl } from "@inlethq/storage-postgres/engine/ConnectionUrl"
import * as PostgresStore from "@inlethq/storage-postgres/PostgresStore"
import * as SqliteStore from "@inlethq/storage-sqlite/SqliteStore"
import { memoryStore } from "@inlethq/store-conformance/differential/differential"
import { plainDigest } from "@inlethq/store-conformance/script/digest"
import { Effect, Layer, Redacted, Result } from "effect"
import { env } from "node:process"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { freshDirectory } from "../../src/cleanup.ts"
import { compareTrial } from "../../src/replay/compareTrials.ts"
import type { ReplayServices } from "../../src/replay/compareReplay.ts"
import { packDecisions } from "../../src/replay/packDecisions.ts"

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

const factor = Number(env["INLET_TEST_RUNS"] ?? 1)
const runs = 15 * factor

const limited = (limits: Partial<Limits>): Partial<Workspace> => ({ limits: { ...defaultLimits, ...limits } })

const settings: ReadonlyArray<readonly [name: string, Partial<Workspace>]> = [
  ["email_update_by_id", { emailUpdateById: true }],
  ["event_merging", { eventMerging: false }],
  ["placeholder_ids", { placeholderIds: "reject" }],
  ["bots", { bots: "ignore" }],
  ["context", { context: "off" }],
  ["omit", { omit: ["attributes.plan", "traits.plan"] }],
  ["attributes_per_person", limited({ attributesPerPersonMax: 1 })],
  ["identifiers_per_person", limited({ identifiersPerPersonMax: 1 })],
  ["attribute_value_bytes", limited({ attributeValueBytesMax: 3 })],
  ["relationships_per_person", limited({ relationshipsPerPersonMax: 1, devicesPerPersonMax: 1 })],
]

const planOf = (mode: string, properties: object, unknownEvents: Workspace["unknownEvents"] = "allow") => {
  const schema = { properties, additionalProperties: { type: ["string", "number", "boolean"] } }
  const plans = ["event", "page"].map((kind) => ({ kind, name: "event 0", mode, version: 1, schema }))
  const person = { kind: "person", name: "attributes", mode: "observe", version: 1, schema }
  const text = JSON.stringify({ plans: [...plans, person], retired: [] })
  return { plan: { version: 1, text }, unknownEvents }
}

const stripped = planOf("strip", { plan: { type: "string" } })

/** What a workspace has in turn. */
const plansInTurn: ReadonlyArray<Partial<Workspace>> = [
  {},
  planOf("observe", { plan: { type: "string" }, city: { type: "number" } }),
  planOf("observe", {}, "observe"),
  stripped,
  planOf("reject", { plan: { type: "number" } }),
  planOf("reject", {}, "reject"),
]

/** Compares trials of random scripts with merges, their ends, erasures and a rule. */
const compareAll = async <E>(
  changed: Partial<Workspace>,
  seeds: number,
  store: Layer.Layer<ReplayServices, E>,
  phases: ReadonlyArray<Partial<Workspace>> = [],
) => {
  const sum = { decided: 0, differing: 0, entries: 0 }
  for (let seed = 0; seed < seeds; seed++) {
    const { whole, wrong } = await Effect.runPromise(compareTrial(seed, { changed, phases }, store))
    expect(wrong, `seed ${seed}`).toEqual([])
    sum.decided += whole.decided
    sum.differing += whole.operations
    sum.entries += whole.entries
  }
  return sum
}

const compareSome = async <E>(store: Layer.Layer<ReplayServices, E>) => {
  for (const changed of [{}, { emailUpdateById: true }, { omit: ["attributes.plan", "traits.plan"] }])
    await compareAll(changed, 3 * factor, store)
}

describe("a trial of a log", () => {
  it("types §3 what if: differs nowhere if nothing is changed, wherever it begins", async () => {
    const { decided, entries } = await compareAll({}, runs, memoryStore)
    expect(decided / entries).toBeGreaterThan(0.55)
  })

  it.each(settings)(
    "types §3 what if: says of %s what the same calls become with it, or that it cannot say it",
    async (_, changed) => {
      await compareAll(changed, runs, memoryStore)
    },
  )

  it.each([
    ["nothing", {}],
    ["a plan that strips", stripped],
    ["a plan that rejects", planOf("reject", { plan: { type: "string" } })],
    ["no plan", { plan: null, unknownEvents: "allow" }],
    ["rejecting events without a plan", { plan: null, unknownEvents: "reject" }],
    ["another setting", { emailUpdateById: true }],
  ] satisfies ReadonlyArray<readonly [string, Partial<Workspace>]>)(
    "types §3 what if: knows with which plans each operation was decided if %s is tried",
    async (_, changed) => {
      const { decided, entries } = await compareAll(changed, 5 * factor, memoryStore, plansInTurn)
      expect(decided / entries).toBeGreaterThan(0.25)
    },
  )

  it("types §3 what if: finds differences, and most operations stay decidable", async () => {
    const { decided, differing, entries } = await compareAll(
      limited({ relationshipsPerPersonMax: 1 }),
      runs,
      memoryStore,
    )
    expect(differing).toBeGreaterThan(0)
    expect(decided / entries).toBeGreaterThan(0.4)
  })

  it("types §3 what if: says the same on SQLite", () => compareSome(sqliteStore))

  it("types §3 what if: says the same on PostgreSQL", () => compareSome(postgresStore))
})

describe("a capsule", () => {
  it("types §3 capsules: holds no personal value, is decided as its operation was, and most decisions can be packed", async () => {
    let packed = 0
    let entries = 0
    const kinds = new Set<string>()
    for (let seed = 0; seed < runs; seed++) {
      const made = await Effect.runPromise(packDecisions(seed))
      expect(made.wrong, `seed ${seed}`).toEqual([])
      packed += made.packed
      entries += made.entries
      for (const kind of made.kinds) kinds.add(kind)
    }
    expect(packed / entries).toBeGreaterThan(0.7)
    expect(kinds.size).toBeGreaterThan(10)
  })
})
