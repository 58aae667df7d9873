import { expect, it } from "vitest"
import { CommandLine } from "../../src/commandLine.ts"
import { credentials, Inlet } from "../../src/Inlet.ts"
import { Tenant } from "../../src/Tenant.ts"

const server = await Inlet.start({})

const start = async () => {
  const tenant = await Tenant.create({}, server)
  const inlet = new CommandLine({
    INLET_URL: server.url,
    INLET_MANAGEMENT_TOKEN: credentials.token,
    INLET_WORKSPACE: String(tenant.workspace),
  })
  return { tenant, inlet }
}

it("inlet what-if says which operations another setting would decide otherwise, and changes nothing", async () => {
  const { inlet, tenant } = await start()
  await tenant.identify("ada", { email: "ada@example.com" })
  await tenant.identify("ada", { email: "lovelace@example.com" })
  await tenant.identify("ada", { plan: "pro" })
  const found = await inlet.json("what-if", "--setting", "email_update_by_id=true")
  expect(found).toMatchObject({
    status: "done",
    summary:
      "2 operations decided again: 1 would be different, about 1 person. Of 1 more the log does not say enough.",
    entries: 3,
    decided: 2,
    undecidable: { operations: 1, codes: [{ code: "call_address" }] },
    differing: {
      operations: 1,
      people: 1,
      complete: true,
      items: [
        {
          sequence: 2,
          kind: "identify",
          now: { outcome: "partial", refused: [{ path: "email", code: "fixed_identifier" }] },
          tried: { outcome: "applied", refused: [] },
        },
      ],
    },
  })
  expect(JSON.stringify(found)).not.toContain("lovelace")
  expect(await tenant.person({ id: "ada" })).toMatchObject({ email: "ada@example.com" })
  const lines = await inlet.lines("what-if", "--setting", "email_update_by_id=true")
  expect(lines[0]).toBe(
    "2 operations decided again: 1 would be different, about 1 person. Of 1 more the log does not say enough.",
  )
})

it("inlet what-if tries an omitted path, and nothing at all", async () => {
  const { inlet, tenant } = await start()
  await tenant.identify("ada", { ssn: "1", plan: "pro" })
  await tenant.identify("bob", { plan: "pro" })
  expect(await inlet.json("what-if", "--omit", "traits.ssn")).toMatchObject({
    differing: { operations: 1, items: [{ sequence: 1, differs: ["changes", "data"] }] },
  })
  expect(await inlet.json("what-if", "--omit", "traits.snn")).toMatchObject({
    applied: false,
    summary: "The change never applies: 2 operations decided again, and none of them differs.",
  })
  expect(await inlet.json("what-if")).toMatchObject({
    applied: true,
    decided: 2,
    differing: { operations: 0 },
    range_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
})

it("inlet what-if does not say that a change never applies if it could apply to what nobody can decide", async () => {
  const { inlet, tenant } = await start()
  await tenant.identify("ada", { plan: "pro" })
  await tenant.identify("bob", { ssn: "1" })
  await tenant.track("DELETE", "/api/v1/customers/bob")
  expect(await inlet.json("what-if", "--omit", "traits.ssn")).toMatchObject({
    applied: false,
    summary:
      "Of 1 operation decided again, the change applies to none. Of 2 more the log does not say enough.",
  })
})

it("inlet what-if tries a merge, the end of one, and a rule", async () => {
  const { inlet, tenant } = await start()
  await tenant.identify("ada", { plan: "pro" })
  await tenant.identify("bob", { plan: "free", city: "Rome" })
  const [ada, bob] = [await tenant.person({ id: "ada" }), await tenant.person({ id: "bob" })]
  const pair = `${ada.svc_id},${bob.svc_id}`
  expect(await inlet.json("what-if", "--merge", pair)).toMatchObject({
    applied: false,
    summary:
      "The two people are both there only after the last operation: 2 operations decided again, and none follows their merge.",
  })
  await tenant.identify("bob", { city: "Paris" })
  expect(await inlet.json("what-if", "--merge", pair)).toMatchObject({
    applied: true,
    differing: { items: [{ sequence: 3, now: { outcome: "applied" }, tried: { outcome: "created" } }] },
  })
  expect(await inlet.json("what-if", "--unmerge", pair)).toMatchObject({ applied: false })
  await tenant.merge({ id: "ada" }, { id: "bob" })
  await tenant.identify("bob", { city: "Bonn" })
  expect(await inlet.json("what-if", "--unmerge", pair)).toMatchObject({
    applied: true,
    differing: {
      items: [
        { sequence: 4, tried: null },
        { sequence: 5, now: { outcome: "created" }, tried: { outcome: "applied" } },
      ],
    },
  })
  const rule = JSON.stringify({ attribute: { field: "plan", operator: "eq", value: "pro" } })
  const tried = await inlet.run(["what-if", "--rule", "-", "--json"], rule)
  expect(JSON.parse(tried.stdout)).toMatchObject({ backtest: { members: 1 } })
})

it("refuses two changes at once, settings that cannot be tried, and positions that are gone", async () => {
  const { inlet, tenant } = await start()
  expect((await inlet.run(["what-if", "--omit", "a.b", "--merge", "x,y"])).code).toBe(2)
  expect((await inlet.run(["what-if", "--setting", "records_max=3"])).code).toBe(2)
  const ask = (body: object) => tenant.call("POST", tenant.pathOf("/what-if"), body)
  expect((await ask({ change: { settings: { ip: "drop" } } })).status).toBe(400)
  expect((await ask({ change: {}, days: 3, from: 1 })).status).toBe(400)
  expect((await ask({ change: { merge: { primary: "ada", secondary: "ada" } } })).status).toBe(400)
  expect((await tenant.call("GET", tenant.pathOf("/what-if/none"))).status).toBe(404)
})
