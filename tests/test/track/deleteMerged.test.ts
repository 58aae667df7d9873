import { PostgresServer } from "@inlethq/postgres-server/PostgresServer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { fresh } from "../../src/fresh.ts"
import { Inlet } from "../../src/Inlet.ts"
import { head, RawConnection } from "../../src/RawConnection.ts"
import { Tenant } from "../../src/Tenant.ts"

const item = (id: string, action: string, attributes?: object) => ({
  type: "person",
  identifiers: { id },
  action,
  ...(attributes !== undefined && { attributes }),
})

/** Identifies two people, merges the second into the first, and deletes the second. */
const callsOf = (ada: string, bob: string) => [
  item(ada, "identify", { plan: "pro" }),
  item(bob, "identify", { secret: "of bob", email: `${bob}@example.com` }),
  { type: "person", action: "merge", primary: { id: ada }, secondary: { id: bob } },
  item(bob, "delete"),
]

/** Merges the second person into the first, who is merged into a third, and deletes the second. */
const chainOf = (ada: string, bob: string) => {
  const eve = `${ada}-eve`
  const calls = callsOf(ada, bob)
  return [
    ...calls.slice(0, -1),
    item(eve, "identify", { plan: "free" }),
    { type: "person", action: "merge", primary: { id: eve }, secondary: { id: ada } },
    { type: "person", identifiers: { email: `${bob}@example.com` }, action: "event", name: "of bob" },
    ...calls.slice(-1),
  ]
}

const waysToSend: ReadonlyArray<
  readonly [name: string, send: (tenant: Tenant, calls: ReadonlyArray<object>) => Promise<unknown>]
> = [
  ["one batch", (tenant, calls) => tenant.batch(calls)],
  [
    "requests at once",
    // On one connection and with a key that the server knows, so that none overtakes another.
    async (tenant, [first, ...calls]) => {
      await tenant.entity(first)
      const requests = calls.map((call, index) => {
        const body = JSON.stringify(call)
        const last = index === calls.length - 1
        const headers = {
          host: "inlet",
          ...tenant.authorization,
          "content-type": "application/json",
          "content-length": `${body.length}`,
          ...(last && { connection: "close" }),
        }
        return head("POST", "/api/v2/entity", headers) + body
      })
      const raw = await RawConnection.open(Number(new URL(tenant.inlet.url).port), requests.join(""))
      await raw.waitForClose()
    },
  ],
  [
    "requests one after the other",
    async (tenant, calls) => {
      for (const call of calls) await tenant.entity(call)
    },
  ],
]

let database: PostgresServer
beforeAll(async () => {
  database = await PostgresServer.start()
})
afterAll(async () => {
  await database.remove()
})

const stores = {
  SQLite: () => Promise.resolve({}),
  PostgreSQL: async () => ({
    INLET_STORE: database.url(await database.createDatabase()),
    INLET_SECRET: "s".repeat(32),
  }),
}

const scripts = [
  { name: "merged", callsOf, remaining: (ada: string) => ada, plan: "pro" },
  {
    name: "merged through another",
    callsOf: chainOf,
    remaining: (ada: string) => `${ada}-eve`,
    plan: "free",
  },
]

describe.each(Object.entries(stores))("deleting who was merged, on %s", (_, environment) => {
  it.each(scripts)(
    "contract §6 delete of a merged person: ends alike in one batch, in requests at once, and one after the other ($name)",
    async ({ callsOf, plan, remaining }) => {
      const inlet = await Inlet.start({ env: await environment() })
      try {
        const seen = []
        for (const [name, send] of waysToSend) {
          const tenant = await Tenant.create({}, inlet)
          const [ada, bob] = [fresh("ada"), fresh("bob")]
          await send(tenant, callsOf(ada, bob))
          const entries = await tenant.activity({})
          seen.push({
            people: (await tenant.people({})).length,
            left: (await tenant.person({ id: remaining(ada) })).attributes,
            entries: entries.map(({ kind, outcome, source }) => [kind, outcome, source]),
            secrets: JSON.stringify(entries).includes("of bob"),
          })
          expect(seen.at(-1), name).toEqual(seen[0])
        }
        expect(seen[0]).toMatchObject({ people: 1, left: { plan }, secrets: false })
        expect(seen[0]?.entries).toContainEqual(["delete", "applied", "track-v2"])
        expect(seen[0]?.entries).toContainEqual(["unmerge", "applied", "system"])
      } finally {
        await inlet.kill()
      }
    },
  )
})
