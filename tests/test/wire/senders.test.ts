import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { fresh } from "../../src/fresh.ts"
import { send } from "../../src/http.ts"
import { customerPath } from "../../src/ingestion.ts"
import { Management, read } from "../../src/Management.ts"
import { PipelinesSource } from "../../src/PipelinesSource.ts"
import { Tenant } from "../../src/Tenant.ts"

const tenant = await Tenant.create()
const source = await PipelinesSource.forWorkspace(tenant.inlet, tenant.workspace)

const sender = (route: string, name: string, user_agent = "shop/2.0") => ({
  route,
  key: { name },
  user_agent,
})

const client = { "user-agent": "shop/2.0" }

describe("senders", () => {
  it("contract §16 senders: every operation names its key, client and route, on every protocol", async () => {
    const ada = fresh("ada")
    const person = { type: "person", action: "identify", identifiers: { id: ada } }
    const answers = [
      await tenant.track("PUT", customerPath(ada), { plan: "pro" }, client),
      await tenant.track("PUT", customerPath(ada), { created_at: "yesterday" }, client),
      await tenant.track("POST", "/api/v2/entity", person, client),
      await tenant.track("PUT", customerPath(ada), "{", client),
      await source.post("track", { userId: ada, event: "bought" }, client),
    ]
    const senders = await Promise.all(answers.map(async (answer) => (await tenant.operation(answer)).sender))
    expect(senders).toMatchObject([
      sender("PUT /api/v1/customers/:identifier", "test"),
      sender("PUT /api/v1/customers/:identifier", "test"),
      sender("POST /api/v2/entity", "test"),
      sender("PUT /api/v1/customers/:identifier", "test"),
      sender("POST /v1/track", "test"),
    ])
    expect(JSON.stringify(senders)).not.toContain(ada)
  })

  it("contract §16 senders: the items of a batch name the batch, also with the key in the body", async () => {
    const person = { type: "person", action: "identify", identifiers: { id: fresh("ada") } }
    const answers = [
      await tenant.track("POST", "/v2/batch", { batch: [person, person] }, client),
      await source.postAsBrowser("batch", { batch: [{ type: "identify", userId: fresh("bob") }] }),
    ]
    const senders = await Promise.all(
      answers.map(async (answer) => (await tenant.operation(answer, 0)).sender),
    )
    expect(senders).toMatchObject([
      sender("POST /v2/batch", "test"),
      { route: "POST /v1/batch", key: { name: "test" } },
    ])
  })

  it("contract §16 senders: what an operator or an import does names its management token", async () => {
    const issued = await tenant.call("POST", "/tokens", {
      name: "nightly import",
      scope: "admin",
      workspaces: [tenant.workspace],
    })
    const { token, token_id } = read(
      Schema.Struct({ token: Schema.String, token_id: Schema.String }),
      issued.json,
    )
    const importer = new Management(tenant.inlet, tenant.workspace, token)
    const ada = fresh("ada")
    await importer.call("POST", importer.pathOf("/operations"), {
      type: "person",
      action: "identify",
      identifiers: { id: ada },
    })
    await importer.call("POST", importer.pathOf("/segments"), { name: "beta" })
    await send(importer.inlet.url, {
      method: "POST",
      path: `/management/v1${importer.pathOf("/imports/people")}`,
      headers: { authorization: `Bearer ${token}`, "content-type": "text/csv", ...client },
      body: `id\n${fresh("bob")}\n`,
    })
    const found = await importer.activity({ filter: 'key:"nightly import"', order: "asc" })
    const sentTo = (path: string) => ({
      route: `POST /management/v1/workspaces/:w${path}`,
      key: null,
      token: { token_id, name: "nightly import" },
    })
    expect(found.map(({ sender, source }) => ({ sender, source }))).toMatchObject([
      { source: "management", sender: sentTo("/operations") },
      { source: "management", sender: sentTo("/segments") },
      { source: "csv", sender: { ...sentTo("/imports/people"), user_agent: "shop/2.0" } },
    ])
    expect(await importer.activity({ filter: `key:${token_id}` })).toHaveLength(3)
  })

  it("the filters key and client find what a key or a client sent", async () => {
    const other = await Tenant.create()
    await other.track("PUT", customerPath("ada"), {}, client)
    await other.track("PUT", customerPath("bob"), {}, { "user-agent": "import/1" })
    const found = async (filter: string) =>
      (await other.activity({ filter })).map(({ subject }) => subject.id)
    expect(await found("client:shop/*")).toEqual(["ada"])
    expect(await found("-client:shop/*")).toEqual(["bob"])
    expect(await found("key:test")).toEqual(["bob", "ada"])
    expect(await found("key:unknown")).toEqual([])
  })
})
