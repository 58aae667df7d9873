import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { freshDirectory } from "../../src/cleanup.ts"
import { CommandLine } from "../../src/commandLine.ts"
import { credentials, Inlet } from "../../src/Inlet.ts"
import { summarized } from "../../src/summarized.ts"
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

const schema = {
  type: "object",
  required: ["total"],
  properties: { total: { type: "number" }, currency: { enum: ["EUR", "USD"] } },
}

const fileWith = (mode: string): string => {
  const file = join(freshDirectory(), "plans.json")
  writeFileSync(file, JSON.stringify({ plans: [{ kind: "event", name: "bought", mode, schema }] }))
  return file
}

const calls = [
  { total: 1, currency: "EUR" },
  { total: "one", currency: "EUR" },
  { total: 2, currency: "CHF" },
  {},
]

const sendAll = async (tenant: Tenant) => {
  for (const data of calls) await tenant.recordEvent("ada", { name: "bought", data })
}

const outcomes = async (tenant: Tenant) => {
  const entries = await tenant.activity({ kind: "event", order: "asc" })
  return entries.map(({ outcome, refused, reasons }) => ({
    outcome,
    codes: reasons.map(({ code }) => code),
    refused: refused.map(({ path }) => path),
  }))
}

it("inlet plan pulls what was pushed, and a dry run changes nothing", async () => {
  const { inlet } = await start()
  const file = fileWith("observe")
  expect(await inlet.json("plan", "push", file)).toMatchObject({
    version: 1,
    changes: [{ kind: "event", name: "bought", change: "added" }],
  })
  expect(await inlet.json("plan", "push", fileWith("reject"), "--dry-run")).toMatchObject({ status: "done" })
  const pulled = await inlet.lines("plan", "pull")
  expect(JSON.parse(pulled.join("\n"))).toEqual({
    plans: [{ kind: "event", name: "bought", mode: "observe", schema }],
  })
  expect(await inlet.json("plan", "push", file)).toMatchObject({ version: 1, changes: [] })
})

it.each(["observe", "strip", "reject"])(
  "the trial of a plan that would %s says what the same calls get once it is there",
  async (mode) => {
    const before = await start()
    const after = await start()
    const people = [before, after].map(({ tenant }) => tenant.identify("ada", { email: "ada@example.com" }))
    await Promise.all(people)
    await sendAll(before.tenant)
    await after.inlet.json("plan", "push", fileWith(mode))
    await sendAll(after.tenant)
    const trial = (await before.inlet.json("what-if", "--plan", fileWith(mode))) as {
      readonly differing: {
        readonly items: ReadonlyArray<{ readonly sequence: number; readonly tried: unknown }>
      }
    }
    const now = await outcomes(before.tenant)
    const then = await outcomes(after.tenant)
    const differing = trial.differing.items.map(({ sequence }) => sequence - 2).toSorted((a, b) => a - b)
    expect(differing).toEqual([1, 2, 3])
    const kept = mode === "observe"
    for (const i of now.keys()) {
      const isOther = JSON.stringify(now[i]) !== JSON.stringify(then[i])
      if (kept) expect(isOther).toBe(false)
      else if (isOther) expect(differing).toContain(i)
      const tried = trial.differing.items.find(({ sequence }) => sequence === i + 2)?.tried
      if (tried !== undefined) {
        const { outcome, codes, refused } = then[i] ?? { outcome: "", codes: [], refused: [] }
        expect(tried).toMatchObject({ outcome, codes: codes.toSorted() })
        expect(
          (tried as { refused: ReadonlyArray<{ path: string }> }).refused.map(({ path }) => path),
        ).toEqual(refused)
      }
    }
  },
)

it("inlet plan promote shows the trial, and sets the next mode", async () => {
  const { inlet, tenant } = await start()
  await tenant.identify("ada", {})
  await inlet.json("plan", "push", fileWith("observe"))
  await sendAll(tenant)
  const lines = await inlet.lines("plan", "promote", "bought", "--yes")
  expect(lines[0]).toMatch(/operations decided again/)
  const pulled = await inlet.lines("plan", "pull")
  expect(JSON.parse(pulled.join("\n"))).toMatchObject({ plans: [{ mode: "strip" }] })
})

it("a trial reads the cells of an imported file as the import does", async () => {
  const { inlet, tenant } = await start()
  await tenant.identify("ada", {})
  const file = join(freshDirectory(), "events.csv")
  writeFileSync(file, "_svc_name,_svc_customer_id,total\nbought,ada,12\nbought,ada,twelve\n")
  expect((await inlet.run(["import", "events", file])).code).toBe(0)
  expect(await inlet.json("plan", "push", fileWith("reject"), "--dry-run")).toMatchObject({
    decided: 3,
    differing: { operations: 1 },
  })
})

it("a trial decides as the import did what a plan left out of its rows", async () => {
  const { inlet, tenant } = await start()
  await tenant.identify("ada", {})
  const properties = { total: { type: "number" }, "price.net": { type: "number" } }
  const plans = join(freshDirectory(), "plans.json")
  const plan = { kind: "event", name: "bought", mode: "strip", schema: { type: "object", properties } }
  writeFileSync(plans, JSON.stringify({ plans: [plan] }))
  await inlet.json("plan", "push", plans)
  const file = join(freshDirectory(), "events.csv")
  writeFileSync(
    file,
    "_svc_name,_svc_customer_id,total,price.net,note\nbought,ada,twelve,ten,a\nbought,ada,12,10,b\n",
  )
  expect((await inlet.run(["import", "events", file])).code).toBe(0)
  expect((await outcomes(tenant)).map(({ refused }) => refused)).toEqual([
    ["attributes.total", "attributes.price.net"],
    [],
  ])
  expect(await inlet.json("what-if")).toMatchObject({
    decided: 3,
    undecidable: { operations: 0 },
    differing: { operations: 0 },
  })
  await inlet.json("plan", "push", fileWith("reject"))
  const rejected = await inlet.run(["import", "events", file])
  const said = `${rejected.stdout}${rejected.stderr}`
  expect(said).toContain("total is text(6)")
  expect(said).not.toContain("attributes.total")
})

it("a trial knows which plans an operation was decided with", async () => {
  const { inlet, tenant } = await start()
  const trial = (mode: string) => inlet.json("plan", "push", fileWith(mode), "--dry-run")
  const differing = { undecidable: { operations: 0 }, differing: { operations: 1, people: 1 } }
  await tenant.identify("ada", {})
  await inlet.json("plan", "push", fileWith("observe"))
  await tenant.recordEvent("ada", { name: "bought", data: { total: "one" } })
  expect(await trial("reject")).toMatchObject(differing)
  expect(await trial("strip")).toMatchObject(differing)
  await inlet.json("plan", "push", fileWith("strip"))
  expect(await trial("reject")).toMatchObject(differing)
  expect(await inlet.json("what-if")).toMatchObject({ decided: 2, differing: { operations: 0 } })
  await inlet.json("plan", "push", fileWith("reject"))
  expect(await trial("strip")).toMatchObject(differing)
  expect(await trial("observe")).toMatchObject({ decided: 2, differing: { operations: 0 } })
})

it("inlet why and inlet tail say where an observed call does not fit its plan", async () => {
  const { inlet, tenant } = await start()
  await inlet.json("plan", "push", fileWith("observe"))
  const answer = await tenant.recordEvent("ada", { name: "bought", data: { total: "one" } })
  const page = await inlet.lines("why", String(answer.headers["inlet-operation-id"]))
  const at = page.indexOf("PLAN: bought, version 1")
  expect(page[at + 1]).toMatch(/^ {2}total +is text\(3\), which type of the plan does not allow$/)
  expect(page.join("\n")).toContain("Correct the value, or the plan of the event.")
  expect((await inlet.lines("tail", "plan:violated", "--until", "2100-01-01")).join("\n")).toContain(
    "does not fit its plan: total",
  )
  await inlet.json("plan", "push", fileWith("strip"))
  const stripped = await tenant.recordEvent("ada", { name: "bought", data: { total: "one" } })
  const text = (await inlet.lines("why", String(stripped.headers["inlet-operation-id"]))).join("\n")
  expect(text).toMatch(/\n {2}data\.total +one {2}is text\(3\), which/)
})

it("inlet types show counts the calls that did not fit the plan, and those that it rejected", async () => {
  const { inlet, tenant } = await start()
  await inlet.json("plan", "push", fileWith("observe"))
  const bad = { name: "bought", data: { total: "one" } }
  expect((await tenant.recordEvent("ada", bad)).status).toBe(200)
  await inlet.json("plan", "push", fileWith("reject"))
  expect((await tenant.recordEvent("ada", bad)).status).toBe(400)
  await summarized(tenant)
  const shown = await inlet.lines("types", "show", "bought")
  expect(shown).toContainEqual(expect.stringMatching(/^ {2}violations +2, last /))
  expect(shown).toContainEqual(expect.stringMatching(/^ {2}count +1$/))
})
