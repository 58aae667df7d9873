import { beforeAll, describe, expect, it } from "vitest"
import { CommandLine } from "../../src/commandLine.ts"
import { credentials, Inlet } from "../../src/Inlet.ts"
import { eventually, within } from "../../src/eventually.ts"
import { Management } from "../../src/Management.ts"
import { sharedServer, Tenant } from "../../src/Tenant.ts"
import { createWebhook } from "../../src/webhookCalls.ts"
import { WebhookReceiver } from "../../src/WebhookReceiver.ts"

const receiver = await WebhookReceiver.start()

const commandLineFor = (url: string, workspace: number) =>
  new CommandLine({
    INLET_URL: url,
    INLET_MANAGEMENT_TOKEN: credentials.token,
    INLET_TO_TOKEN: credentials.token,
    INLET_WORKSPACE: String(workspace),
  })

/** Returns the people and objects of a workspace, without keys. */
const shownIn = async (management: Management, segments: ReadonlyMap<number, string>) => {
  const people = await management.people({ limit: "1000" })
  const objects = await management.objects()
  return {
    people: people
      .map(({ segments: keys, svc_id: _1, updated_at: _2, ...person }) => ({
        ...person,
        segments: keys.map((key) => segments.get(key)),
      }))
      .toSorted((a, b) => (`${a.id} ${a.email}` < `${b.id} ${b.email}` ? -1 : 1)),
    objects: objects
      .map(({ attributes, object_id, object_type_id, people_total }) => ({
        attributes,
        object_id,
        object_type_id,
        people_total,
      }))
      .toSorted((a, b) => (a.object_id < b.object_id ? -1 : 1)),
  }
}

const person = (id: string, action: string, rest: object) => ({
  type: "person",
  identifiers: { id },
  action,
  ...rest,
})

/** Makes a log with entries of nearly every kind. Returns the ids of the segments. */
const fill = async (tenant: Tenant): Promise<ReadonlyMap<number, string>> => {
  const segment = await tenant.createSegment("by hand")
  await tenant.batch([
    { type: "person", identifiers: { anonymous_id: "a1" }, action: "event", name: "seen before" },
    person("ada", "identify", { attributes: { email: "ada@example.com", plan: "pro", anonymous_id: "a1" } }),
    person("bob", "identify", { attributes: { plan: "free" } }),
    person("eve", "identify", { attributes: { email: "eve@example.com" } }),
    person("gone", "identify", { attributes: { secret: "nobody must see this" } }),
    person("ada", "event", { name: "order placed", attributes: { total: 12 }, timestamp: 1_700_000_000 }),
    person("bob", "add_device", { device: { token: "t1", platform: "ios", attributes: { v: 1 } } }),
    person("eve", "add_device", { device: { token: "t1", platform: "ios" } }),
    person("ada", "add_relationships", {
      svc_relationships: [{ identifiers: { object_type_id: "1", object_id: "acme" } }],
    }),
    {
      type: "object",
      identifiers: { object_type_id: "1", object_id: "acme" },
      action: "identify",
      attributes: { name: "Acme" },
      svc_relationships: [{ identifiers: { id: "bob" }, relationship_attributes: { role: "boss" } }],
    },
    person("old", "identify", { attributes: { email: "old@example.com", plan: "old", city: "Rome" } }),
    { type: "person", action: "merge", primary: { id: "bob" }, secondary: { id: "old" } },
    person("gone", "delete", {}),
  ])
  const ada = await tenant.person({ id: "ada" })
  await tenant.entity({
    type: "person",
    identifiers: { svc_id: ada.svc_id },
    action: "identify",
    attributes: { id: "ada.lovelace", email: "lovelace@example.com" },
  })
  await tenant.entity(person("two", "identify", { attributes: { city: "Oslo" } }))
  const two = await tenant.person({ id: "two" })
  await tenant.merge({ id: "eve" }, { id: "two" })
  for (const operation of [
    { type: "person", action: "unmerge", primary: { id: "eve" }, secondary: { svc_id: two.svc_id } },
    { type: "segment", action: "add", segment_id: segment, ids: ["ada.lovelace", "eve"] },
  ]) {
    const answer = await tenant.call("POST", tenant.pathOf("/operations"), operation)
    expect(answer.status, answer.text).toBe(200)
  }
  return new Map([[segment, "by hand"]])
}

const namesIn = async (management: Management) => {
  const { items } = (await management.get("/segments")) as {
    readonly items: ReadonlyArray<{ readonly segment_id: number; readonly name: string }>
  }
  return new Map(items.map(({ name, segment_id }) => [segment_id, name]))
}

const argumentsFor = (url: string) => ["replay", "--to", `${url}#1`]

describe("inlet replay", () => {
  let source: Tenant
  let segments: ReadonlyMap<number, string>
  beforeAll(async () => {
    source = await Tenant.create()
    segments = await fill(source)
  })

  it("contract §16 replay: inlet replay makes equal people, objects and segments, and a second replay changes nothing", async () => {
    const target = await Tenant.create()
    const inlet = commandLineFor(sharedServer.url, source.workspace)
    const args = ["replay", "--to", `#${target.workspace}`]
    const first = await inlet.json(...args)
    expect(first).toMatchObject({ failed: 0, skipped: 0, replayed: 16 })
    const expected = await shownIn(source, segments)
    expect(await shownIn(target, await namesIn(target))).toEqual(expected)
    expect(JSON.stringify(await target.activity({}))).not.toContain("nobody must see this")
    const { items } = await target.activityPage({ limit: "1" })
    const second = await inlet.json(...args)
    expect(second).toMatchObject({ failed: 0, replayed: 0 })
    // After an address without a workspace, --workspace names the target.
    const there = ["--to", sharedServer.url, "--workspace", String(target.workspace)]
    expect(await inlet.json("replay", ...there)).toMatchObject({ failed: 0, replayed: 0 })
    expect((await target.activityPage({ limit: "1" })).items).toEqual(items)
  })

  it("contract §16 replay: ids that clients send make a replay skip nothing", async () => {
    const target = await Tenant.create()
    const { items } = await source.activityPage({ limit: "1" })
    const positions = Array.from({ length: items[0]?.sequence ?? 0 }, (_, i) => i + 1)
    for (const mark of ["", "\0"]) {
      const ids = positions.map((position) => `${mark}replay:${source.workspace}:${position}`)
      await target.batch(ids.map((id) => person("mallory", "event", { name: "claimed", id })))
    }
    const inlet = commandLineFor(sharedServer.url, source.workspace)
    const result = await inlet.json("replay", "--to", `#${target.workspace}`)
    expect(result).toMatchObject({ failed: 0, skipped: 0, replayed: 16 })
  })

  it("contract §16 replay: an object that was created and later deleted ends a replay without failures", async () => {
    const [from, target] = [await Tenant.create(), await Tenant.create()]
    const object = { type: "object", identifiers: { object_type_id: "1", object_id: "acme" } }
    const other = { type: "object", identifiers: { object_type_id: "1", object_id: "other" } }
    const relation = [{ identifiers: object.identifiers }]
    await from.batch([
      { ...object, action: "identify", attributes: { size: 3 } },
      person("ada", "identify", { attributes: { plan: "pro" } }),
      person("ada", "add_relationships", { svc_relationships: relation }),
      { ...object, action: "identify", svc_relationships: [{ identifiers: { id: "bob" } }] },
      { ...object, action: "delete" },
      person("ada", "event", { name: "afterwards" }),
      { ...object, action: "identify", attributes: { size: 4 } },
      // Nothing but erased entries names this one.
      { ...other, action: "identify", attributes: { size: 5 } },
      { ...other, action: "delete" },
    ])
    const inlet = commandLineFor(sharedServer.url, from.workspace)
    // The same before and after housekeeping.
    expect(await inlet.json("replay", "--to", `#${target.workspace}`)).toMatchObject({ failed: 0 })
    const none: ReadonlyMap<number, string> = new Map()
    expect(await shownIn(target, none)).toEqual(await shownIn(from, none))
  })

  it("contract §16 replay: inlet replay leaves out people who were deleted in the target since", async () => {
    const target = await Tenant.create()
    const inlet = commandLineFor(sharedServer.url, source.workspace)
    const args = ["replay", "--to", `#${target.workspace}`]
    await inlet.json(...args)
    await target.entity({ type: "person", identifiers: { id: "eve" }, action: "delete" })
    await inlet.json(...args)
    expect(await target.people({ id: "eve" })).toEqual([])
  })

  it("contract §16 replay: inlet replay leaves out who was merged into somebody who was deleted since", async () => {
    const [copied, target] = [await Tenant.create(), await Tenant.create()]
    const merged = [
      person("ada", "identify", { attributes: { plan: "pro" } }),
      person("bob", "identify", { attributes: { secret: "of bob" } }),
      { type: "person", action: "merge", primary: { id: "ada" }, secondary: { id: "bob" } },
    ]
    await copied.batch(merged)
    await target.batch([...merged, person("ada", "delete", {})])
    const inlet = commandLineFor(sharedServer.url, copied.workspace)
    const result = await inlet.json("replay", "--to", `#${target.workspace}`)
    expect(result).toMatchObject({ failed: 0, replayed: 0, left_out: { erased: 3 } })
    expect(await target.people({})).toEqual([])
  })

  it("contract §16 replay: a copy that a replay made revives nobody who was merged into an erased person", async () => {
    const [home, copy] = [await Tenant.create(), await Tenant.create()]
    await home.batch([
      person("ada", "identify", { attributes: { plan: "pro" } }),
      person("bob", "identify", { attributes: { email: "bob@example.com", secret: "of bob" } }),
      person("bob", "event", { name: "seen" }),
      { type: "person", action: "merge", primary: { id: "ada" }, secondary: { id: "bob" } },
      person("ada", "event", { name: "seen" }),
    ])
    await commandLineFor(sharedServer.url, home.workspace).json("replay", "--to", `#${copy.workspace}`)
    await home.entity({ type: "person", identifiers: { id: "ada" }, action: "delete" })
    const back = commandLineFor(sharedServer.url, copy.workspace)
    expect(await back.json("replay", "--to", `#${home.workspace}`)).toMatchObject({ failed: 0, replayed: 0 })
    expect(await home.people({})).toEqual([])
  })

  it("contract §16 replay: webhooks of the target send what is replayed only with --webhooks", async () => {
    const inlet = commandLineFor(sharedServer.url, source.workspace)
    const server = await Inlet.start({ env: { INLET_WEBHOOK_ALLOW: "127.0.0.0/8" } })
    for (const [flags, first] of [
      [[], "afterwards"],
      [["--webhooks"], "order placed"],
    ] as const) {
      const target = await Tenant.create({}, server)
      const path = `/${target.workspace}`
      await createWebhook(target, { kind: "activity", url: receiver.url(path), filter: "kind:event name:*" })
      await inlet.json(
        "replay",
        "--filter",
        "name:order*",
        "--to",
        `${server.url}#${target.workspace}`,
        ...flags,
      )
      await target.recordEvent("ada", { name: "afterwards" })
      const [request] = await eventually("the webhook sends", () => {
        const sent = receiver.at(path)
        return sent.length > 0 ? sent : undefined
      })
      expect(request?.json["name"]).toBe(first)
    }
    await server.kill()
  })

  it("inlet replay --dry-run counts what it would replay", async () => {
    const inlet = commandLineFor(sharedServer.url, source.workspace)
    const lines = await inlet.lines("replay", "--dry-run", "--positions", "1..4", "--filter", "kind:identify")
    expect(lines[0]).toMatch(/^2 would be replayed: 2 entries in /)
  })

  it("contract §16 replay: --dry-run --setting decides a log in memory, and shows who would be different", async () => {
    const tenant = await Tenant.create()
    await tenant.batch([
      person("ada", "identify", { attributes: { email: "ada@example.com", plan: "pro", city: "Oslo" } }),
      person("bob", "identify", { attributes: { plan: "free" } }),
      person("ada", "identify", { attributes: { email: "lovelace@example.com" } }),
    ])
    const inlet = commandLineFor(sharedServer.url, tenant.workspace)
    const before = await tenant.activity({})
    const tried = ["replay", "--dry-run", "--setting", "email_update_by_id=true"]
    expect(await inlet.lines(...tried)).toEqual([
      expect.stringMatching(/^person\s+ada\s+email\s+ada@example.com\s+lovelace@example.com$/),
      "1 would be different after 3 entries",
    ])
    const lines = await inlet.lines("replay", "--dry-run", "--setting", "identifiers=id", "--json")
    expect(lines.slice(0, -1).map((line) => Object(JSON.parse(line)))).toMatchObject([
      { id: "ada", path: "email", here: "ada@example.com", there: null },
      { id: "ada", path: "attributes.email", here: null, there: "lovelace@example.com" },
    ])
    expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({ entries: 3, changed: 1 })
    const refused = await inlet.run(["replay", "--dry-run", "--setting", "attributes_per_person=1"])
    expect([refused.code, refused.stderr]).toEqual([0, expect.stringMatching(/^position 1: /)])
    expect(refused.stdout).toContain(
      "1 would be different after 3 entries, of which 1 would be refused, and 0 without the setting\n",
    )
    expect(await inlet.lines("replay", "--dry-run", "--setting", "event_merging=false")).toEqual([
      "0 would be different after 3 entries",
    ])
    expect(await tenant.activity({})).toEqual(before)
    for (const [args, text] of [
      [["--setting", "email_update_by_id=true"], "add --dry-run"],
      [["--dry-run", "--setting", "colour=red"], "no setting colour"],
      [["--dry-run", "--setting", "event_merging=perhaps"], "--setting has a wrong value"],
    ] as const) {
      const ran = await inlet.run(["replay", ...args])
      expect(ran.code).toBe(2)
      expect(ran.stderr).toContain(text)
    }
  })

  it("inlet replay refuses its own workspace, wrong positions and a target with a shorter history", async () => {
    const longer = await Tenant.create({ history_days: 60 })
    const target = await Tenant.create()
    const inlet = commandLineFor(sharedServer.url, longer.workspace)
    for (const [args, text] of [
      [["--to", `#${longer.workspace}`], "names the workspace whose log is replayed"],
      [["--to", "2"], "--to must be an address"],
      [["--to", `#${target.workspace}`], "keeps its log for 30 days"],
      [["--dry-run", "--positions", "9..3"], "--positions must be two log positions"],
    ] as const) {
      const ran = await inlet.run(["replay", ...args])
      expect(ran.code).toBe(2)
      expect(ran.stderr).toContain(text)
    }
  })

  it("inlet replay continues after the command and then the target are killed", async () => {
    let server = await Inlet.start()
    const child = commandLineFor(sharedServer.url, source.workspace).start([
      ...argumentsFor(server.url),
      "--rate",
      "4",
    ])
    const target = () => new Management(server)
    await eventually("entries are replayed", async () =>
      (await target().activityPage({ limit: "1" })).items.length > 0 ? true : undefined,
    )
    child.kill("SIGKILL")
    const again = commandLineFor(sharedServer.url, source.workspace).start([
      ...argumentsFor(server.url),
      "--rate",
      "8",
    ])
    const { items } = await target().activityPage({ limit: "1" })
    await eventually("more entries are replayed", async () => {
      const newest = (await target().activityPage({ limit: "1" })).items[0]?.sequence ?? 0
      return newest > (items[0]?.sequence ?? 0) ? true : undefined
    })
    await server.kill()
    again.kill("SIGKILL")
    server = await Inlet.start({ dataDir: server.dataDir })
    const ran = await within(
      "the replay ends",
      commandLineFor(sharedServer.url, source.workspace).run(argumentsFor(server.url)),
    )
    expect(ran.stderr).toBe("")
    expect(await shownIn(target(), await namesIn(target()))).toEqual(await shownIn(source, segments))
    await server.kill()
  })
})
