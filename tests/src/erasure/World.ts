import { join } from "node:path"
import type { PostgresServer } from "@inlethq/postgres-server/PostgresServer"
import { runSql } from "@inlethq/postgres-server/runSql"
import { expect } from "vitest"
import { freshDirectory } from "../cleanup.ts"
import { CommandLine } from "../commandLine.ts"
import { eventually } from "../eventually.ts"
import { filesContaining } from "../files.ts"
import { fresh } from "../fresh.ts"
import { credentials, Inlet } from "../Inlet.ts"
import { Management, type Person } from "../Management.ts"

/** The workspace that clients write to, and two that its log is replayed into. */
const workspaces = [1, 2, 3]

const marks = /mark-[0-9a-f]{12}/g

/** Returns the marks of everybody whose data a person has: their own, and those of the people merged into them. */
const marksOf = ({ attributes }: Person): ReadonlyArray<string> =>
  Object.keys(attributes).filter((name) => name.startsWith("mark-"))

/**
 * An installation that is backed up, restored, copied, replayed and killed while people are created, merged, un-merged and
 * erased. Everything about a person contains a mark, so that the bytes of the files are a witness of what is left.
 */
export class World {
  private server: Inlet
  /** The files of the backups, oldest first. */
  private backups: ReadonlyArray<string> = []
  /** The marks of everybody who was erased. */
  private readonly erased = new Set<string>()
  /** What was done, for the message of a failure. */
  readonly done: Array<string> = []

  private readonly postgres: PostgresServer

  private constructor(server: Inlet, postgres: PostgresServer) {
    this.server = server
    this.postgres = postgres
  }

  static async create(postgres: PostgresServer): Promise<World> {
    const world = new World(await Inlet.start(), postgres)
    for (const _ of workspaces.slice(1)) await new Management(world.server).createWorkspace()
    return world
  }

  async stop(): Promise<void> {
    await this.server.stop()
  }

  get erasedCount(): number {
    return this.erased.size
  }

  private of(workspace = 1): Management {
    return new Management(this.server, workspace)
  }

  private get inlet(): CommandLine {
    return new CommandLine({
      INLET_URL: this.server.url,
      INLET_MANAGEMENT_TOKEN: credentials.token,
      INLET_WORKSPACE: "1",
      INLET_SECRET: "s".repeat(32),
    })
  }

  private people(workspace = 1): Promise<ReadonlyArray<Person>> {
    return this.of(workspace).people({ limit: "1000", order: "asc" })
  }

  private async operate(operation: object, workspace = 1) {
    const management = this.of(workspace)
    const answer = await management.call("POST", management.pathOf("/operations"), operation)
    expect(answer.status, answer.text).toBeLessThan(300)
  }

  /** Creates somebody with an event and a device. Everything about them contains their mark. */
  async create(): Promise<void> {
    const mark = fresh("mark")
    this.done.push(`create ${mark}`)
    const person = { type: "person", identifiers: { id: `${mark}-id` } }
    const attributes = {
      email: `${mark}@example.com`,
      [mark]: `${mark}-value`,
      anonymous_id: `${mark}-cookie`,
      phone: "+1 555 0100 777",
      name: `${mark}-name`,
      postcode: "AB1 2CD",
    }
    await this.operate({ ...person, action: "identify", attributes })
    await this.operate({
      ...person,
      action: "event",
      name: `${mark}-did`,
      attributes: { said: `${mark}-data` },
    })
    await this.operate({
      ...person,
      action: "add_device",
      device: { token: `${mark}-token`, platform: "ios" },
    })
  }

  async merge(random: () => number): Promise<void> {
    const people = await this.people()
    const [primary, secondary] = [one(people, random), one(people, random)]
    if (primary === undefined || secondary === undefined || primary === secondary) return
    this.done.push(`merge ${primary.id} ${secondary.id}`)
    await this.operate({
      type: "person",
      action: "merge",
      primary: { svc_id: primary.svc_id },
      secondary: { svc_id: secondary.svc_id },
    })
  }

  async unmerge(random: () => number): Promise<void> {
    const merge = await this.aMerge(random)
    if (merge === undefined) return
    const divide = random() < 0.5
    this.done.push(`unmerge ${merge.primary} ${merge.secondary}${divide ? " and divide" : ""}`)
    await this.operate({
      type: "person",
      action: "unmerge",
      primary: { svc_id: merge.primary },
      secondary: { svc_id: merge.secondary },
      divide,
    })
  }

  /** Erases somebody in all workspaces: as a whole, or only a merged person by an identifier that the merge freed. */
  async erase(random: () => number): Promise<void> {
    const merge = random() < 0.5 ? await this.aMerge(random) : undefined
    const freed = merge?.id ?? null
    if (freed !== null) {
      this.done.push(`delete the freed ${freed}`)
      await this.operate({ type: "person", action: "delete", identifiers: { id: freed } })
    }
    const person = freed === null ? one(await this.people(), random) : undefined
    const action = random() < 0.3 ? "suppress" : "delete"
    const wanted = new Set(freed === null ? [] : freed.match(marks))
    for (const mark of person === undefined ? [] : marksOf(person)) wanted.add(mark)
    for (let before = -1; before < wanted.size;) {
      before = wanted.size
      for (const workspace of workspaces) {
        for (const one of await this.people(workspace)) {
          if (!marksOf(one).some((mark) => wanted.has(mark))) continue
          for (const mark of marksOf(one)) wanted.add(mark)
          this.done.push(`${action} ${one.id} of ${workspace}`)
          await this.operate({ type: "person", action, identifiers: { svc_id: one.svc_id } }, workspace)
        }
      }
    }
    for (const mark of wanted) this.erased.add(mark)
  }

  /** Kills the server while it may still erase. */
  async kill(): Promise<void> {
    this.done.push("kill")
    await this.server.kill()
    this.server = await Inlet.start({ dataDir: this.server.dataDir })
  }

  async backUp(): Promise<void> {
    const file = join(freshDirectory(), "inlet.backup")
    await this.inlet.lines("backup", file, "--data-dir", this.server.dataDir)
    this.done.push(`backup ${this.backups.length}`)
    this.backups = [...this.backups, file]
  }

  /** Goes back to a backup with the newer ledger. Backups that were made after it are of no use any more. */
  async restore(random: () => number): Promise<void> {
    const at = Math.floor(random() * this.backups.length)
    const backup = this.backups[at]
    if (backup === undefined) return
    this.done.push(`restore ${at}`)
    this.backups = this.backups.slice(0, at + 1)
    await this.moveTo((to) => ["restore", backup, "--data-dir", to, "--ledger", this.server.dataDir])
  }

  async copy(): Promise<void> {
    this.done.push("copy")
    await this.moveTo((to) => ["copy", "--from", this.server.dataDir, "--to", to])
  }

  /** Copies everything to PostgreSQL and from there to the next data directory. */
  async copyByPostgres(): Promise<void> {
    this.done.push("copy by PostgreSQL")
    const url = this.postgres.url(await this.postgres.createDatabase())
    await this.settle()
    await this.server.stop()
    await this.inlet.lines("copy", "--from", this.server.dataDir, "--to", url)
    expect(this.erasedIn(await textOf(url)), `PostgreSQL after ${this.done.join(", ")}`).toEqual([])
    await this.moveTo((to) => ["copy", "--from", url, "--to", to])
  }

  /** Continues in the data directory that a command makes. Nobody may be back in its files, not even before a server opens it. */
  private async moveTo(args: (to: string) => ReadonlyArray<string>): Promise<void> {
    await this.settle()
    await this.server.stop()
    const to = join(freshDirectory(), "data")
    await this.inlet.lines(...args(to))
    this.expectNobodyIn(to)
    this.server = await Inlet.start({ dataDir: to })
  }

  async replay(random: () => number): Promise<void> {
    const to = random() < 0.5 ? 2 : 3
    this.done.push(`replay to ${to}`)
    await this.inlet.lines("replay", "--to", `#${to}`)
  }

  /** Waits until housekeeping has erased everybody, and checks that no reader and no file shows them. */
  async check(): Promise<void> {
    for (const workspace of workspaces) {
      const duplicates = await this.of(workspace).get("/duplicates", { limit: "1000" })
      const shown = JSON.stringify([
        await this.people(workspace),
        await this.of(workspace).activity({}),
        duplicates,
      ])
      expect(this.erasedIn(shown), `workspace ${workspace} after ${this.done.join(", ")}`).toEqual([])
    }
    await this.settle()
  }

  private async settle(): Promise<void> {
    await eventually(`no file has somebody erased after ${this.done.join(", ")}`, () =>
      filesContaining(this.server.dataDir, ...this.erased).length === 0 ? true : undefined,
    )
  }

  private expectNobodyIn(directory: string): void {
    const files = filesContaining(directory, ...this.erased)
    expect(files, `after ${this.done.join(", ")}`).toEqual([])
  }

  private erasedIn(text: string): ReadonlyArray<string> {
    return [...new Set(text.match(marks))].filter((mark) => this.erased.has(mark))
  }

  /** Returns a merge that can be undone, of a random person. */
  private async aMerge(random: () => number) {
    const merged = (await this.people()).filter((person) => marksOf(person).length > 1)
    const person = one(merged, random)
    if (person === undefined) return undefined
    const { items } = Object(await this.of().get(`/people/${person.svc_id}/merges`))
    const merge = one(Array.isArray(items) ? items : [], random)
    if (merge === undefined) return undefined
    const { id, svc_id } = Object(Object(merge).secondary)
    return { primary: person.svc_id, secondary: String(svc_id), id: typeof id === "string" ? id : null }
  }
}

/** Returns every row of a database as text. Bytes are decoded as if they were text. */
const textOf = async (url: string): Promise<string> => {
  const tables = await runSql(url, [
    "SELECT table_name::text AS name FROM information_schema.tables WHERE table_schema = 'public'",
  ])
  const texts = new Array<string>()
  for (const { name } of tables) {
    const [row] = await runSql(url, [`SELECT string_agg(t::text, ' ') AS text FROM "${String(name)}" AS t`])
    const text = String(row?.["text"] ?? "")
    const bytes = text.match(/(?<=\\x)[0-9a-f]+/g) ?? []
    texts.push(text, ...bytes.map((hex) => Buffer.from(hex, "hex").toString("latin1")))
  }
  return texts.join("\n")
}

const one = <A>(items: ReadonlyArray<A>, random: () => number): A | undefined =>
  items[Math.floor(random() * items.length)]
