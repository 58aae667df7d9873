import { readdirSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { AppClient, exportEnded, exportFailed } from "../../src/AppClient.ts"
import { eventually } from "../../src/eventually.ts"
import { Inlet } from "../../src/Inlet.ts"
import { Tenant } from "../../src/Tenant.ts"

let inlet: Inlet
let tenant: Tenant
let app: AppClient
beforeAll(async () => {
  inlet = await Inlet.start()
  tenant = await Tenant.create({}, inlet)
  app = await AppClient.create(tenant, "read", inlet)
})
afterAll(() => inlet.stop())

const idOf = (made: unknown): number => Object(made).export.id

const done = async (id: number) => expect(await exportEnded(app, id)).toMatchObject({ status: "done" })

const linkOf = async (id: number): Promise<string> => Object(await app.api.downloadExport(id)).url

/** Fetches a link as a program would, without a key, and returns the lines of the file. */
const rowsAt = async (url: string): Promise<ReadonlyArray<string>> => {
  const answer = await fetch(url)
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/gzip"])
  return gunzipSync(Buffer.from(await answer.arrayBuffer()))
    .toString("utf8")
    .trimEnd()
    .split("\r\n")
}

/** The files of exports in the data directory. */
const filesOf = (id: number): ReadonlyArray<string> =>
  readdirSync(join(inlet.dataDir, "exports")).filter((name) => name.includes(String(id)))

const pro = { attribute: { field: "plan", operator: "eq", value: "pro" } }

/** Expects that the file of an export of two people is gone once one of them is deleted, and not before. */
const expectGone = async (name: string, deleted: () => Promise<unknown>) => {
  const filters = { attribute: { field: "list", operator: "eq", value: name } } as const
  for (const who of ["one", "two"]) await tenant.identify(`${name} ${who}`, { list: name })
  const id = idOf((await app.call("POST", "/exports/customers", { filters })).json)
  await done(id)
  const url = await linkOf(id)
  expect(await rowsAt(url)).toHaveLength(3)
  // Somebody who is not in it.
  await tenant.identify(`${name} other`, {})
  await tenant.track("DELETE", `/api/v1/customers/${encodeURIComponent(`${name} other`)}`)
  expect(await rowsAt(url)).toHaveLength(3)
  await deleted()
  expect((await fetch(url)).status).toBe(404)
  expect((await app.call("GET", `/exports/${id}/download`)).status).toBe(404)
  await eventually("the rows are removed", () =>
    filesOf(id).some((file) => /rows|keys/.test(file)) ? undefined : true,
  )
  await exportFailed(app, id)
}

describe("exports", () => {
  it("hold the people for whom a filter holds, with their attributes as columns", async () => {
    await tenant.identify("ada", { email: "ada@example.com", plan: "pro", note: 'a "quoted", text' })
    await tenant.identify("bob", { plan: "pro", n: 3 })
    await tenant.identify("cy", { plan: "free", secret: "not exported" })
    const made = Object((await app.call("POST", "/exports/customers", { filters: pro })).json)
    expect(made).toEqual({
      export: {
        id: expect.any(Number),
        deduplicate_id: expect.stringMatching(/^\d+:\d+$/),
        type: "customers",
        status: "pending",
        failed: false,
        total: 0,
        description: expect.any(String),
        downloads: 0,
        user_id: 0,
        user_email: "",
        created_at: expect.any(Number),
        updated_at: expect.any(Number),
      },
    })
    const id = idOf(made)
    await done(id)
    expect(Object(await app.api.listExports()).exports).toEqual([
      expect.objectContaining({ id, status: "done", total: 2 }),
    ])
    const rows = await rowsAt(await linkOf(id))
    expect(rows).toEqual([
      "id,email,cio_id,created_at,n,note,plan",
      expect.stringMatching(/^ada,ada@example\.com,p[0-9a-z]+,\d+,,"a ""quoted"", text",pro$/),
      expect.stringMatching(/^bob,,p[0-9a-z]+,\d+,3,,pro$/),
    ])
  })

  it("hold the deliveries of a source", async () => {
    const of = { channel: "email", person: { id: "ada" }, recipient: "ada@example.com" }
    await tenant.call("PUT", tenant.pathOf("/deliveries/d1"), { ...of, newsletter_id: 3 })
    await tenant.call("PUT", tenant.pathOf("/deliveries/d2"), { ...of, newsletter_id: 4 })
    await tenant.track("POST", "/api/v1/metrics", {
      delivery_id: "d1",
      metric: "opened",
      timestamp: 1619137768,
    })
    const id = idOf(await app.api.createDeliveriesExport(3, { attributes: ["plan"] }))
    await done(id)
    const [head = "", ...rows] = await rowsAt(await linkOf(id))
    expect(rows).toHaveLength(1)
    const row = Object.fromEntries(head.split(",").map((name, i) => [name, rows[0]?.split(",")[i]]))
    expect(row).toMatchObject({
      delivery_id: "d1",
      type: "email",
      customer_id: "ada",
      recipient: "ada@example.com",
      opened: "1619137768",
      clicked: "",
      plan: "pro",
    })
    expect((await app.call("POST", "/exports/deliveries", {})).status).toBe(400)
  })

  it("cannot be fetched with a link that was changed", async () => {
    const [{ id }] = Object(await app.api.listExports()).exports
    const url = await linkOf(id)
    expect(new URL(url).origin).toBe(new URL(inlet.url).origin)
    for (const [from, to] of [
      [/signature=./, "signature=x"],
      [/until=\d/, "until=9"],
      [/workspace=\d+/, "workspace=1"],
    ] as const) {
      expect((await fetch(url.replace(from, to))).status).toBe(404)
    }
  })

  it("are refused where the filter is wrong, and are not found elsewhere", async () => {
    expect((await app.call("POST", "/exports/customers", { filters: {} })).status).toBe(400)
    expect((await app.call("POST", "/exports/customers", { filters: pro, attributes: [1] })).status).toBe(400)
    expect((await app.call("GET", "/exports/1")).status).toBe(404)
    const other = await Tenant.create({}, inlet)
    const stranger = await AppClient.create(other, "read", inlet)
    const [{ id }] = Object(await app.api.listExports()).exports
    expect((await stranger.call("GET", `/exports/${id}`)).status).toBe(404)
    expect((await stranger.call("GET", `/exports/${id}/download`)).status).toBe(404)
  })

  it("are gone at once when somebody in them is deleted", async () => {
    await expectGone("deleted", () => tenant.track("DELETE", "/api/v1/customers/deleted%20two"))
  })

  it("are gone at once when somebody in them is suppressed", async () => {
    await expectGone("suppressed", () => tenant.track("POST", "/api/v1/customers/suppressed%20one/suppress"))
  })

  it("are gone at once when somebody is deleted into whom somebody in them was merged", async () => {
    await tenant.identify("primary", {})
    await expectGone("merged", async () => {
      await tenant.merge({ id: "primary" }, { id: "merged one" })
      await tenant.track("DELETE", "/api/v1/customers/primary")
    })
  })
})
