import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { CommandLine } from "../../src/commandLine.ts"
import { freshDirectory } from "../../src/cleanup.ts"
import { eventually } from "../../src/eventually.ts"
import { credentials } from "../../src/Inlet.ts"
import { read } from "../../src/Management.ts"
import { sharedServer, Tenant } from "../../src/Tenant.ts"

const buyers = {
  and: [
    { attribute: { field: "plan", operator: "eq", value: "pro" } },
    { event: { name: "bought", count: { gte: 2 }, within: "30d" } },
  ],
}

const Segments = Schema.Struct({
  items: Schema.Array(
    Schema.Struct({
      name: Schema.String,
      segment_id: Schema.Int,
      rule: Schema.Unknown,
      state: Schema.Unknown,
    }),
  ),
})

/** Creates a workspace. Returns the command line configured for it, and the path of a file with the rule `buyers`. */
const start = async () => {
  const tenant = await Tenant.create()
  const inlet = new CommandLine({
    INLET_URL: sharedServer.url,
    INLET_MANAGEMENT_TOKEN: credentials.token,
    INLET_WORKSPACE: String(tenant.workspace),
  })
  const rule = join(freshDirectory(), "buyers.json")
  writeFileSync(rule, JSON.stringify(buyers))
  return { inlet, rule }
}

describe("inlet segments with a rule", () => {
  it("inlet segments create, why, preview and backtest work with the rule in a file", async () => {
    const { inlet, rule } = await start()
    const [created] = await inlet.lines("segments", "create", "Buyers", "--rule", rule)
    const [id = ""] = (created ?? "").split("\t")
    await eventually("the rule is built", async () =>
      (await inlet.lines("segments", "get", id)).some((line) => line.includes("active")),
    )
    await inlet.lines("send", "identify", "ada", "plan=pro")
    await inlet.lines("send", "track", "ada", "bought")
    await inlet.lines("send", "track", "ada", "bought")
    await inlet.lines("send", "identify", "bob", "plan=pro")

    const ada = await inlet.lines("segments", "why", id, "ada")
    expect(ada[0]).toMatch(/^p\w+ is in segment \d+$/)
    expect(ada.join("\n")).toMatch(
      /✓ all of these.*\n├─ ✓ plan is "pro"  pro \(op\w+\)\n└─ ✓ event "bought" at least 2/,
    )
    expect(ada.at(-1)).toMatch(/entered {2}op\w+ {2}bought$/)
    const bob = await inlet.lines("segments", "why", id, "bob")
    expect(bob[0]).toMatch(/is not in segment/)
    expect(bob.join("\n")).toMatch(/✗ all of these\n├─ ✓ plan.*\n└─ ✗ event "bought".* 0 times/)

    expect((await inlet.lines("segments", "preview", "--rule", rule))[0]).toBe(
      "holds for 1 of 2 people checked",
    )
    expect(await inlet.json("segments", "backtest", "--rule", rule, "--days", "3")).toMatchObject({
      entered: 1,
      left: 0,
      members: 1,
      complete: true,
    })
    const [, listed] = [await inlet.lines("segments", "get", id), await inlet.lines("segments", "list")]
    expect(listed[0]).toMatch(new RegExp(`^${id}\\tBuyers\\trule, \\w+\\t1`))
  })

  it("inlet segments sizes shows the size of each day, and which days are not known", async () => {
    const { inlet, rule } = await start()
    const [created] = await inlet.lines("segments", "create", "Buyers", "--rule", rule)
    const [id = ""] = (created ?? "").split("\t")
    await eventually("the rule is built", async () =>
      (await inlet.lines("segments", "get", id)).some((line) => line.includes("active")),
    )
    await inlet.lines("send", "identify", "ada", "plan=pro")
    await inlet.lines("send", "track", "ada", "bought")
    await inlet.lines("send", "track", "ada", "bought")
    const lines = await inlet.lines("segments", "sizes", id, "--days", "2")
    expect(lines.map((line) => line.slice("2026-11-29  ".length))).toEqual([
      "not known",
      "████████████████ 1",
    ])
    expect(await inlet.json("segments", "sizes", id, "--days", "2")).toMatchObject({
      segment_id: Number(id),
      days: [{ size: null }, { size: 1 }],
    })
  })

  it("inlet segments update builds another rule and pauses, and watch shows who enters", async () => {
    const { inlet, rule } = await start()
    const [created] = await inlet.lines("segments", "create", "Buyers", "--rule", rule)
    const [id = ""] = (created ?? "").split("\t")
    const stateIs = (state: string, version: number) =>
      eventually(`version ${version} is ${state}`, async () => {
        const found = await inlet.json("segments", "get", id)
        return JSON.stringify(found).includes(`"state":"${state}","version":${version}`) ? true : undefined
      })
    await stateIs("active", 1)
    writeFileSync(rule, JSON.stringify({ attribute: { field: "plan", operator: "eq", value: "team" } }))
    await inlet.lines("segments", "update", id, "--rule", rule, "--name", "Teams")
    await stateIs("active", 2)
    const watching = inlet.start(["segments", "watch", id])
    const lines: Array<string> = []
    watching.stdout.setEncoding("utf8").on("data", (text: string) => lines.push(text))
    let sent = 0
    await eventually("somebody is seen to enter", async () => {
      await inlet.lines("send", "identify", `person-${sent++}`, "plan=team")
      return lines.join("").includes("entered") ? true : undefined
    })
    expect(lines.join("")).toMatch(/^\S+ entered p\w+ {2}op\w+ {2}identify\n/)
    watching.kill("SIGINT")
    await inlet.lines("segments", "update", id, "--pause")
    await stateIs("paused", 2)
    await inlet.lines("send", "identify", "person-0", "plan=free")
    const paused = await inlet.lines("segments", "why", id, "person-0")
    expect(paused[0]).toMatch(/ is in segment /)
    expect(paused[1]).toMatch(/^the segment is paused/)
    expect(paused).toContainEqual(expect.stringMatching(/^✗ plan is "team" {2}free/))
    await inlet.lines("segments", "update", id, "--resume")
    await stateIs("active", 2)
  })

  it("inlet segments create --announce lets the log tell whom the build of a rule finds", async () => {
    const { inlet, rule } = await start()
    writeFileSync(rule, JSON.stringify({ attribute: { field: "plan", operator: "eq", value: "pro" } }))
    await inlet.lines("send", "identify", "ada", "plan=pro")
    const [created] = await inlet.lines("segments", "create", "Pro", "--rule", rule, "--announce")
    const [id = ""] = (created ?? "").split("\t")
    await eventually("the log tells who entered", async () => {
      const until = new Date(Date.now() + 1000).toISOString()
      const told = await inlet.lines("tail", "--until", until, "--json", `entered:${id}`)
      return told.join("").includes('"change":"entered"') || undefined
    })
  })

  it("contract §12 imported rules: exported segments with rules are imported with rules that name the new segments", async () => {
    const { inlet, rule } = await start()
    await inlet.lines("segments", "create", "Before")
    await inlet.lines("segments", "create", "Buyers", "--rule", rule)
    const [buyersRow] = await inlet.lines("segments", "list")
    const [buyersId] = (buyersRow ?? "").split("\t")
    writeFileSync(rule, JSON.stringify({ not: { segment: { id: Number(buyersId) } } }))
    await inlet.lines("segments", "create", "Others", "--rule", rule)
    await eventually("the rules are built", async () => {
      const listed = (await inlet.lines("segments", "list")).join("\n")
      return listed.includes("building") ? undefined : true
    })
    await inlet.lines("segments", "update", buyersId ?? "", "--pause")
    const file = join(freshDirectory(), "segments.ndjson")
    writeFileSync(file, (await inlet.lines("export", "segments")).join("\n") + "\n")
    const { inlet: other } = await start()
    expect(await other.json("import", "segments", file)).toMatchObject({ rows: 3, imported: 3, failed: 0 })
    expect(await other.json("import", "segments", file)).toMatchObject({ rows: 3, imported: 0, skipped: 3 })
    const { items } = read(Segments, await other.json("segments", "list"))
    const named = (name: string) => items.find((one) => one.name === name)
    expect(named("Buyers")).toMatchObject({ rule: buyers, state: "paused" })
    expect(named("Others")?.state).toBe("active")
    expect(named("Others")?.rule).toEqual({ not: { segment: { id: named("Buyers")?.segment_id } } })
    expect(named("Before")?.rule).toBe(null)
  })

  it("a file that is no rule, and a rule with a wrong word, are refused with the reason", async () => {
    const { inlet, rule } = await start()
    writeFileSync(rule, "plan = pro")
    const notJson = await inlet.run(["segments", "preview", "--rule", rule])
    expect(notJson).toMatchObject({ code: 2, stderr: expect.stringMatching(/is not a rule: expected JSON/) })
    writeFileSync(rule, JSON.stringify({ attribute: { field: "plan", operator: "is", value: "pro" } }))
    const wrongWord = await inlet.run(["segments", "create", "x", "--rule", rule])
    expect(wrongWord).toMatchObject({ code: 2, stderr: expect.stringMatching(/operator.*did you mean `eq`/) })
  })
})
