import { join } from "node:path"
import {
  APIClient,
  SendEmailRequest,
  SendInAppRequest,
  SendInboxMessageRequest,
  SendPushRequest,
  SendSMSRequest,
  SendWhatsAppRequest,
} from "customerio-node"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { freshDirectory } from "../../src/cleanup.ts"
import { AppClient } from "../../src/AppClient.ts"
import { CommandLine } from "../../src/commandLine.ts"
import { send } from "../../src/http.ts"
import { credentials, Inlet, variablesFor } from "../../src/Inlet.ts"
import { launch, type Launched } from "../../src/Launched.ts"
import { waitForAddresses } from "../../src/listenAddresses.ts"
import { sharedServer, Tenant } from "../../src/Tenant.ts"

let tenant: Tenant
let app: AppClient
beforeAll(async () => {
  tenant = await Tenant.create()
  app = await AppClient.create(tenant)
  await tenant.identify("ada", { plan: "pro" })
})

const errorOf = (text: string): unknown => Object(Object(JSON.parse(text)).meta).error

describe("keys of the App API", () => {
  it("are needed: nothing else opens it", async () => {
    const management = { authorization: `Bearer ${"m".repeat(32)}` }
    for (const headers of [{}, management, tenant.authorization, { authorization: "Bearer" }]) {
      const answer = await send(sharedServer.url, { method: "GET", path: "/v1/segments", headers })
      expect([answer.status, errorOf(answer.text)]).toEqual([401, expect.stringMatching(/^Unauthorized/)])
      expect(answer.headers["www-authenticate"]).toBe("Bearer")
    }
  })

  it("open no other API", async () => {
    const headers = { authorization: `Bearer ${app.key}` }
    const management = await send(sharedServer.url, {
      method: "GET",
      path: `/management/v1/workspaces/${tenant.workspace}`,
      headers,
    })
    expect(management.status).toBe(401)
    const track = await send(sharedServer.url, {
      method: "PUT",
      path: "/api/v1/customers/ada",
      headers,
      body: "{}",
    })
    expect(track.status).toBe(401)
  })

  it("open one workspace, and end when they are revoked", async () => {
    const other = await Tenant.create()
    const reader = await AppClient.create(other)
    await expect(reader.api.getAttributes("ada")).rejects.toMatchObject({ statusCode: 404 })
    await other.call("DELETE", other.pathOf(`/keys/${reader.keyId}`))
    await expect.poll(async () => (await reader.call("GET", "/segments")).status).toBe(401)
  })

  it("that only read are refused to change segments", async () => {
    const reader = await AppClient.create(tenant, "read")
    const created = await reader.call("POST", "/segments", { segment: { name: "No" } })
    expect([created.status, errorOf(created.text)]).toEqual([403, expect.stringMatching(/read\+segments/)])
    const id = await tenant.createSegment("Stays")
    expect((await reader.call("DELETE", `/segments/${id}`)).status).toBe(403)
    expect((await reader.call("GET", `/segments/${id}`)).status).toBe(200)
    expect((await reader.call("POST", "/customers", { filter: { segment: { id } } })).status).toBe(200)
  })

  it("have 100 requests a second, then 429 with Retry-After", async () => {
    const reader = await AppClient.create(tenant)
    const answers = await Promise.all(Array.from({ length: 400 }, () => reader.call("GET", "/segments/0")))
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThan(0)
    expect(answers.filter(({ status }) => status === 404).length).toBeGreaterThanOrEqual(100)
    for (const { headers, text } of refused) {
      expect([headers["retry-after"], errorOf(text)]).toEqual(["1", expect.stringMatching(/100 requests/)])
    }
    expect((await app.call("GET", "/segments")).status).toBe(200)
  })
})

describe("ids in paths", () => {
  const ids = ["a/b c", "50%", "jane+x@example.com", "ä", "a//b", "%2F", "attributes", "cio_nobody", "x:y;z"]

  it.each(ids)("%s is found escaped and as it is", async (id) => {
    await tenant.entity({
      type: "person",
      action: "identify",
      identifiers: { id },
      attributes: { plan: "x" },
    })
    const found = expect.objectContaining({ customer: expect.objectContaining({ id }) })
    expect(await app.api.getAttributes(id)).toEqual(found)
    // Two slashes in a row count as one, what looks escaped is unescaped, and a path is ASCII.
    if (["a//b", "%2F", "ä"].includes(id)) return
    // Spaces cannot be sent as they are, because they end the path.
    const path = `/customers/${id.replaceAll(" ", "%20")}/attributes`
    expect((await app.call("GET", path)).json).toEqual(found)
  })
})

describe("malformed calls", () => {
  const leaf = { attribute: { field: "plan", operator: "eq", value: "pro" } }
  const bodies: ReadonlyArray<readonly [string, string, unknown, RegExp]> = [
    ["no filter", "/customers", {}, /^`filter`/],
    ["two properties", "/customers", { filter: { ...leaf, segment: { id: 1 } } }, /exactly one/],
    [
      "an unknown operator",
      "/customers",
      { filter: { attribute: { field: "a", operator: "gt", value: 1 } } },
      /eq/,
    ],
    ["eq without a value", "/customers", { filter: { attribute: { field: "a", operator: "eq" } } }, /filter/],
    ["not with a list", "/customers", { filter: { not: [leaf] } }, /^`filter.not`/],
    ["another leaf", "/customers", { filter: { event: { name: "a" } } }, /exactly one/],
    ["a nested fault", "/customers", { filter: { and: [leaf, {}] } }, /^`filter.and.1`/],
    ["no JSON", "/customers", "{", /JSON/],
    ["101 ids", "/customers/attributes", { ids: Array.from({ length: 101 }, String) }, /100/],
    ["no ids", "/customers/attributes", {}, /ids/],
    ["no name", "/segments", { segment: { name: " " } }, /name/],
    ["no type", "/objects", { filter: leaf }, /object_type_id/],
  ]
  it.each(bodies)("%s is a 400 that says so", async (_name, path, body, error) => {
    const answer = await app.call("POST", path, body)
    expect([answer.status, errorOf(answer.text)]).toEqual([400, expect.stringMatching(error)])
  })

  const paths: ReadonlyArray<readonly [string, number]> = [
    ["/customers", 400],
    ["/customers/ada/attributes?id_type=phone", 400],
    ["/customers/nobody/attributes", 404],
    ["/customers/nobody/messages", 404],
    ["/customers/ada/activities?limit=0", 400],
    ["/customers/ada/activities?limit=x", 400],
    ["/customers/ada/activities?start=x", 400],
    ["/messages?start_ts=yesterday", 400],
    ["/messages?type=fax", 400],
    ["/messages/nothing", 404],
    ["/segments/x", 404],
    ["/segments/999999/membership", 404],
    ["/objects/1/nothing/attributes", 404],
    ["/customers/ada", 404],
    ["/snippets", 404],
  ]
  it.each(paths)("%s is a %i", async (path, status) => {
    const answer = await app.call("GET", path)
    expect([path, answer.status, errorOf(answer.text)]).toEqual([path, status, expect.any(String)])
  })

  it("another method of a path is a 405 that names its methods", async () => {
    const answer = await app.call("PUT", "/segments")
    expect([answer.status, answer.headers.allow]).toEqual([405, "GET, POST"])
  })

  it("id_type of a kind that the workspace does not identify by is a 400", async () => {
    const byId = await Tenant.create({ identifiers: ["id"] })
    const reader = await AppClient.create(byId)
    await byId.identify("ada")
    expect((await reader.call("GET", "/customers/ada/attributes?id_type=email")).status).toBe(400)
    expect((await reader.call("GET", "/customers/ada/attributes?id_type=id")).status).toBe(200)
  })
})

/** The methods of the client that read what Inlet has, or manage manual segments. */
const answered: ReadonlySet<string> = new Set([
  "createSegment",
  "deleteSegment",
  "findObjects",
  "getAttributes",
  "getCustomerActivities",
  "getCustomerMessages",
  "getCustomerRelationships",
  "getCustomerSegments",
  "getCustomerSubscriptionPreferences",
  "getCustomersAttributes",
  "getCustomersByEmail",
  "getMessage",
  "getMessages",
  "getObjectAttributes",
  "getObjectRelationships",
  "getSegment",
  "getSegmentCustomerCount",
  "getSegmentMembership",
  "getSegmentUsedBy",
  "listActivities",
  "listObjectTypes",
  "listSegments",
  "searchCustomers",
])

const exporting = /^(?:listExports|getExport|downloadExport|createCustomersExport|createDeliveriesExport)$/

describe("APIClient and what Inlet does not have", () => {
  const message = { to: "a@example.com", identifiers: { id: "ada" }, transactional_message_id: 1 }
  const requests: Readonly<Record<string, unknown>> = {
    sendEmail: new SendEmailRequest(message),
    sendPush: new SendPushRequest(message),
    sendSMS: new SendSMSRequest(message),
    sendWhatsApp: new SendWhatsAppRequest(message),
    sendInboxMessage: new SendInboxMessageRequest(message),
    sendInApp: new SendInAppRequest(message),
  }
  const others = Object.getOwnPropertyNames(APIClient.prototype).filter(
    (name) =>
      name !== "constructor" && name !== "resourceBase" && !answered.has(name) && !exporting.test(name),
  )

  it("refuses every method that sends, and every other with a sentence", async () => {
    const statuses = new Map<string, number>()
    for (const name of others) {
      const reader = await AppClient.create(tenant)
      const method: unknown = Reflect.get(reader.api, name)
      if (typeof method !== "function") throw new Error(`no method ${name}`)
      const args = [requests[name] ?? 1, 1, 1, 1]
      const failure: unknown = await Promise.resolve()
        .then(() => method.apply(reader.api, args))
        .then(
          () => undefined,
          (error: unknown) => error,
        )
      const { statusCode, message: said } = Object(failure)
      // A method that checks its arguments before it sends anything needs others than these.
      if (statusCode === undefined) continue
      const sends = String(said).startsWith("Inlet sends no messages.")
      expect([name, statusCode]).toEqual([name, sends ? 400 : 404])
      expect(said).toMatch(/Inlet/)
      statuses.set(name, statusCode)
    }
    for (const name of Object.keys(requests)) expect([name, statuses.get(name)]).toEqual([name, 400])
    for (const name of ["triggerBroadcast", "sendNewsletter", "listCampaigns", "getTransactionalMessage"]) {
      expect([name, statuses.get(name)]).toEqual([name, 400])
    }
    expect(statuses.get("getSnippets")).toBe(404)
    expect(statuses.size).toBeGreaterThan(70)
  })

  it("counts the calls that ask to send, and inlet doctor says so", async () => {
    const inlet = await Inlet.start()
    const own = await Tenant.create({}, inlet)
    const reader = await AppClient.create(own, "read", inlet)
    await reader.call("POST", "/campaigns/3/triggers", {})
    const { refused_calls } = Object((await own.call("GET", "/server")).json)
    expect(refused_calls).toEqual([
      expect.objectContaining({ reason: "sends_messages", route: "POST /v1/campaigns", calls: 1 }),
    ])
    const doctor = await new CommandLine({
      INLET_URL: inlet.url,
      INLET_MANAGEMENT_TOKEN: credentials.token,
    }).run(["doctor"])
    expect(doctor.stdout).toMatch(
      /! sends +calls that asked to send .*: 1; the latest from .*127.*\/v1\/campaigns/,
    )
    expect(doctor.stdout).not.toContain("! refused")
    await inlet.stop()
  })
})

describe("INLET_APP_API", () => {
  const started: Array<Launched> = []
  afterAll(() => Promise.all(started.map((process) => process.signal("SIGTERM"))))

  const statusesOf = async (env: Record<string, string>) => {
    const process = launch({
      ...variablesFor(join(freshDirectory(), "data")),
      INLET_OPERATOR_PORT: "0",
      ...env,
    })
    started.push(process)
    const { operatorUrl = "", url } = await waitForAddresses(process)
    const own = await Tenant.create({}, { url: operatorUrl })
    const reader = await AppClient.create(own, "read", { url: operatorUrl })
    return {
      operator: (await reader.call("GET", "/segments")).status,
      ingestion: (await reader.on({ url }).call("GET", "/segments")).status,
    }
  }

  it("serves it to operators, unless it says otherwise", async () => {
    expect(await statusesOf({})).toEqual({ operator: 200, ingestion: 404 })
    expect(await statusesOf({ INLET_APP_API: "both" })).toEqual({ operator: 200, ingestion: 200 })
    expect(await statusesOf({ INLET_APP_API: "off" })).toEqual({ operator: 404, ingestion: 404 })
  })
})

describe("the document of the App API", () => {
  it("is for whoever sends an app key, and that of the Pipelines API for anybody else", async () => {
    const { info, paths } = Object(await app.get("/openapi.json"))
    expect(info.title).toBe("Inlet: App API")
    expect(Object.keys(paths)).toContain("/v1/customers/{customer_id}/attributes")
    const other = await send(sharedServer.url, { method: "GET", path: "/v1/openapi.json" })
    expect(Object(other.json).info.title).toBe("Inlet: Pipelines API")
  })
})
