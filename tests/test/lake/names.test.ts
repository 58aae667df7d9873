import { Catalog, noFilter, type Followed } from "@inlethq/core/catalog/Catalog"
import { toActivityView } from "@inlethq/core/catalog/ActivityView"
import type { Command } from "@inlethq/core/Command"
import { mergeIn, type RecordedMerge } from "@inlethq/core/person/mergeReceipt"
import { LakeFiles } from "@inlethq/core/ports/LakeFiles"
import { Registry } from "@inlethq/core/ports/Registry"
import { SubjectKey, svcIdText, type Sequence } from "@inlethq/core/values/Identifier"
import { defaultSettings, type Workspace } from "@inlethq/core/workspace/Workspace"
import { Ingest } from "@inlethq/engine/commits/Ingest"
import { lakeStatements } from "@inlethq/lake/sql/lakeStatements"
import { LakeThread } from "@inlethq/lake/thread/LakeThread"
import {
  byAnonymousId,
  byEmail,
  byId,
  bySvcId,
  event,
  identify,
  merge,
  remove,
  unmerge,
} from "@inlethq/store-conformance/script/commands"
import { Effect, Layer } from "effect"
import { assert, describe, it } from "vitest"
import { freshDirectory } from "../../src/cleanup.ts"
import { queryDuckDb } from "../../src/lake/duckDb.ts"
import { LakeClock } from "../../src/lake/LakeClock.ts"
import { numbers } from "../../../tools/testing/randomNumbers.ts"
import { runLakeReader } from "../../src/lake/lakeReader.ts"
import { memoryStore, sqliteStore } from "../../src/lake/lakeStores.ts"

const runs = Number(process.env["INLET_TEST_RUNS"] ?? 2)

const commandsPerRound = 40

/** The `svc_id`, the `id` and the `email` of an operation. */
type Names = readonly [svcId: string | null, id: string | null, email: string | null]

/** Says of each operation what was shown of it before the next one, as if a file had been written at once. */
class Shown {
  readonly names = new Map<string, Names>()
  readonly merges: Array<RecordedMerge> = []
  readonly people = new Set<number>()
  private after: Sequence | null = null

  readonly look = Effect.fnUntraced({ self: this }, function* (this: Shown, { id }: Workspace) {
    for (;;) {
      const page: Followed = yield* Catalog.use((catalog) => catalog.follow(id, noFilter, this.after))
      for (const record of page.items) {
        const { knownAs, person } = toActivityView(record)
        if (person !== null) this.people.add(person.key)
        this.merges.push(...[mergeIn(record.entry) ?? []].flat())
        const svcId = person === null ? null : svcIdText(id, person.key)
        this.names.set(String(record.entry.sequence), [svcId, knownAs.id, knownAs.email])
      }
      this.after = page.readTo
      if (page.caughtUp) return
    }
  })
}

/** Draws a command about a few people, who change their emails, are merged and taken apart. Names of the deleted are not used again. */
class Drawn {
  readonly deleted = new Set<string>()
  private readonly draw: (below: number) => number
  private mails = 0
  private lives = 0

  constructor(draw: (below: number) => number) {
    this.draw = draw
  }

  command(here: { readonly in: Workspace; readonly receivedAt: number }, shown: Shown): Command {
    const { draw } = this
    const name = `person${draw(4)}-${draw(4) === 0 ? 0 : this.lives}`
    const person = byId(name)
    const cookie = byAnonymousId(`cookie${draw(3)}`)
    const known = [...shown.people]
    const someone = bySvcId(known[draw(known.length)] ?? 1)
    switch (draw(14)) {
      case 0:
        return identify(person, [["plan", draw(3)]], here)
      case 1:
        return identify(person, [], { ...here, anonymousId: `cookie${draw(3)}` })
      case 2:
        return identify(byEmail(`mail${draw(this.mails + 1)}@example.com`), [["n", 1]], here)
      case 3:
      case 4:
        return identify(someone, [], { ...here, email: `mail${this.mails++}@example.com` })
      case 5:
        return identify(person, [], { ...here, removeEmail: true })
      case 6:
        return merge(person, byEmail(`mail${draw(this.mails + 1)}@example.com`), here)
      case 7:
        return merge(person, byId(`person${draw(4)}-${this.lives}`), here)
      case 8:
      case 9: {
        const one = shown.merges[draw(shown.merges.length)]
        return one === undefined
          ? event(person, "seen", here)
          : unmerge(one, { ...here, divide: draw(2) === 0 })
      }
      case 10:
        return event(cookie, "seen", here)
      case 11:
        return event(byEmail(`mail${draw(this.mails + 2)}@example.com`), "seen", here)
      default:
        return event(person, "seen", here)
    }
  }

  /** Deletes somebody, and never names anybody the same again. */
  deletion(here: { readonly in: Workspace; readonly receivedAt: number }): Command {
    const name = `person${this.draw(4)}-${this.lives++}`
    return remove(byId(name), here)
  }
}

const makeLake = Effect.gen(function* () {
  const settings = { target: "folder", url: freshDirectory(), erasureDays: 7 } as const
  const workspace = yield* Registry.use((registry) =>
    registry.createWorkspace({ ...defaultSettings("One", "us"), lake: settings }),
  )
  return { settings, workspace, clock: new LakeClock() }
})

type Lake = Effect.Success<typeof makeLake>

/** Has a reader write everything into files. The last entry must be one that stays. */
const flush = Effect.fnUntraced(function* ({ clock, settings, workspace }: Lake) {
  const newest = yield* Catalog.use((catalog) =>
    catalog.activity(workspace.id, noFilter, { after: null, limit: 1, order: "desc" }),
  )
  const end = newest.items[0]?.entry.sequence
  if (end === undefined) throw new Error("the log is empty")
  yield* runLakeReader(workspace.id, settings, end, () => clock.moveHours(0.1)).pipe(
    Effect.provide(clock.layer),
  )
})

const rowsOf = Effect.fnUntraced(function* ({ settings, workspace }: Lake) {
  const files = yield* LakeFiles.use((lake) => lake.files(workspace.id))
  const statements = lakeStatements("duckdb", { workspace: workspace.id, settings, files }, [])
  return yield* Effect.promise(() =>
    queryDuckDb(
      statements,
      "SELECT position, name, svc_id, id, email FROM activity WHERE kind NOT IN ('delete', 'unmerge') OR kind IS NULL ORDER BY position",
    ),
  )
})

const law = Effect.fnUntraced(function* (seed: number, rounds: number, deletes: boolean) {
  const lake = yield* makeLake
  const { clock, workspace } = lake
  const draw = numbers(seed)
  const shown = new Shown()
  const drawn = new Drawn(draw)
  for (let round = 0; round < rounds; round++) {
    for (let n = 0; n < commandsPerRound; n++) {
      const here = { in: workspace, receivedAt: clock.now }
      const isLast = n === commandsPerRound - 1
      const command =
        deletes && n % 12 === 11
          ? drawn.deletion(here)
          : isLast
            ? event(byId("keeper"), "kept", here)
            : drawn.command(here, shown)
      yield* Ingest.use((ingest) => ingest.submit([command], 100))
      yield* shown.look(workspace)
      if (draw(3) === 0) clock.moveHours(0.001)
    }
    yield* flush(lake)
  }
  const rows = yield* rowsOf(lake)
  assert.isAbove(rows.length, commandsPerRound / 4)
  const written = rows.map(({ email, id, position, svc_id }) => [position, [svc_id, id, email]] as const)
  const gone = yield* goneNames(workspace, shown)
  const expected = written.map(([position, names]) => {
    const then = shown.names.get(String(position))?.map((name, i) => {
      return names[i] === null && gone.has(name) ? null : name
    })
    return [position, then] as const
  })
  return { expected, written }
})

/** Returns what people were called who are deleted by now. */
const goneNames = Effect.fnUntraced(function* (workspace: Workspace, { names, people }: Shown) {
  const keys = new Set(Array.from(people, (key) => SubjectKey.make(key)))
  const gone = yield* Catalog.use((catalog) => catalog.goneAmong(workspace.id, keys))
  const svcIds = new Set(Array.from(gone, (key) => svcIdText(workspace.id, key)))
  return new Set(
    [...names.values()].flatMap(([svcId, id, email]) =>
      svcId !== null && svcIds.has(svcId) ? [id, email] : [],
    ),
  )
})

type Stores<E> = Layer.Layer<Layer.Success<typeof memoryStore>, E>

const run = <A, E, E2>(
  store: Stores<E>,
  effect: Effect.Effect<A, E2, Layer.Success<Stores<E>> | LakeThread>,
) => Effect.runPromise(Effect.provide(effect, Layer.provideMerge(LakeThread.layer, store)))

const check = async <E>(store: Stores<E>, seed: number, rounds: number, deletes: boolean) => {
  const { expected, written } = await run(store, law(seed, rounds, deletes))
  assert.deepStrictEqual<unknown>(written, expected)
}

/** An email that a merge brought, of somebody who is a person again and then deleted. */
const borrowed = Effect.gen(function* () {
  const lake = yield* makeLake
  const { clock, workspace } = lake
  const submit = (command: (here: { readonly in: Workspace; readonly receivedAt: number }) => Command) =>
    Ingest.use((ingest) => ingest.submit([command({ in: workspace, receivedAt: clock.now })], 100))
  yield* submit((here) => identify(byId("ada"), [], here))
  yield* submit((here) => identify(byId("bob"), [], { ...here, email: "bob@example.com" }))
  const [merged] = yield* submit((here) => merge(byId("ada"), byId("bob"), here))
  yield* submit((here) => event(byId("ada"), "between", here))
  const before = yield* Effect.andThen(flush(lake), rowsOf(lake))
  const receipt = merged === undefined ? null : mergeIn(merged)
  if (receipt === null) throw new Error("nobody was merged")
  yield* submit((here) => unmerge(receipt, here))
  yield* submit((here) => remove(byId("bob"), here))
  yield* submit((here) => event(byId("ada"), "after", here))
  yield* flush(lake)
  clock.moveHours(8 * 24)
  yield* submit((here) => event(byId("ada"), "a week later", here))
  yield* flush(lake)
  const named = (rows: typeof before) =>
    rows.flatMap(({ email, id, name }) => (name === null ? [] : [[name, id, email]]))
  return { before: named(before), after: named(yield* rowsOf(lake)) }
})

describe("the lake says what somebody was called at the time, whenever a file is written", () => {
  const seeds = Array.from({ length: runs }, (_, run) => run + 1)

  it.each(seeds)("in one late file, in memory, seed %i", (seed) => check(memoryStore, seed, 1, false))

  it.each(seeds)("in files of several rounds, on SQLite, seed %i", (seed) =>
    check(sqliteStore, seed + 100, 2, false),
  )

  it.each(seeds)("apart from who is deleted, in memory, seed %i", (seed) =>
    check(memoryStore, seed + 200, 2, true),
  )

  it.each([
    ["in memory", memoryStore],
    ["on SQLite", sqliteStore],
  ])("without the email of a person who was merged and deleted since, %s", async (_name, store) => {
    const { after, before } = await run(store, borrowed)
    assert.deepStrictEqual(before, [["between", "ada", "bob@example.com"]])
    assert.deepStrictEqual(after, [
      ["between", "ada", null],
      ["after", "ada", null],
      ["a week later", "ada", null],
    ])
  })
})
