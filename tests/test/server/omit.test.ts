import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { eventually } from "../../src/eventually.ts"
import { filesContaining } from "../../src/files.ts"
import { send } from "../../src/http.ts"
import { uploadImport } from "../../src/importJobs.ts"
import { batch, entity, identify, pipelines, strict, track, type Payload } from "../../src/ingestion.ts"
import { credentials, Inlet } from "../../src/Inlet.ts"
import { Management } from "../../src/Management.ts"
import { Tenant } from "../../src/Tenant.ts"

const secret = "omittedvalue7c1f"

const omit = [
  "url-query",
  "context.own",
  "context.userAgent",
  "properties.card",
  "traits.ssn",
  "properties.items.price",
]

let inlet: Inlet
let management: Management

beforeAll(async () => {
  inlet = await Inlet.start({ env: { INLET_OMIT: omit.join(", ") } })
  management = new Management(inlet)
})
afterAll(() => inlet.stop())

const entries = async (): Promise<ReadonlyArray<Record<string, unknown>>> => {
  const { json } = await management.call("GET", management.pathOf("/activity?limit=1000&order=asc"))
  return (json as { items: ReadonlyArray<Record<string, unknown>> }).items
}

const card = { card: secret, items: [{ price: secret, sku: "a" }], plan: "pro" }
const ssn = { ssn: secret, plan: "pro" }
const context = {
  own: secret,
  userAgent: `Browser/${secret}`,
  page: { url: `https://example.com/?q=${secret}`, path: "/" },
  traits: ssn,
}

const csv = (path: string, body: string) =>
  send(inlet.url, {
    method: "POST",
    path: `/management/v1${management.pathOf(path)}`,
    headers: { authorization: `Bearer ${credentials.token}`, "content-type": "text/csv" },
    body,
  })

describe("contract §13 omit: nothing of what is omitted reaches the disk", () => {
  it("takes it out of calls of every API, accepted and rejected, and out of imports", async () => {
    const browser = { "user-agent": `Browser/${secret}` }
    const calls: ReadonlyArray<Promise<{ readonly status: number }>> = [
      pipelines(inlet, "/v1/identify", { userId: "ada", traits: ssn, context }, browser),
      pipelines(inlet, "/v1/track", { userId: "ada", event: "bought", properties: card, context }, browser),
      pipelines(inlet, "/v1/page", { userId: "ada", properties: { url: context.page.url } }),
      pipelines(inlet, "/v1/group", { userId: "ada", groupId: "acme", traits: ssn }),
      pipelines(inlet, "/v1/batch", { context, batch: [{ type: "track", userId: "ada", event: "seen" }] }),
      pipelines(
        inlet,
        "/v1/track",
        { event: 5, properties: card, traits: ssn, context },
        { ...strict, ...browser },
      ),
      pipelines(inlet, "/v1/track", `{"userId":"ada","properties":{"card":"${secret}",}}` as Payload),
      identify(inlet, "bob", ssn),
      identify(inlet, "bob", { ...ssn, created_at: "x".repeat(1001), email: "x".repeat(1001) }),
      track(inlet, "POST", "/api/v1/customers/bob/events", { name: "bought", data: card }),
      track(inlet, "POST", "/api/v1/customers/bob/events", { data: card, ...card }),
      track(inlet, "PUT", "/api/v1/customers/bob/devices", {
        device: { id: "t", platform: "ios", attributes: ssn },
      }),
      track(inlet, "POST", "/api/v1/forms/f/submit", {
        data: { email: "f@example.com", ...ssn, card: secret },
      }),
      track(inlet, "POST", "/api/v1/nowhere", { attributes: ssn, data: card, traits: ssn, ...ssn }),
      entity(inlet, { type: "person", action: "identify", identifiers: { id: "eve" }, attributes: ssn }),
      entity(inlet, {
        type: "person",
        action: "event",
        identifiers: { id: "eve" },
        name: "e",
        attributes: card,
      }),
      entity(inlet, { type: "person", action: "nothing", attributes: { ...ssn, ...card } }),
      batch(inlet, [{ type: "person", action: "identify", attributes: ssn }]),
      track(inlet, "POST", "/api/v2/batch", { attributes: ssn, data: card }),
      csv("/imports/people", `id,ssn,plan\ncsv,${secret},pro\n`),
      csv("/imports/events", `_cio_name,_cio_customer_id,card,plan\nbought,csv,${secret},pro\n`),
      management.call("POST", management.pathOf("/operations"), {
        type: "person",
        action: "identify",
        identifiers: { id: "ops" },
        attributes: ssn,
      }),
      management.call("POST", management.pathOf("/import"), {
        entities: [
          {
            entity: {
              type: "person",
              action: "event",
              identifiers: { id: "imp" },
              name: "e",
              attributes: card,
            },
            key: "k",
            kind: "event",
            context,
            kept_as: [{ path: "properties.card", sent: secret, kept: 1, code: "rounded" }],
          },
        ],
      }),
    ]
    for (const answer of await Promise.all(calls)) expect(answer.status).not.toBe(500)
    const shown = await entries()
    expect(JSON.stringify(shown)).not.toContain(secret)
    expect(shown.filter(({ outcome }) => outcome === "rejected")).toHaveLength(8)
    const bought = shown.find(({ name, source }) => name === "bought" && source === "pipelines")
    expect(bought).toMatchObject({
      data: { items: [{ sku: "a" }], plan: "pro" },
      context: { page: { url: "https://example.com/", path: "/" }, traits: { plan: "pro" } },
    })
    expect(new Set(bought?.["omitted"] as ReadonlyArray<string>)).toStrictEqual(
      new Set(["page.url", "own", "userAgent", "traits.ssn", "properties.card", "properties.items.price"]),
    )
    expect(filesContaining(inlet.dataDir, secret)).toStrictEqual([])
  })

  it("takes a field out of a form by the attribute that it sets, also of refused and replayed submissions", async () => {
    await track(inlet, "POST", "/api/v1/forms/mapped/submit", { data: { id: "form" } })
    const mapping = { number: "ssn" }
    await management.call("PATCH", management.pathOf("/forms/mapped"), { mapping })
    const data = { id: "form", number: secret, plan: "pro" }
    const submit = (given: object) =>
      track(inlet, "POST", "/api/v1/forms/mapped/submit", { data: { ...data, ...given } })
    expect((await submit({})).status).toBe(204)
    expect((await submit({ id: "", list: [secret.length] })).status).toBe(400)
    await management.call("POST", management.pathOf("/import"), {
      entities: [
        {
          entity: { type: "form", action: "submit", form_id: "mapped", data: { ...data, ssn: secret } },
          key: "of a form",
        },
      ],
    })
    const shown = (await entries()).filter(({ kind, name }) => kind === "form_submission" && name !== "f")
    expect(shown.slice(-3).map(({ outcome, omitted }) => [outcome, omitted])).toStrictEqual([
      ["applied", ["traits.ssn"]],
      ["rejected", ["traits.ssn"]],
      ["applied", ["traits.ssn"]],
    ])
    expect(shown.at(-2)).toMatchObject({ data: { data: { id: "", plan: "pro" } } })
    expect(filesContaining(inlet.dataDir, secret)).toStrictEqual([])
  })

  it("keeps the file of an import only until the import has ended", async () => {
    const tenant = await Tenant.create({ name: "imports", omit }, inlet)
    const answer = await uploadImport(tenant, `id,ssn,plan\njob,${secret},pro\n`)
    expect(answer.status).toBe(202)
    await eventually("the file is gone", async () =>
      filesContaining(inlet.dataDir, secret).length === 0 ? true : undefined,
    )
    const [job] = await tenant.people({ id: "job" })
    expect(job?.attributes).toStrictEqual({ plan: "pro" })
  })
})

const patch = (omitted: unknown) => management.call("PATCH", management.pathOf(""), { omit: omitted })

describe("contract §13 omit: the setting", () => {
  it("comes from the first start", async () => {
    const { json } = await management.call("GET", management.pathOf(""))
    expect(json).toMatchObject({ omit })
  })

  it.each([
    [["page.search"], "omit.0: page.search: a path begins with `context.`"],
    [["traits.a", "context"], "omit.1: context: a path names a key below `context`"],
    [["traits..a"], "omit.0: traits..a: a key of the path is empty"],
    [[`traits.${"x".repeat(200)}`], "omit.0: a path can have at most 200 characters, and this one has 207"],
    [
      Array.from({ length: 51 }, (_, i) => `traits.a${i}`),
      "omit: a workspace can omit at most 50 paths, and these are 51",
    ],
    ["traits.a", "omit:"],
  ])("refuses %j with what is wrong", async (given, message) => {
    const answer = await patch(given)
    expect(answer.status).toBe(400)
    expect((answer.json as { detail: string }).detail).toContain(message)
  })

  it("takes fifty paths, and ends with an empty list", async () => {
    const fifty = Array.from({ length: 50 }, (_, i) => `properties.a${i}`)
    expect((await patch(fifty)).json).toMatchObject({ omit: fifty })
    await pipelines(inlet, "/v1/track", { userId: "ada", event: "last", properties: { a49: 1, a50: 2 } })
    expect((await entries()).at(-1)).toMatchObject({ data: { a50: 2 }, omitted: ["properties.a49"] })
    expect((await patch([])).json).toMatchObject({ omit: [] })
  })
})

it("contract §13 bots: calls of bots are marked, or ignored", async () => {
  const tenant = await Tenant.create({ name: "bots" }, inlet)
  const { json } = await tenant.call("POST", tenant.pathOf("/keys"), { kind: "pipelines", name: "web" })
  const authorization = `Basic ${btoa(`${(json as { write_key: string }).write_key}:`)}`
  const userAgent = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"
  const call = { userId: "crawler", context: { userAgent, page: { path: "/" } } }
  await pipelines(inlet, "/v1/identify", call, { authorization })
  await tenant.updateSettings({ bots: "ignore" })
  await pipelines(inlet, "/v1/identify", { ...call, userId: "another" }, { authorization })
  const answer = await tenant.call("GET", tenant.pathOf("/activity?filter=bot:true&order=asc"))
  const [marked, ignored] = (answer.json as { items: ReadonlyArray<Record<string, unknown>> }).items
  expect(marked).toMatchObject({ outcome: "created", bot: true, context: call.context })
  expect(ignored).toMatchObject({ outcome: "ignored", rule: "contract §13 bots", bot: true, data: null })
  expect(ignored).not.toHaveProperty("context")
  expect(await tenant.people({ id: "another" })).toStrictEqual([])
})
