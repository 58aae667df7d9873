import { beforeAll, describe, expect, it } from "vitest"
import { AppClient } from "../../src/AppClient.ts"
import { Tenant } from "../../src/Tenant.ts"

interface Listed {
  readonly path: string
  readonly body?: unknown
  readonly field: string
  readonly key: (item: unknown) => string
  /** Adds something to the list, and takes something away that was not listed yet. */
  readonly write: (n: number) => Promise<unknown>
}

const people = 12
let tenant: Tenant
let app: AppClient
let segment: number
beforeAll(async () => {
  tenant = await Tenant.create()
  app = await AppClient.create(tenant)
  segment = await tenant.createSegment("everybody")
  const ids = Array.from({ length: people }, (_, n) => `p${n}`)
  await tenant.batch(
    ids.map((id, n) => ({
      type: "person",
      action: "identify",
      identifiers: { id },
      attributes: { plan: "pro", n },
      cio_relationships: [{ identifiers: { object_type_id: "1", object_id: "acme" } }],
    })),
  )
  await tenant.track("POST", `/api/v1/segments/${segment}/add_customers`, { ids })
  for (const n of ids.keys()) {
    await tenant.batch([
      {
        type: "person",
        action: "add_relationships",
        identifiers: { id: "p0" },
        cio_relationships: [{ identifiers: { object_type_id: "2", object_id: `o${n}` } }],
      },
      { type: "person", action: "event", identifiers: { id: "p0" }, name: `event ${n}` },
    ])
    await tenant.call("PUT", tenant.pathOf(`/deliveries/m${n}`), { channel: "email", person: { id: "p0" } })
  }
})

const join = (id: string) =>
  tenant
    .identify(id, { plan: "pro" })
    .then(() => tenant.track("POST", `/api/v1/segments/${segment}/add_customers`, { ids: [id] }))

const identifierOf = (item: unknown): string => Object(item).id

/** Every list, and what is written while it is read. */
const lists: () => ReadonlyArray<Listed> = () => [
  {
    path: "/customers",
    body: { filter: { attribute: { field: "plan", operator: "eq", value: "pro" } } },
    field: "identifiers",
    key: identifierOf,
    write: (n) => join(`new${n}`),
  },
  {
    path: `/segments/${segment}/membership`,
    field: "identifiers",
    key: identifierOf,
    write: (n) => join(`member${n}`),
  },
  {
    path: "/customers/p0/relationships",
    field: "cio_relationships",
    key: (item) => Object(item).identifiers.object_id,
    write: (n) =>
      tenant.entity({
        type: "person",
        action: "add_relationships",
        identifiers: { id: "p0" },
        cio_relationships: [{ identifiers: { object_type_id: "2", object_id: `later${n}` } }],
      }),
  },
  {
    path: "/objects",
    body: { object_type_id: "2", filter: { not: { object_attribute: { field: "x", operator: "exists" } } } },
    field: "ids",
    key: String,
    write: (n) =>
      tenant.entity({
        type: "object",
        action: "identify",
        identifiers: { object_type_id: "2", object_id: `new object ${n}` },
      }),
  },
  {
    path: "/objects/1/acme/relationships",
    field: "cio_relationships",
    key: (item) => Object(item).identifiers.id,
    write: (n) =>
      tenant.entity({
        type: "person",
        action: "add_relationships",
        identifiers: { id: `related${n}` },
        cio_relationships: [{ identifiers: { object_type_id: "1", object_id: "acme" } }],
      }),
  },
  {
    path: "/customers/p0/messages",
    field: "messages",
    key: identifierOf,
    write: (n) =>
      tenant.call("PUT", tenant.pathOf(`/deliveries/later${n}`), { channel: "email", person: { id: "p0" } }),
  },
  {
    path: "/messages",
    field: "messages",
    key: identifierOf,
    write: (n) => tenant.call("PUT", tenant.pathOf(`/deliveries/other${n}`), { channel: "email" }),
  },
  {
    path: "/customers/p0/activities?type=event",
    field: "activities",
    key: (item) => Object(item).name,
    write: (n) => tenant.recordEvent("p0", { name: `later ${n}` }),
  },
  {
    path: "/activities?type=event",
    field: "activities",
    key: (item) => Object(item).name,
    write: (n) => tenant.recordEvent("p1", { name: `elsewhere ${n}` }),
  },
]

/** Reads a whole list in pages of three, and writes between them. */
const readAll = async ({ body, field, key, path, write }: Listed, isWritten: boolean) => {
  const seen: Array<string> = []
  let start = ""
  for (let n = 0; n < 40; n++) {
    const query = `${path.includes("?") ? "&" : "?"}limit=3${start === "" ? "" : `&start=${start}`}`
    const answer = await app.call(body === undefined ? "GET" : "POST", path + query, body)
    expect([path, answer.status]).toEqual([path, 200])
    const page = Object(answer.json)
    const items: ReadonlyArray<unknown> = page[field]
    seen.push(...items.map(key))
    if (!("next" in page)) return seen
    expect([path, items.length]).toEqual([path, 3])
    start = page.next
    if (isWritten) await write(n)
  }
  throw new Error(`${path} has no end`)
}

describe("pages of the App API", () => {
  it("show everything once while others write", async () => {
    for (const list of lists()) {
      const before = await readAll(list, false)
      expect(new Set(before).size).toBe(before.length)
      expect(before.length).toBeGreaterThanOrEqual(people)
      const during = await readAll(list, true)
      expect(new Set(during).size).toBe(during.length)
      expect(before.filter((one) => !during.includes(one))).toEqual([])
    }
  }, 120_000)

  it("are cut to the largest", async () => {
    expect((await app.call("GET", "/customers/p0/activities?limit=100000")).status).toBe(200)
    const { activities } = Object(await app.get("/customers/p0/activities"))
    expect(activities).toHaveLength(10)
  })

  it("refuse the cursor of another list", async () => {
    const { next } = Object(await app.get(`/segments/${segment}/membership?limit=1`))
    expect((await app.call("GET", `/customers/p0/activities?start=${next}`)).status).toBe(400)
  })
})
