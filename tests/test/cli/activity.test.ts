import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { CommandLine } from "../../src/commandLine.ts"
import { send } from "../../src/http.ts"
import { eventually, within } from "../../src/eventually.ts"
import { freshDirectory } from "../../src/cleanup.ts"
import { FaultyProxy, type Fault } from "../../src/FaultyProxy.ts"
import { event, identify } from "../../src/ingestion.ts"
import { credentials, Inlet, variablesFor } from "../../src/Inlet.ts"
import { launch, launchAs } from "../../src/Launched.ts"
import { cliFile } from "../../src/programs.ts"
import { sharedServer, Tenant } from "../../src/Tenant.ts"

describe("inlet tail", () => {
  it("inlet tail prints every entry once even if the server is killed and started again", async () => {
    const dataDir = join(freshDirectory(), "data")
    const port = { INLET_PORT: "0" }
    let inlet = await Inlet.start({ dataDir, env: port })
    const fixed = { INLET_PORT: String(inlet.port) }
    const here = {
      INLET_URL: inlet.url,
      INLET_MANAGEMENT_TOKEN: credentials.token,
    }
    const send = (name: string) => event(inlet, "ada", { name })
    await send("before")
    const tail = launch(here, cliFile, ["tail", "--json", "--lines", "1", "kind:event"])
    const names = () =>
      tail.lines().flatMap((line) => {
        if (!line.startsWith("{")) return []
        const entry: { readonly name: string } = JSON.parse(line)
        return [entry.name]
      })
    const shown = (name: string) =>
      eventually(`${name} is shown`, () => (names().includes(name) ? true : undefined))
    await shown("before")
    await send("first")
    await shown("first")
    await inlet.kill()
    await eventually("the command notices", () =>
      tail.lines().includes("Connection lost, waiting for the server") ? true : undefined,
    )
    inlet = await Inlet.start({ dataDir, env: fixed })
    await send("second")
    await identify(inlet, "ada", {})
    await send("third")
    await shown("third")
    expect(names()).toEqual(["before", "first", "second", "third"])
    expect(tail.lines()).toContain("Connected again")
    expect(await tail.signal("SIGINT")).toEqual({ code: 0, signal: null })
  })

  it("inlet tail prints aligned lines, and adds the reason and rule to an operation that was applied only in part", async () => {
    const tenant = await Tenant.create()
    await tenant.identify("ada", { email: "ada@example.com" })
    await tenant.identify("bob", { email: "ada@example.com" })
    await tenant.batch([{ type: "person", action: "event", identifiers: { id: "ada" }, name: "signed_up" }])
    const tail = launch(
      {
        INLET_URL: sharedServer.url,
        INLET_MANAGEMENT_TOKEN: credentials.token,
        INLET_WORKSPACE: String(tenant.workspace),
      },
      cliFile,
      ["tail", "-n", "10", "--", "-outcome:pending"],
    )
    await eventually("three entries are shown", () => (tail.lines().length >= 3 ? true : undefined))
    const lines = tail.lines().map((line) => line.replace(/^\S+Z op\w+(-0)? +/, ""))
    expect(lines).toEqual([
      "created   identify      ada",
      "partial   identify      bob           email: email belongs to another person (contract §6 taken identifiers)",
      "applied   signed_up     ada",
    ])
    await tail.signal("SIGINT")
  })

  it.each([
    [["tail", "colour:red"], 2, "filter: `colour:red` at character 1 has an unknown key"],
    [["tail", "--workspace", "999999"], 1, "workspace 999999"],
    [["tail", "--token", "wrong"], 1, "the server does not accept the management token"],
    [
      ["tail", "--url", "http://127.0.0.1:1"],
      1,
      "no server responds at http://127.0.0.1:1: start one with `inlet serve`",
    ],
    [["why", "op9999999999"], 1, "operation"],
    [["why"], 2, "operation_id"],
  ] as const)("inlet %j exits with code %i and prints: %s", async (args, code, printed) => {
    const inlet = new CommandLine({ INLET_URL: sharedServer.url, INLET_MANAGEMENT_TOKEN: credentials.token })
    const ran = await inlet.run(args)
    expect(ran.stderr + ran.stdout).toContain(printed)
    expect(ran.code).toBe(code)
  })
})

/** The largest number of pages that one search of `inlet tail` reads. */
const searchPagesMax = 40

const visit = { type: "person", action: "event", identifiers: { id: "ada" }, name: "visit" }

const commandsOf = ({ workspace }: Tenant, url = sharedServer.url) =>
  new CommandLine({
    INLET_URL: url,
    INLET_MANAGEMENT_TOKEN: credentials.token,
    INLET_WORKSPACE: String(workspace),
  })

describe("inlet tail with a filter that few entries match", () => {
  it("inlet tail -n follows the pages of a search, and says if nothing matches", async () => {
    const tenant = await Tenant.create()
    await tenant.track("POST", "/api/v2/entity", {
      type: "person",
      action: "page",
      identifiers: { id: "ada" },
      name: "/pricing",
    })
    for (let n = 0; n < 6; n++) await tenant.batch(Array.from({ length: 2000 }, () => visit))
    const inlet = commandsOf(tenant)
    const until = ["--until", "2100-01-01T00:00:00Z", "-n", "3"]
    const found = await inlet.run(["tail", "kind:page,screen", ...until])
    expect([found.code, found.stdout.split("\n").length, found.stderr]).toEqual([0, 2, ""])
    expect(found.stdout).toContain("/pricing")
    const nothing = await inlet.run(["tail", "object:1/acme", ...until])
    expect(nothing).toEqual({ code: 0, stdout: "", stderr: "No earlier entry matches\n" })
  })

  it("inlet tail -n says how far back it has searched and how to continue", async () => {
    const tenant = await Tenant.create()
    for (const id of ["ada", "bob"]) await tenant.identify(id)
    const { next } = await tenant.activityPage({ limit: "1" })
    const searched_to = { sequence: 1, at: "2026-01-31T12:00:00.000Z" }
    const unfinished: Fault = {
      _tag: "Answer",
      status: 200,
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ items: [], next, searched_to }),
    }
    const faults = Array.from({ length: searchPagesMax }, () => unfinished)
    const proxy = await FaultyProxy.start(sharedServer, { _tag: "Hold" }, ...faults)
    proxy.release()
    const inlet = commandsOf(tenant, proxy.url)
    const { code, stderr, stdout } = await inlet.run(["tail", "object:1/acme", "--until", "2100-01-01"])
    expect([code, stdout, stderr]).toEqual([
      0,
      "",
      "Found 0 entries, searched back to 2026-01-31T12:00:00Z; continue with --until 2026-01-31T12:00:00.001Z\n",
    ])
    expect(proxy.requests).toHaveLength(1 + searchPagesMax)
  })
})

describe("inlet why", () => {
  it("inlet why lists the operations of a batch with their outcomes", async () => {
    const tenant = await Tenant.create()
    const batch = await tenant.batch([
      { type: "person", action: "identify", identifiers: { id: "ada" } },
      { type: "person", action: "dance", identifiers: { id: "ada" } },
      { type: "person", action: "event", identifiers: { id: "ada" }, name: "signed_up" },
    ])
    const id = String(batch.operationId)
    const inlet = commandsOf(tenant)
    const { code, stderr, stdout } = await inlet.run(["why", id])
    expect([code, stdout.split("\n").map((line) => line.split("\t").slice(0, 4))]).toEqual([
      0,
      [
        [`${id}-0`, "created", "identify", "ada"],
        [`${id}-1`, "rejected", "person dance", "ada"],
        [`${id}-2`, "applied", "signed_up", "ada"],
        [""],
      ],
    ])
    expect(stdout).toContain('action: unknown action "dance"')
    expect(stderr).toBe(`This id names a batch. To explain its first problem: inlet why ${id}-1\n`)
    expect((await inlet.run(["why", id, "--limit", "1"])).stderr).toContain(
      `To explain its first item: inlet why ${id}-0\n`,
    )
    expect(await inlet.json("why", id, "--limit", "2")).toMatchObject({
      items: [{ outcome: "created" }, { outcome: "rejected" }],
      next: expect.any(String),
    })
    expect((await inlet.run(["why", id, "--limit", "2"])).stderr).toContain(
      "There are more: add --all, or --after ",
    )
    expect((await inlet.lines("why", `${id}-2`)).join("\n")).toContain("WHAT TO DO")
  })

  it("inlet why shows the changes, rule and advice of an operation, and the later operations that overwrote its changes", async () => {
    const tenant = await Tenant.create()
    const free = await tenant.identify("ada", { plan: "free" })
    const pro = await tenant.identify("ada", { plan: "pro" })
    const [freeId = "", proId = ""] = [free, pro].map(({ headers }) => String(headers["inlet-operation-id"]))
    const inlet = new CommandLine({
      INLET_URL: sharedServer.url,
      INLET_MANAGEMENT_TOKEN: credentials.token,
      INLET_WORKSPACE: String(tenant.workspace),
    })
    const page = (await inlet.lines("why", freeId)).join("\n")
    expect(page).toContain("The identify call for ada was applied and created the person.")
    expect(page).toContain("CHANGES\n  id               (none) → ada\n  attributes.plan  (none) → free")
    expect(page).toContain(`OVERRIDDEN BY\n  attributes.plan  ${proId}`)
    expect(page).toContain("RULE\n  track-api §2.1 rule 1")
    expect(page).toContain(
      "If no person has any of the call's identifiers, Inlet creates a person, unless the call has",
    )
    expect(page).toContain("WHAT TO DO\n  There is nothing to do.")
    expect(page).toContain('THE CALL\n  PUT /api/v1/customers/ada\n  {"plan":"free"}')
    expect(await inlet.json("why", freeId)).toMatchObject({
      operation_id: freeId,
      call: { protocol: "track-v1", method: "PUT", path: "/api/v1/customers/ada", body: { plan: "free" } },
      explanation: { overridden_by: [{ path: "attributes.plan", operation_id: proId }] },
    })
  })
})

describe("inlet why of a refused value", () => {
  it("shows what was left out, who has it, and the command that merges the two people", async () => {
    const tenant = await Tenant.create()
    await tenant.identify("ada", { email: "ada@example.com" })
    const answer = await tenant.identify("bob", { email: "ada@example.com", plan: "pro" })
    const inlet = new CommandLine({
      INLET_URL: sharedServer.url,
      INLET_MANAGEMENT_TOKEN: credentials.token,
      INLET_WORKSPACE: String(tenant.workspace),
    })
    const [ada, bob] = [await tenant.person({ id: "ada" }), await tenant.person({ id: "bob" })]
    const page = (await inlet.lines("why", String(answer.headers["inlet-operation-id"]))).join("\n")
    expect(page).toContain("Left out: email belongs to ada@example.com.")
    expect(page).toContain("LEFT OUT\n  email  ada@example.com  belongs to another person (ada@example.com)")
    expect(page).toContain("RULE\n  contract §6 taken identifiers")
    expect(page).toContain(`inlet people merge ${String(bob?.svc_id)} ${String(ada?.svc_id)}`)
    const ran = await inlet.run(["people", "merge", String(bob?.svc_id), String(ada?.svc_id)])
    expect(ran.code).toBe(0)
    expect(await tenant.person({ id: "bob" })).toMatchObject({ email: "ada@example.com" })
  })
})

describe("inlet doctor", () => {
  it("inlet doctor checks the machine and the server, and says what to do about each problem", async () => {
    const dataDir = join(freshDirectory(), "data")
    const { INLET_MANAGEMENT_TOKEN: _, ...variables } = variablesFor(dataDir)
    const server = await Inlet.fromProcess(launch(variables), dataDir)
    const inlet = new CommandLine({ INLET_PORT: String(server.port), INLET_DATA_DIR: dataDir })
    const page = await inlet.lines("doctor")
    const names = [
      "node",
      "data directory",
      "disk space",
      "disk sync",
      "server",
      "clock",
      "token",
      "version",
      "queue",
      "workspaces",
    ]
    for (const name of names) {
      expect(
        page.some((line) => /^[✓!]/.test(line) && line.slice(2).startsWith(name)),
        name,
      ).toBe(true)
    }
    expect(page.find((line) => line.includes("disk sync"))).toMatch(/\d ms for a durable write of 4 KB/)
    await inlet.lines("workspaces", "update", "1", "--records-max", "1")
    await inlet.lines("send", "identify", "ada", "plan=pro")
    await send(server.url, { method: "PUT", path: "/api/v1/customers/ada" })
    const problems = (await inlet.lines("doctor")).join("\n")
    expect(problems).toContain("! records        default stores 1 of at most 1 records")
    expect(problems).toMatch(
      /! refused {8}calls that no workspace recorded: 1 unknown_key; the latest from .*127/,
    )
    await server.stop()
    const { code, stderr, stdout } = await inlet.run(["doctor"])
    expect(code).toBe(1)
    expect(stdout).toContain(`✗ server         nothing listens on port ${server.port} of 127.0.0.1`)
    expect(stdout).toContain("Start the server with `inlet serve`")
    expect(stderr).toBe("inlet: problems found: 1\n")
    const report = await inlet.run(["doctor", "--json"])
    expect(JSON.parse(report.stdout)).toMatchObject({ checks: expect.any(Array) })
  })
})

it("the command line exits without an error if its output pipe is closed", async () => {
  const tenant = await Tenant.create()
  await tenant.identify("ada")
  const env = `INLET_URL=${sharedServer.url} INLET_MANAGEMENT_TOKEN=${credentials.token} INLET_WORKSPACE=${tenant.workspace}`
  const script = `${env} '${process.execPath}' '${cliFile}' tail -n 5 --json | head -1; ${env} '${process.execPath}' '${cliFile}' send identify bob --json >/dev/null`
  const shell = launchAs(["sh", "-c", script], {})
  await tenant.identify("eve")
  const exit = within("the pipeline ends", shell.exit)
  await eventually("the command writes to the closed pipe", async () => {
    await tenant.identify("mia")
    return shell.exited === undefined ? undefined : true
  })
  expect(await exit).toEqual({ code: 0, signal: null })
  expect(shell.lines()).toHaveLength(1)
})

it.each(["bash", "zsh", "fish"])("inlet --completions prints a script for %s", async (shell) => {
  const { code, stdout } = await new CommandLine({}).run(["--completions", shell])
  expect(code).toBe(0)
  for (const command of ["tail", "people", "segments"]) expect(stdout).toContain(command)
  if (shell === "bash") expect(spawnSync("bash", ["-n"], { input: stdout }).status).toBe(0)
})
