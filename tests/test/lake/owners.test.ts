import { Catalog, noFilter, type Followed } from "@inlethq/core/catalog/Catalog"
import { toActivityView, type ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import type { Command } from "@inlethq/core/Command"
import { mergeIn } from "@inlethq/core/person/mergeReceipt"
import { isEventKind } from "@inlethq/core/log/ActivityEntry"
import { tookEffect } from "@inlethq/core/log/Outcome"
import { lakeCursor, LakeFiles } from "@inlethq/core/ports/LakeFiles"
import { LogCursors } from "@inlethq/core/ports/LogCursors"
import { Registry } from "@inlethq/core/ports/Registry"
import type { Subject } from "@inlethq/core/state/Subject"
import type { Sequence } from "@inlethq/core/values/Identifier"
import { defaultSettings, type Workspace } from "@inlethq/core/workspace/Workspace"
import { Ingest } from "@inlethq/engine/commits/Ingest"
import { lakeStatements } from "@inlethq/lake/sql/lakeStatements"
import { LakeThread } from "@inlethq/lake/thread/LakeThread"
import { folderTarget } from "@inlethq/lake/targets/folder"
import { verifyLake } from "@inlethq/outbound/lake/verifyLake"
import type { LakeSettings } from "@inlethq/core/workspace/LakeSettings"
import { PostgresServer } from "@inlethq/postgres-server/PostgresServer"
import {
  byAnonymousId,
  byEmail,
  byId,
  event,
  identify,
  merge,
  remove,
  unmerge,
} from "@inlethq/store-conformance/script/commands"
import { Effect, Layer } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { freshDirectory } from "../../src/cleanup.ts"
import { queryDuckDb } from "../../src/lake/duckDb.ts"
import { LakeClock } from "../../src/lake/LakeClock.ts"
import { numbers } from "../../../tools/testing/randomNumbers.ts"
import { runLakeReader } from "../../src/lake/lakeReader.ts"
import { memoryStore, postgresStore, sqliteStore } from "../../src/lake/lakeStores.ts"

const runs = Number(process.env["INLET_TEST_RUNS"] ?? 1)

/** After each round, every entry is in a file. Eight files of a day are joined into one. */
const rounds = 10
const perRound = 8

const wholeLog = Effect.fnUntraced(function* ({ id }: Workspace) {
  const records: Array<ActivityRecord> = []
  for (let after: Sequence | null = null; ;) {
    const followed: Followed = yield* Catalog.use((catalog) => catalog.follow(id, noFilter, after))
    records.push(...followed.items)
    after = followed.readTo
    if (followed.caughtUp && after !== null) return { records, end: after }
  }
})

/** Draws a command about a few people and visitors, or the undoing of one of the merges so far. */
const commandFrom = (
  draw: (below: number) => number,
  records: ReadonlyArray<ActivityRecord>,
  here: { readonly in: Workspace; readonly receivedAt: number },
): Command => {
  const name = `person${draw(5)}`
  const person = byId(name)
  const cookie = `cookie${draw(5)}`
  switch (draw(12)) {
    case 0:
      return identify(person, [], { ...here, email: `${name}@example.com` })
    case 1:
    case 2:
      return identify(person, [], { ...here, anonymousId: cookie })
    case 3:
    case 4:
      return merge(person, byId(`person${draw(5)}`), here)
    case 5:
    case 6: {
      const merges = records.flatMap(({ entry }) => mergeIn(entry) ?? [])
      const one = merges[draw(merges.length)]
      if (one === undefined) return merge(byId("person0"), byId("person1"), here)
      return unmerge(one, { ...here, divide: draw(2) === 0 })
    }
    case 7:
      return draw(4) === 0 ? remove(person, here) : event(byEmail(`${name}@example.com`), "seen", here)
    case 8:
    case 9:
      return event(byAnonymousId(cookie), "seen", here)
    default:
      return event(person, "seen", draw(3) === 0 ? { ...here, anonymousId: cookie } : here)
  }
}

/** To whom the store says that a subject belongs. */
const ownerOf = (subject: Subject): number | null =>
  subject._tag === "Person" ? subject.key : subject._tag === "Attached" ? subject.owner : null

const inStore = (records: ReadonlyArray<ActivityRecord>) => {
  const owners = new Map<string, string | null>()
  const events: Array<readonly [string, string | null]> = []
  for (const record of records) {
    const { entry, isErased, subject } = record
    if (isErased || subject === null || entry.subject === null || subject._tag === "Erased") continue
    owners.set(String(entry.subject), textOf(ownerOf(subject)))
    if (isEventKind(entry.kind) && tookEffect(entry.outcome))
      events.push([String(entry.sequence), textOf(toActivityView(record).person?.key ?? null)])
  }
  return { owners: [...owners].toSorted(byNumber), events: events.toSorted(byNumber) }
}

const textOf = (key: number | null): string | null => (key === null ? null : String(key))

const byNumber = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number =>
  Number(a) - Number(b)

const inLake = async (statements: string) => {
  const pairs = async (sql: string) =>
    (await queryDuckDb(statements, sql)).map(({ key, owner }) => [key, owner] as const)
  return {
    owners: await pairs(
      `SELECT subject AS key, owner FROM owners WHERE state <> 'object'
       AND subject NOT IN (SELECT subject FROM erased) AND coalesce(owner, 0) NOT IN (SELECT subject FROM erased)
       ORDER BY subject`,
    ),
    events: await pairs("SELECT position AS key, person AS owner FROM events ORDER BY position"),
  }
}

/** Whoever is in the log. The lake also lists those of whom the log only says that they belong to somebody. */
const listedIn = (
  owners: ReadonlyArray<readonly [unknown, unknown]>,
  known: ReadonlyArray<readonly [string, unknown]>,
) => {
  const keys = new Set<unknown>(known.map(([key]) => key))
  return owners.filter(([key]) => keys.has(key))
}

interface Lake {
  readonly workspace: Workspace
  readonly settings: LakeSettings
  readonly clock: LakeClock
}

/** Has a reader write everything into files, and returns the log and statements that read the files. */
const flush = Effect.fnUntraced(function* ({ clock, settings, workspace }: Lake) {
  // An entry that stays, because a file ends with a row.
  const last = event(byId("keeper"), "kept", { in: workspace, receivedAt: clock.now })
  yield* Ingest.use((ingest) => ingest.submit([last], 100))
  const { end, records } = yield* wholeLog(workspace)
  yield* runLakeReader(workspace.id, settings, end, () => clock.moveHours(0.1)).pipe(
    Effect.provide(clock.layer),
  )
  const files = yield* LakeFiles.use((lake) => lake.files(workspace.id))
  const statements = lakeStatements("duckdb", { workspace: workspace.id, settings, files }, [])
  return { end, records, statements }
})

const verify = ({ settings, workspace }: Lake) =>
  Effect.gen(function* () {
    const faults: Array<string> = []
    let after: string | null = null
    do {
      const found: Effect.Success<ReturnType<typeof verifyLake>> = yield* verifyLake(
        workspace.id,
        folderTarget(settings.url),
        after,
      )
      faults.push(...found.faults.map(({ problem }) => problem))
      after = found.next
    } while (after !== null)
    return faults
  })

const makeLake = Effect.gen(function* () {
  const settings = { target: "folder", url: freshDirectory(), erasureDays: 7 } as const
  const workspace = yield* Registry.use((registry) =>
    registry.createWorkspace({ ...defaultSettings("One", "us"), lake: settings }),
  )
  return { settings, workspace, clock: new LakeClock() } satisfies Lake
})

const law = Effect.fnUntraced(function* (seed: number) {
  const draw = numbers(seed)
  const lake = yield* makeLake
  const { clock, workspace } = lake
  for (let round = 0; round < rounds; round++) {
    for (let n = 1 + draw(perRound); n > 0; n--) {
      const { records } = round === 0 ? { records: [] } : yield* wholeLog(workspace)
      const here = { in: workspace, receivedAt: clock.now }
      const command = commandFrom(draw, records, here)
      yield* Ingest.use((ingest) => ingest.submit([command], 100))
      if (draw(4) === 0) clock.moveHours(0.2)
    }
    const { end, records, statements } = yield* flush(lake)
    const shown = yield* Effect.promise(() => inLake(statements))
    const expected = inStore(records)
    const context = `round ${round}, position ${end}`
    assert.deepStrictEqual(listedIn(shown.owners, expected.owners), expected.owners, `owners, ${context}`)
    assert.deepStrictEqual(shown.events, expected.events, `people of events, ${context}`)
    assert.deepStrictEqual(yield* verify(lake), [], context)
  }
})

const check = <E>(store: Layer.Layer<Layer.Success<typeof memoryStore>, E>, seed: number) =>
  Effect.runPromise(law(seed).pipe(Effect.provide(Layer.provideMerge(LakeThread.layer, store))))

describe("the lake says of every subject and event what the store says at that position", () => {
  let server: PostgresServer

  beforeAll(async () => {
    server = await PostgresServer.start()
  })
  afterAll(() => server.stop())

  const seeds = Array.from({ length: runs }, (_, run) => run + 1)

  it.each(seeds)("in memory, seed %i", (seed) => check(memoryStore, seed))

  it.each(seeds)("on SQLite, seed %i", (seed) => check(sqliteStore, seed + 1000))

  it.each(seeds)("on PostgreSQL, seed %i", async (seed) =>
    check(postgresStore(server.url(await server.createDatabase())), seed + 2000),
  )
})

const submit = ({ clock, workspace }: Lake, ...commands: ReadonlyArray<(here: Here) => Command>) =>
  Ingest.use((ingest) =>
    ingest.submit(
      commands.map((command) => command({ in: workspace, receivedAt: clock.now })),
      100,
    ),
  )

interface Here {
  readonly in: Workspace
  readonly receivedAt: number
}

/** Ada and bob with an event each, in files. */
const adaAndBob = Effect.fnUntraced(function* (lake: Lake) {
  yield* submit(
    lake,
    (here) => identify(byId("ada"), [], here),
    (here) => identify(byId("bob"), [], here),
    (here) => event(byId("ada"), "hers", here),
    (here) => event(byId("bob"), "his", here),
  )
  yield* flush(lake)
})

const people = (statements: string) =>
  Effect.promise(async () => {
    const rows = await queryDuckDb(
      statements,
      `SELECT string_agg(name, ' ' ORDER BY position) AS names FROM person_events WHERE name <> 'kept' GROUP BY person ORDER BY 1`,
    )
    return rows.map(({ names }) => names)
  })

const run = <A, E>(test: Effect.Effect<A, E, Layer.Success<typeof memoryStore> | LakeThread>) =>
  Effect.runPromise(test.pipe(Effect.provide(Layer.provideMerge(LakeThread.layer, memoryStore))))

describe("a lake whose files say wrongly to whom subjects belong", () => {
  it("is found by verify, and corrected by the next reader", () =>
    run(
      Effect.gen(function* () {
        const lake = yield* makeLake
        const { id } = lake.workspace
        yield* adaAndBob(lake)
        yield* submit(lake, (here) => merge(byId("ada"), byId("bob"), here))
        assert.deepStrictEqual(yield* people((yield* flush(lake)).statements), ["hers his"])
        const files = yield* LakeFiles
        // Every file with a row of the merge is lost.
        const [, ...lost] = (yield* files.files(id)).filter(({ table }) => table === "subjects")
        const { token } = yield* LogCursors.use((cursors) => cursors.claim(lakeCursor(id)))
        const none = { added: [], to: null, noticed: [], followed: [], rewritten: [] }
        const replaced = lost.map(({ path }) => path)
        yield* files.commit({ ...none, workspace: id, token, now: 0, replaced })
        const faults = yield* verify(lake)
        assert.include(faults.join(), "the subject 2 belongs to 1 since 0, and not to 2")
        const { statements } = yield* flush(lake)
        assert.deepStrictEqual(yield* people(statements), ["hers his"])
        assert.deepStrictEqual(yield* verify(lake), [])
      }),
    ))

  it("hides what somebody did who was merged into a person, and deleted with them before it was written", () =>
    run(
      Effect.gen(function* () {
        const lake = yield* makeLake
        yield* adaAndBob(lake)
        yield* submit(
          lake,
          (here) => merge(byId("ada"), byId("bob"), here),
          (here) => remove(byId("ada"), here),
        )
        const { statements } = yield* flush(lake)
        assert.deepStrictEqual(yield* people(statements), [])
        assert.deepStrictEqual(yield* verify(lake), [])
      }),
    ))

  it("gives events back to somebody who was separated from a person who was then deleted", () =>
    run(
      Effect.gen(function* () {
        const lake = yield* makeLake
        yield* adaAndBob(lake)
        yield* submit(lake, (here) => merge(byId("ada"), byId("bob"), here))
        const { records } = yield* flush(lake)
        const merges = records.flatMap(({ entry }) => mergeIn(entry) ?? [])
        yield* submit(lake, ...merges.map((one) => (here: Here) => unmerge(one, here)), (here) =>
          remove(byId("ada"), here),
        )
        const { statements } = yield* flush(lake)
        assert.deepStrictEqual(yield* people(statements), ["his"])
        assert.deepStrictEqual(yield* verify(lake), [])
      }),
    ))
})
