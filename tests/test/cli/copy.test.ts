import { existsSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { runSql } from "@inlethq/postgres-server/runSql"
import { PostgresServer } from "@inlethq/postgres-server/PostgresServer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { freshDirectory } from "../../src/cleanup.ts"
import { CommandLine } from "../../src/commandLine.ts"
import { cookieOf, signIn, signOut } from "../../src/consoleSession.ts"
import { summaryOf, startImport, writeCsv } from "../../src/csvFiles.ts"
import { eventually, within } from "../../src/eventually.ts"
import { exportsOf } from "../../src/exported.ts"
import { send } from "../../src/http.ts"
import { credentials, Inlet } from "../../src/Inlet.ts"
import { Launched } from "../../src/Launched.ts"
import { Management } from "../../src/Management.ts"
import type { Tenant } from "../../src/Tenant.ts"
import { fillWorkspace, longId, webhookUrl } from "../../src/variedData.ts"

const secret = "s".repeat(32)
const otherSecret = "t".repeat(32)

const inlet = new CommandLine({ INLET_SECRET: secret })

/** Runs `inlet copy` and returns its output as one line. */
const copy = async (from: string, to: string, ...args: ReadonlyArray<string>): Promise<string> =>
  (await inlet.lines("copy", "--from", from, "--to", to, ...args)).join()

/** Runs a command that must fail, and returns the exit code and the error. */
const refusal = async (from: string, to: string, ...args: ReadonlyArray<string>) => {
  const { code, stderr } = await inlet.run(["copy", "--from", from, "--to", to, ...args])
  return [code, stderr.trim()]
}

/**
 * Returns the number of rows of the table `subjects` that a copy has written to a data directory so far. People and
 * objects are rows of this table.
 */
const copiedSubjects = (directory: string): number => {
  try {
    const file = new DatabaseSync(join(directory, "inlet.db"), { readOnly: true })
    try {
      const row = file.prepare("SELECT value FROM copy_progress WHERE name = '1:subjects'").get()
      return Number(Object(JSON.parse(String(row?.["value"] ?? "{}")))["rows"] ?? 0)
    } finally {
      file.close()
    }
  } catch {
    // The copy has not created the database or the table yet.
    return 0
  }
}

/**
 * Starts a copy, and freezes the process when `hasCopied` returns true. The process is also frozen during each call of
 * `hasCopied`, so the copy cannot end while `hasCopied` reads the target.
 */
const frozenCopy = async (
  from: string,
  to: string,
  hasCopied: () => Promise<boolean> | boolean,
): Promise<Launched> => {
  const running = new Launched(inlet.start(["copy", "--from", from, "--to", to]))
  await eventually("some people are copied", async () => {
    running.child.kill("SIGSTOP")
    if (await hasCopied()) return true
    running.child.kill("SIGCONT")
    return undefined
  })
  return running
}

const person = (id: string) => ({ type: "person", identifiers: { id } })

describe("inlet copy between data directories and PostgreSQL", () => {
  let database: PostgresServer
  const newUrl = async () => database.url(await database.createDatabase())

  /** A data directory with two workspaces that have data of every kind. */
  const filled = join(freshDirectory(), "data")
  let tenant: Tenant
  let workspaces: ReadonlyArray<number>
  let before: Awaited<ReturnType<typeof exportsOf>>

  beforeAll(async () => {
    database = await PostgresServer.start()
    const source = await Inlet.start({ dataDir: filled })
    tenant = await fillWorkspace(source)
    workspaces = [tenant.workspace, (await fillWorkspace(source)).workspace]
    before = await exportsOf(source, [1, ...workspaces])
    expect(before[`${tenant.workspace} people`]?.length).toBeGreaterThan(3)
    await source.stop()
  })
  afterAll(() => database.remove())

  const exportsBefore = (kept: ReadonlyArray<number>) =>
    Object.fromEntries(
      Object.entries(before).filter(([name]) => kept.some((workspace) => name.startsWith(`${workspace} `))),
    )

  it("the stores of a copy can come from the environment, and the password of a database from PGPASSWORD", async () => {
    const url = await newUrl()
    const refused = await new CommandLine({ INLET_SECRET: secret }).run(["copy", "--from", filled])
    expect([refused.code, refused.stderr]).toEqual([
      2,
      "inlet: --to is missing: set it or INLET_COPY_TO to a data directory or a postgres:// URL\n",
    ])
    const { password, username } = new URL(url)
    expect(password).not.toBe("")
    const variables = {
      INLET_SECRET: secret,
      INLET_COPY_FROM: filled,
      INLET_COPY_TO: url.replace(`${username}:${password}@`, `${username}@`),
      PGPASSWORD: decodeURIComponent(password),
    }
    expect((await new CommandLine(variables).lines("copy")).join()).toMatch(/^Copied in /)
  })

  it("a copy from SQLite to PostgreSQL and back has the same exports, and decides later calls in the same way", async () => {
    const second = join(freshDirectory(), "data")
    const url = await newUrl()
    expect(await copy(filled, url)).toMatch(
      /^Copied in [\d.]+ s: 3 workspaces, \d+ subjects, \d+ log entries$/,
    )

    const shared = await Inlet.start({ env: { INLET_STORE: url, INLET_SECRET: secret } })
    expect(await exportsOf(shared, [1, ...workspaces])).toEqual(before)
    const there = new Management(shared, tenant.workspace)
    const asTenant = (path: string, payload: object) =>
      send(shared.url, {
        method: "POST",
        path,
        headers: { ...tenant.authorization, "content-type": "application/json" },
        body: JSON.stringify(payload),
      })
    await asTenant("/api/v2/batch", {
      batch: [
        { ...person("ada"), action: "event", name: "bought", id: "event of ada" },
        { ...person("eve"), action: "event", name: "bought", id: "new" },
        { ...person("gus"), action: "identify", attributes: { plan: "free" } },
        {
          type: "person",
          action: "event",
          identifiers: { anonymous_id: "y" },
          name: "seen",
          id: longId,
        },
      ],
    })
    const outcomes = (await there.activity({})).slice(0, 4).map(({ outcome }) => outcome)
    expect(outcomes.toReversed()).toEqual(["duplicate", "ignored", "created", "duplicate"])
    expect(await there.isSuppressed({ id: "eve" })).toBe(true)
    expect((await there.person({ id: "gus" })).svc_id > (await there.person({ id: "ada" })).svc_id).toBe(true)
    const webhooks = await there.call("GET", there.pathOf("/webhooks"))
    expect(webhooks.text).toContain(webhookUrl)
    const grown = await exportsOf(shared, [1, ...workspaces])
    await shared.stop()

    expect(await copy(url, second)).toMatch(/^Copied in /)
    const back = await Inlet.start({ dataDir: second })
    expect(await exportsOf(back, [1, ...workspaces])).toEqual(grown)
    await back.stop()
  })

  it("a session that was signed out before a copy stays signed out in PostgreSQL and back in a data directory", async () => {
    const [first, second] = [join(freshDirectory(), "data"), join(freshDirectory(), "data")]
    const url = await newUrl()
    const source = await Inlet.start({ dataDir: first })
    const [ended, kept] = [
      cookieOf(await signIn(source.url, { token: credentials.token })),
      cookieOf(await signIn(source.url, { token: credentials.token })),
    ]
    await signOut(source.url, ended)
    await source.stop()
    const statuses = async (inlet: Inlet): Promise<ReadonlyArray<number>> => {
      const answers = [ended, kept].map((cookie) =>
        send(inlet.url, { method: "GET", path: "/management/v1/workspaces", headers: { cookie } }),
      )
      const found = (await Promise.all(answers)).map(({ status }) => status)
      await inlet.stop()
      return found
    }
    await copy(first, url)
    const shared = await Inlet.start({ env: { INLET_STORE: url, INLET_SECRET: secret } })
    expect(await statuses(shared)).toEqual([401, 200])
    await copy(url, second)
    expect(await statuses(await Inlet.start({ dataDir: second }))).toEqual([401, 200])
  })

  it("a copy of one workspace encrypts the digest key with the secret of the other database", async () => {
    const [one, two] = [await newUrl(), await newUrl()]
    const only = ["--workspace", String(tenant.workspace)]
    expect(await refusal(filled, one, "--workspace", "99")).toEqual([
      1,
      `inlet: workspace 99 does not exist in the data directory ${filled}`,
    ])
    expect(await copy(filled, one, ...only)).toMatch(/: 1 workspace, /)
    const elsewhere = new CommandLine({ INLET_FROM_SECRET: secret, INLET_TO_SECRET: otherSecret })
    await elsewhere.lines("copy", "--from", one, "--to", two)
    const moved = await Inlet.start({ env: { INLET_STORE: two, INLET_SECRET: otherSecret } })
    expect(await exportsOf(moved, [tenant.workspace])).toEqual(exportsBefore([tenant.workspace]))
    const management = new Management(moved, tenant.workspace)
    expect(await management.isSuppressed({ id: "eve" })).toBe(true)
    await moved.stop()
  })

  it("inlet copy adds one workspace to a data directory or database with other workspaces, and does not change these workspaces", async () => {
    const added = join(freshDirectory(), "data")
    const url = await newUrl()
    for (const target of [added, url]) {
      for (const workspace of workspaces)
        expect(await copy(filled, target, "--workspace", String(workspace))).toMatch(/: 1 workspace, /)
    }
    const env = { INLET_STORE: url, INLET_SECRET: secret }
    for (const target of [await Inlet.start({ dataDir: added }), await Inlet.start({ env })]) {
      expect(await exportsOf(target, workspaces)).toEqual(exportsBefore(workspaces))
      for (const workspace of workspaces)
        expect(await new Management(target, workspace).isSuppressed({ id: "eve" })).toBe(true)
      await target.stop()
    }
  })

  it("inlet copy refuses to add a workspace that the target already has, or that has suppressions which the target could not recognise", async () => {
    const [target, other] = [join(freshDirectory(), "data"), join(freshDirectory(), "data")]
    await (await Inlet.start({ dataDir: other })).stop()
    const only = ["--workspace", String(tenant.workspace)]
    await copy(filled, target, ...only)
    const name = `inlet: the data directory ${target}`
    expect(await refusal(filled, target, ...only)).toEqual([
      1,
      `${name} already has a workspace ${tenant.workspace}`,
    ])
    expect(await refusal(other, target, "--workspace", "1")).toEqual([
      1,
      `${name} hashes suppressed identifiers with a different secret key than the source, so suppressions cannot be copied into it; copy into an empty store`,
    ])
    const file = new DatabaseSync(join(target, "inlet.db"))
    file.exec("CREATE TABLE copy_progress (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID")
    const plan = JSON.stringify({ source: "", isAdded: true, lastDeleted: 0, heads: [] })
    file.prepare("INSERT INTO copy_progress (name, value) VALUES ('plan', ?)").run(plan)
    file.close()
    expect(await refusal(filled, target, "--workspace", "1")).toEqual([
      1,
      `${name} holds an unfinished copy of another workspace, or of the same workspace before it changed; restore the backup of the target and copy again`,
    ])
  })

  it("inlet copy exits with code 1 if the target has data, or if the source, a URL or a secret is wrong", async () => {
    const directory = join(freshDirectory(), "data")
    const source = await Inlet.start({ dataDir: directory })
    const url = await newUrl()
    expect(await refusal(directory, url)).toEqual([
      1,
      `inlet: the data directory ${directory} is in use by another process`,
    ])
    await source.stop()
    await copy(directory, url)
    const occupied = "holds other data; copy into an empty store, or copy one workspace with --workspace"
    expect(await refusal(directory, url)).toEqual([1, `inlet: the PostgreSQL database ${occupied}`])
    const started = join(freshDirectory(), "data")
    await (await Inlet.start({ dataDir: started })).stop()
    for (const target of [started, filled])
      expect(await refusal(url, target)).toEqual([1, `inlet: the data directory ${target} ${occupied}`])
    const nowhere = join(freshDirectory(), "nothing")
    expect(await refusal(nowhere, url)).toEqual([
      1,
      `inlet: ${nowhere} has no database inlet.db: name the data directory of a server, or a postgres:// URL`,
    ])
    expect(existsSync(nowhere)).toBe(false)
    expect(await refusal(directory, `${directory}/`)).toEqual([
      1,
      "inlet: --from and --to are the same data directory",
    ])
    expect((await refusal(directory, "postgres://%"))[1]).toContain("--to is not a valid PostgreSQL URL")
    const wrong = new CommandLine({ INLET_FROM_SECRET: otherSecret })
    const { code, stderr } = await wrong.run(["copy", "--from", url, "--to", nowhere])
    expect([code, stderr.trim()]).toEqual([
      1,
      "inlet: INLET_SECRET differs from the secret that the database was set up with; set INLET_SECRET to the value that the first node had",
    ])
  })

  it("inlet copy waits until the server of its source has stopped, and prints that it waits", async () => {
    const url = await newUrl()
    const source = await Inlet.start({ env: { INLET_STORE: url, INLET_SECRET: secret } })
    const leases = () => runSql(url, ["SELECT name FROM leases WHERE until > now()"])
    await eventually("the server holds a lease", async () => ((await leases()).length > 0 ? true : undefined))
    const running = new Launched(inlet.start(["copy", "--from", url, "--to", join(freshDirectory(), "data")]))
    await eventually("the copy waits", () => (running.lines().length > 0 ? true : undefined))
    expect(running.lines()[0]).toBe(
      "waiting up to 50 s for the servers on the database to stop; a killed server counts as running for up to 45 s",
    )
    await source.stop()
    expect(await leases()).toEqual([])
    expect(await within("the copy ends", running.exit)).toEqual({ code: 0, signal: null })
    expect(running.lines().at(-1)).toMatch(/^Copied in /)
  })

  describe("a copy of 10,000 people that ends early", () => {
    // A copy reads and writes 1,000 rows at a time and indexes 4,096 log entries at a time, so 10,000 people need
    // several steps of both kinds.
    const rows = 10_000
    const directory = join(freshDirectory(), "data")
    let exported: Awaited<ReturnType<typeof exportsOf>>

    beforeAll(async () => {
      const file = join(freshDirectory(), "people.csv")
      writeCsv(file, "people", rows, rows + 1)
      const source = await Inlet.start({ dataDir: directory })
      const imported = startImport(source.url, "people", file, "--json")
      await within("the import ends", imported.exit)
      expect(summaryOf(imported.lines().at(-1) ?? "").imported).toBe(rows)
      exported = await exportsOf(source, [1])
      await source.stop()
    })

    it("a killed copy to PostgreSQL resumes, and no server starts on the database until the copy is complete", async () => {
      const url = await newUrl()
      const running = await frozenCopy(directory, url, async () => {
        const [mark] = await runSql(url, ["SELECT to_regclass('copy_progress') IS NOT NULL AS found"])
        if (mark?.["found"] !== true) return false
        const copied = await runSql(url, ["SELECT 1 FROM copy_progress WHERE name = '1:subjects'"])
        return copied.length > 0
      })
      await running.signal("SIGKILL")
      const env = { INLET_STORE: url, INLET_SECRET: secret }
      await expect(Inlet.start({ env })).rejects.toThrow("is the target of an unfinished copy")
      expect(await copy(directory, url)).toMatch(/^Copy resumed and completed in /)
      const restored = await Inlet.start({ env })
      expect(await exportsOf(restored, [1])).toEqual(exported)
      await restored.stop()
    })

    // This test must be the last, because it changes the data that the other tests copy.
    it("no server starts on an unfinished copy, and a killed or interrupted copy resumes where it stopped unless its source has changed", async () => {
      const [target, changed] = [join(freshDirectory(), "data"), join(freshDirectory(), "data")]

      for (const to of [target, changed]) {
        const running = await frozenCopy(directory, to, () => copiedSubjects(to) > 0)
        const exit = running.signal(to === target ? "SIGKILL" : "SIGINT")
        running.child.kill("SIGCONT")
        await exit
        if (to === changed) {
          expect(running.exited?.code).toBe(130)
          expect(running.lines()).toEqual(["inlet: copy interrupted; run the same command again to resume"])
        }
        expect(copiedSubjects(to)).toBeLessThan(rows)
        await expect(Inlet.start({ dataDir: to })).rejects.toThrow("is the target of an unfinished copy")
      }
      expect(await copy(directory, target)).toMatch(/^Copy resumed and completed in /)
      const restored = await Inlet.start({ dataDir: target })
      expect(await exportsOf(restored, [1])).toEqual(exported)
      await restored.stop()

      const grown = await Inlet.start({ dataDir: directory })
      await fillWorkspace(grown)
      await grown.stop()
      expect(await refusal(directory, changed)).toEqual([
        1,
        `inlet: the data directory ${changed} holds an unfinished copy of another source, or of the same source before it changed; remove the target and copy again`,
      ])
    })
  })
})
