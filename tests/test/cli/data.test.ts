import { readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { CommandLine } from "../../src/commandLine.ts"
import { freshDirectory } from "../../src/cleanup.ts"
import { eventually } from "../../src/eventually.ts"
import { credentials } from "../../src/Inlet.ts"
import { Launched } from "../../src/Launched.ts"
import { sharedServer, Tenant } from "../../src/Tenant.ts"

/** Creates a workspace. Returns a client of the workspace and the command line configured for it. */
const start = async () => {
  const tenant = await Tenant.create()
  const inlet = new CommandLine({
    INLET_URL: sharedServer.url,
    INLET_MANAGEMENT_TOKEN: credentials.token,
    INLET_WORKSPACE: String(tenant.workspace),
  })
  return { tenant, inlet }
}

const noPerson = (name: string, workspace: number): string =>
  `inlet: no person in workspace ${workspace} has the identifier ${name}: correct it or --workspace\n`

/** Returns an item of a Track v2 batch. Item 700 has an unknown action. */
const entity = (n: number) => ({
  type: "person",
  action: n === 700 ? "dance" : "identify",
  identifiers: { id: `p${n}` },
  attributes: { n },
})

describe("inlet send", () => {
  it("inlet send creates and stores a write key, sends every kind of call, and prints each outcome", async () => {
    const { inlet, tenant } = await start()
    const traits = ["email=ada@example.com", "plan=pro", "n:=3"]
    const [identified] = await inlet.lines("send", "identify", "ada", ...traits)
    expect(identified).toMatch(/^created  op[0-9a-z]{11,}$/)
    const file = join(inlet.configuration, "inlet", "keys.json")
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const stored = readFileSync(file, "utf8")
    expect(await inlet.json("send", "track", "ada", "signed_up", "source=cli", "--id", "e1")).toEqual({
      success: true,
      outcomes: [
        {
          index: null,
          operation_id: expect.any(String),
          outcome: "applied",
          code: null,
          reason: null,
          rule: expect.any(String),
        },
      ],
    })
    await inlet.lines("send", "page", "visitor-7", "Home", "url=https://example.com/", "--anonymous")
    await inlet.lines(
      "send",
      "group",
      "ada",
      "acme",
      "name=Acme",
      "--type",
      "2",
      "--at",
      "2026-01-31T12:00:00Z",
    )
    await inlet.lines("send", "alias", "ada", "visitor-7")
    const again = await inlet.lines("send", "track", "ada", "signed_up", "--id", "e1")
    expect(again.join()).toMatch(/^duplicate {2}op\w+ {2}operation op\w+ /)
    expect(readFileSync(file, "utf8")).toBe(stored)
    expect(await tenant.person({ id: "ada" })).toMatchObject({
      email: "ada@example.com",
      attributes: { plan: "pro", n: 3 },
      anonymous_ids: ["visitor-7"],
      relationships: [{ object_type_id: "2", object_id: "acme" }],
    })
    const events = (await tenant.activity({ kind: "event" })).filter(({ outcome }) => outcome === "applied")
    expect(events.map(({ data }) => data)).toEqual([{ source: "cli" }])
  })

  it("inlet send fails if a call has no effect, and names the command that explains the outcome", async () => {
    const { inlet } = await start()
    const { code, stderr, stdout } = await inlet.run(["send", "track", "svc_p0000zzzzz", "signed_up"])
    expect(code).toBe(1)
    expect(stdout).toMatch(/^dropped {2}op/)
    expect(stderr).toMatch(/\ninlet: the operation was dropped; `inlet why op\w+` explains it\n$/)
    const refused = await inlet.run(["send", "track", "ada", "signed_up", "--at", "soon"])
    expect(refused.code).toBe(2)
  })

  it("inlet send needs no management token if a write key is given, and replaces its stored key if the server does not know the key", async () => {
    const { inlet, tenant } = await start()
    const made = await inlet.json("keys", "create", "web")
    const write_key =
      typeof made === "object" && made !== null && "write_key" in made ? String(made.write_key) : ""
    const withKey = new CommandLine({ INLET_URL: sharedServer.url, INLET_WRITE_KEY: write_key })
    expect(await withKey.lines("send", "identify", "bob")).toHaveLength(1)
    const wrong = new CommandLine({ INLET_URL: sharedServer.url, INLET_WRITE_KEY: "wrong" })
    const refused = await wrong.run(["send", "identify", "bob"])
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain("the server does not accept the key: correct or remove INLET_WRITE_KEY")
    await inlet.lines("send", "identify", "eve")
    const { items } = (await tenant.call("GET", tenant.pathOf("/keys"))).json as {
      items: Array<{ key_id: string; name: string }>
    }
    for (const { key_id } of items.filter(({ name }) => name === "cli"))
      await inlet.lines("keys", "revoke", key_id)
    expect(await inlet.lines("send", "identify", "mia")).toHaveLength(1)
    expect(await tenant.people({ id: "mia" })).toHaveLength(1)
  })

  it("inlet send batch sends a file of entities and prints the line number of each invalid entity", async () => {
    const { inlet, tenant } = await start()
    const file = join(freshDirectory(), "items.ndjson")
    const lines = Array.from({ length: 1200 }, (_, i) => JSON.stringify(entity(i + 1)))
    writeFileSync(file, `${lines.join("\n")}\n`)
    const { code, stderr, stdout } = await inlet.run(["send", "batch", file])
    expect(stdout).toMatch(/^1,199 accepted, 1 refused in \d+\.\d s\n$/)
    expect(stderr).toContain('line 700: action: unknown action "dance"')
    expect(stderr).toContain("inlet: items that were refused: 1")
    expect(code).toBe(1)
    expect(await tenant.person({ id: "p1200" })).toMatchObject({ attributes: { n: 1200 } })

    const input = `${JSON.stringify(entity(1))}\n\nnonsense\n`
    const broken = await inlet.run(["send", "batch", "-"], input)
    expect(broken.code).toBe(1)
    expect(broken.stderr).toContain("inlet: line 3 is not a JSON value of at most 64 KB")
    const missing = await inlet.run(["send", "batch", "missing.ndjson"])
    expect([missing.code, missing.stderr]).toEqual([
      2,
      "inlet: cannot read missing.ndjson: it does not exist\n",
    ])
    expect((await inlet.run(["send", "batch", file, "--from", "1200"])).stdout).toMatch(
      /^1 accepted, 0 refused/,
    )
  })
})

it("inlet send batch says where to continue when Ctrl-C ends it, and exits with a code that is not 0", async () => {
  const { inlet, tenant } = await start()
  const child = inlet.start(["send", "batch", "-", "--json"])
  const command = new Launched(child)
  const items = Array.from({ length: 2000 }, (_, i) => `${JSON.stringify(entity(i + 1000))}\n`)
  child.stdin.write(items.join(""))
  await eventually("an answer is printed", () => (command.lines().length > 0 ? true : undefined))
  expect(await tenant.people({ id: "p2999" })).toHaveLength(1)
  expect(await command.signal("SIGINT")).toEqual({ code: 130, signal: null })
  expect(command.lines()).toEqual([
    "{}",
    "inlet: interrupted; the server acknowledged the lines up to 2000: continue with --from 2001",
  ])
})

describe("inlet people", () => {
  it("inlet people shows, lists, merges, deletes and suppresses people", async () => {
    const { inlet, tenant } = await start()
    await tenant.identify("ada", { email: "ada@example.com", plan: "pro", note: "a\u001b[31mb" })
    await tenant.identify("bob", { city: "Paris", name: "Bob Stone" })
    await tenant.recordEvent("ada", { name: "signed_up", data: {} })

    const ada = await tenant.person({ id: "ada" })
    for (const name of ["ada", "ada@example.com", `svc_${ada.svc_id}`, ada.svc_id]) {
      expect(await inlet.json("people", "get", name)).toMatchObject({ svc_id: ada.svc_id, id: "ada" })
    }
    const page = (await inlet.lines("people", "get", "ada")).join("\n")
    expect(page).toContain("ATTRIBUTES\n  plan  pro\n  note  a�[31mb")
    expect(page).toMatch(/ACTIVITY\n.*applied +signed_up +ada/)
    expect(page).not.toContain("\u001b")

    expect(await inlet.lines("people", "list", "--search", "ad")).toEqual([
      expect.stringMatching(`^${ada.svc_id}\tada\tada@example.com\t\t2\t`),
    ])
    expect((await inlet.lines("people", "list", "--search", "stone")).join()).toMatch(
      /\tbob\t\tBob Stone\t2\t/,
    )
    const first = await inlet.json("people", "list", "--limit", "1")
    expect(first).toMatchObject({ items: [{ id: "bob" }], next: expect.any(String) })
    const next = typeof first === "object" && first !== null && "next" in first ? String(first.next) : ""
    expect(await inlet.json("people", "list", "--limit", "1", "--after", next)).toMatchObject({
      items: [{ id: "ada" }],
      next: null,
    })

    await inlet.lines("people", "merge", "ada", "bob")
    expect(await tenant.person({ id: "ada" })).toMatchObject({ attributes: { plan: "pro", city: "Paris" } })
    const missing = await inlet.run(["people", "get", "bobby"])
    expect([missing.code, missing.stderr]).toEqual([1, noPerson("bobby", tenant.workspace)])

    expect(await inlet.json("people", "delete", "ada")).toMatchObject({ kind: "delete", outcome: "applied" })
    expect(await tenant.people({ id: "ada" })).toEqual([])
    const again = await inlet.run(["people", "delete", "ada"])
    expect([again.code, again.stderr]).toEqual([1, noPerson("ada", tenant.workspace)])

    await inlet.lines("people", "suppress", "eve@example.com")
    const suppressed = await tenant.call("GET", tenant.pathOf("/suppressions?email=eve%40example.com"))
    expect(suppressed.json).toEqual({ suppressed: true })
    expect((await inlet.run(["send", "identify", "eve@example.com"])).code).toBe(1)
    await inlet.lines("people", "unsuppress", "eve@example.com")
    await tenant.identify("eve@example.com")
    expect(await tenant.people({ email: "eve@example.com" })).toHaveLength(1)
  })
})

describe("inlet objects, segments, forms and deliveries", () => {
  it("inlet objects lists objects and shows an object with its people", async () => {
    const { inlet, tenant } = await start()
    await tenant.entity({
      type: "object",
      action: "identify",
      identifiers: { object_type_id: "1", object_id: "acme/eu" },
      attributes: { name: "Acme" },
      svc_relationships: [{ identifiers: { id: "ada" } }],
    })
    expect(await inlet.json("objects", "get", "1/acme/eu")).toMatchObject({
      object_id: "acme/eu",
      attributes: { name: "Acme" },
      people_total: 1,
    })
    expect((await inlet.lines("objects", "get", "1/acme/eu")).join("\n")).toContain("PEOPLE\n  ada  related")
    expect(await inlet.lines("objects", "list", "--type", "1")).toEqual([
      expect.stringMatching(/^1\tacme\/eu\t1\t1\t/),
    ])
    expect(await inlet.lines("objects", "list", "--type", "9")).toEqual([])
    expect((await inlet.run(["objects", "get", "acme"])).stderr).toBe(
      "inlet: acme does not name an object: expected TYPE/ID, such as 1/acme\n",
    )
  })

  it("inlet segments creates and lists segments, and adds and removes people", async () => {
    const { inlet, tenant } = await start()
    for (const id of ["ada", "bob"]) await tenant.identify(id)
    const made = await inlet.json("segments", "create", "Beta testers", "--description", "first")
    expect(made).toMatchObject({ name: "Beta testers", description: "first", size: 0 })
    const id =
      typeof made === "object" && made !== null && "segment_id" in made ? String(made.segment_id) : ""
    await inlet.lines("segments", "add", id, "ada", "bob")
    await inlet.lines("segments", "remove", id, "bob")
    expect(await inlet.lines("segments", "list")).toEqual([`${id}\tBeta testers\tmanual\t1\tfirst`])
    const missing = await inlet.run(["segments", "add", id, "carol"])
    expect([missing.code, missing.stderr]).toEqual([1, noPerson("carol", tenant.workspace)])
    const unknown = await inlet.run(["segments", "add", "9999", "ada"])
    expect([unknown.code, unknown.stderr]).toEqual([1, "inlet: segment not found in this workspace\n"])
    expect((await inlet.run(["segments", "add", id])).code).toBe(2)
  })

  it("inlet forms lists forms and maps their fields", async () => {
    const { inlet, tenant } = await start()
    await tenant.track("POST", "/api/v1/forms/contact/submit", {
      data: { mail: "ada@example.com", id: "ada" },
    })
    expect(await inlet.json("forms", "map", "contact", "mail=email")).toMatchObject({
      form_id: "contact",
      mapping: { mail: "email" },
    })
    expect(await inlet.lines("forms", "list")).toEqual([expect.stringMatching(/^contact\t(id )?mail=email/)])
    expect((await inlet.run(["forms", "map", "contact", "mail"])).code).toBe(2)
    expect((await inlet.run(["forms", "map", "unknown", "mail=email"])).code).toBe(1)
  })

  it("inlet deliveries registers a message and shows its reports", async () => {
    const { inlet, tenant } = await start()
    await tenant.identify("ada")
    const register = ["deliveries", "register", "d1", "--channel", "email", "--person", "ada"]
    expect(await inlet.json(...register, "--subject", "Hello", "--source", "campaign_id=7")).toMatchObject({
      delivery_id: "d1",
      channel: "email",
      subject: "Hello",
      campaign_id: 7,
    })
    await tenant.track("POST", "/api/v1/metrics", {
      delivery_id: "d1",
      metric: "opened",
      timestamp: 1_770_000_000,
    })
    const page = (await inlet.lines("deliveries", "get", "d1")).join("\n")
    expect(page).toContain("campaign_id  7")
    expect(page).toMatch(/REPORTS\n {2}opened {2}1, first at 2026-02-02/)
    expect((await inlet.run(["deliveries", "get", "d2"])).code).toBe(1)
    expect((await inlet.run([...register, "--source", "colour=red"])).code).toBe(2)
  })
})

describe("inlet keys and workspaces", () => {
  it("inlet keys creates, lists and revokes keys", async () => {
    const { inlet, tenant } = await start()
    const created = (await inlet.lines("keys", "create", "backend", "--kind", "track")).join("\n")
    const [, user] = /site id +(\w+)/.exec(created) ?? []
    const [, password] = /api key +(\w+)/.exec(created) ?? []
    const withKey = new CommandLine({
      INLET_URL: sharedServer.url,
      INLET_SITE_ID: user ?? "",
      INLET_API_KEY: password ?? "",
    })
    const item = JSON.stringify({ type: "person", action: "identify", identifiers: { id: "kim" } })
    expect((await withKey.run(["send", "batch", "-"], item)).stdout).toMatch(/^1 accepted/)
    expect(await tenant.people({ id: "kim" })).toHaveLength(1)
    const keys = await inlet.lines("keys", "list")
    const [id = "", , , , prefix, , , expires] =
      keys.find((line) => line.includes("\tbackend\t"))?.split("\t") ?? []
    expect([prefix, expires]).toEqual([password?.slice(0, 8), "never"])
    await inlet.lines("keys", "revoke", id)
    expect((await inlet.lines("keys", "list")).join()).not.toContain("backend")
    expect((await inlet.run(["keys", "revoke", id])).code).toBe(1)
  })

  it("inlet keys create --expires-in makes a key that expires after this time", async () => {
    const { inlet } = await start()
    const day = 24 * 60 * 60 * 1000
    const earliest = Date.now() + 90 * day
    const key = await inlet.json("keys", "create", "trial", "--expires-in", "90d")
    const expires = Date.parse(String(Object(key)["expires_at"]))
    expect(expires).toBeGreaterThanOrEqual(earliest)
    expect(expires).toBeLessThanOrEqual(Date.now() + 90 * day)
    const refused = await inlet.run(["keys", "create", "trial", "--expires-in", "soon"])
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringMatching(/minutes, hours, days or weeks/),
    ])
  })

  it("inlet workspaces creates, lists and updates workspaces", async () => {
    const { inlet } = await start()
    const made = await inlet.json(
      "workspaces",
      "create",
      "shop",
      "--identifiers",
      "email",
      "--limit",
      "rate_requests=5000",
    )
    expect(made).toMatchObject({ name: "shop", identifiers: ["email"], limits: { rate_requests: 5000 } })
    const id =
      typeof made === "object" && made !== null && "environment_id" in made ? String(made.environment_id) : ""
    expect(
      await inlet.json(
        "workspaces",
        "update",
        id,
        "--name",
        "store",
        "--retention-days",
        "365",
        "--rate-limit",
        "throttle",
        "--email-update-by-id",
      ),
    ).toMatchObject({
      name: "store",
      rate_limit: "throttle",
      retention_days: 365,
      email_update_by_id: true,
      identifiers: ["email"],
    })
    expect(await inlet.json("workspaces", "update", id, "--retention-days", "never")).toMatchObject({
      retention_days: null,
    })
    expect(await inlet.json("workspaces", "update", id, "--audit-days", "30")).toMatchObject({
      audit_days: 30,
    })
    expect(await inlet.json("workspaces", "update", id, "--records-max", "1000")).toMatchObject({
      records_max: 1000,
    })
    expect(await inlet.json("workspaces", "update", id, "--records-max", "unlimited")).toMatchObject({
      records_max: null,
    })
    expect(await inlet.run(["workspaces", "update", id, "--retention-days", "29"])).toMatchObject({ code: 2 })
    expect(await inlet.lines("workspaces", "update", id, "--retention-days", "30")).toEqual(
      await inlet.lines("workspaces", "get", id),
    )
    expect((await inlet.lines("workspaces", "list")).join("\n")).toMatch(
      new RegExp(`^${id}\tstore\tus\temail\tthrottle$`, "m"),
    )
    const wrong = await inlet.run(["workspaces", "update", id, "--limit", "speed=1"])
    expect(wrong.code).toBe(2)
    expect(wrong.stderr).toMatch(
      /^inlet: unknown limit speed: expected one of request_bytes, batch_bytes, .*\n$/,
    )
  })

  it("inlet workspaces get shows all settings and limits", async () => {
    const { inlet, tenant } = await start()
    const text = (await inlet.lines("workspaces", "get", String(tenant.workspace))).join("\n")
    expect(text).toMatch(new RegExp(`^ +environment id +${tenant.workspace}$`, "m"))
    expect(text).toMatch(/^ +events are kept +for ever$/m)
    expect(text).toMatch(/^ +rate_requests +[\d,]+$/m)
    const id = tenant.workspace
    expect(await inlet.json("workspaces", "get", String(id))).toMatchObject({ environment_id: id })
  })

  it("inlet segments get shows a segment and its people, and inlet segments delete deletes it", async () => {
    const { inlet, tenant } = await start()
    await tenant.identify("ada")
    const [made = ""] = await inlet.lines("segments", "create", "Testers", "--description", "try things")
    const [id = ""] = made.split("\t")
    await inlet.lines("segments", "add", id, "ada")
    expect((await inlet.lines("segments", "get", id)).join("\n")).toMatch(
      /^Testers\n +id +\d+\n +description +try things\n +people +1\nPEOPLE\n +\w+ +ada$/,
    )
    expect(await inlet.run(["segments", "delete", id, "--yes"])).toEqual({
      code: 0,
      stdout: "",
      stderr: `deleted ${id}\n`,
    })
    expect((await inlet.run(["segments", "get", id])).code).toBe(1)
    expect((await inlet.lines("people", "list")).join()).toContain("ada")
  })

  it("inlet objects delete deletes an object and prints the entry of the operation", async () => {
    const { inlet, tenant } = await start()
    await tenant.entity({
      type: "object",
      action: "identify",
      identifiers: { object_type_id: "1", object_id: "acme" },
    })
    const [line] = await inlet.lines("objects", "delete", "1/acme", "--yes")
    expect(line).toMatch(/ applied +object_delete +1\/acme$/)
    expect((await inlet.run(["objects", "get", "1/acme"])).code).toBe(1)
    const again = await inlet.run(["objects", "delete", "1/acme", "--yes"])
    expect(again.stderr).toMatch(/^inlet: the operation was \w+; `inlet why op\w+` explains it\n$/)
  })
})
