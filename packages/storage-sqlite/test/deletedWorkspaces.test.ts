import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import { Digest } from "@inlethq/core/ports/Digest"
import { erasureMsMin, Registry } from "@inlethq/core/ports/Registry"
import { Store } from "@inlethq/core/ports/Store"
import { defaultSettings } from "@inlethq/core/workspace/Workspace"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import { byId, identify, noon } from "@inlethq/store-conformance/script/commands"
import { plainDigest } from "@inlethq/store-conformance/script/digest"
import { apply, sweepAll } from "@inlethq/store-conformance/script/scenario"
import { deletePeople, markOf, wholeWorkspace } from "@inlethq/store-conformance/copies/wholeWorkspace"
import { openSource, openTarget } from "@inlethq/storage-sqlite/transfer/openForCopy"
import { copyStore } from "@inlethq/storage/transfer/copyStore"
import { Effect } from "effect"
import { installationTables, unitedTables } from "@inlethq/storage/columns/transferTables"
import { packedTables } from "../src/engine/rowIds.ts"
import { storeIn, temporaryDirectory } from "./temporary.ts"

/**
 * Tables without data of a workspace. The rows of the installation have the workspace 0, the audit log says who
 * deleted a workspace, and the erasure ledger holds digests for the day on which a backup of it is restored.
 */
const commonTables = new Set<string>([
  "counters",
  "migrations",
  "probe",
  ...installationTables.map(({ name }) => name),
  ...unitedTables,
])

/** Returns the rows of a workspace in all tables that the catalogue of the database lists, by table. */
const rowsOf = (directory: string, workspace: WorkspaceId): ReadonlyMap<string, ReadonlyArray<unknown>> => {
  const file = new DatabaseSync(join(directory, "inlet.db"), { readOnly: true })
  const tables = file
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all()
    .map(({ name }) => String(name))
    .filter((name) => !commonTables.has(name))
  const rows = tables.map((name) => {
    const column = name === "workspaces" ? "id" : packedTables.has(name) ? "id >> 38" : "workspace"
    return [name, file.prepare(`SELECT * FROM ${name} WHERE ${column} = ?`).all(workspace)] as const
  })
  file.close()
  return new Map(rows)
}

const withRows = (rows: ReadonlyMap<string, ReadonlyArray<unknown>>) =>
  [...rows].filter(([, found]) => found.length > 0).map(([name]) => name)

const countsOf = (rows: ReadonlyMap<string, ReadonlyArray<unknown>>) =>
  [...rows].map(([name, found]) => [name, found.length] as const)

const textOf = (rows: ReadonlyMap<string, ReadonlyArray<unknown>>): string => JSON.stringify([...rows])

const filesContain = (directory: string, text: string): boolean =>
  readdirSync(directory).some((file) => readFileSync(join(directory, file)).includes(text))

const settings = defaultSettings("workspace", "us")

/** Fills three workspaces in a new directory. Only the second one has deleted people that are not erased yet. */
const filled = Effect.gen(function* () {
  const directory = yield* temporaryDirectory
  const [first, second, third] = yield* Effect.gen(function* () {
    const workspaces = [
      yield* wholeWorkspace(settings),
      yield* wholeWorkspace(settings),
      yield* wholeWorkspace(settings),
    ] as const
    yield* sweepAll(noon)
    yield* deletePeople(workspaces[1])
    return workspaces
  }).pipe(Effect.provide(storeIn(directory)))
  return { directory, deleted: second, others: [first, third] as const }
})

/** Copies all workspaces of a data directory to another one, or only the given one. */
const copy = (from: string, to: string, only: WorkspaceId | null = null) =>
  Effect.gen(function* () {
    return yield* copyStore({
      source: yield* openSource(from),
      target: yield* openTarget(to),
      names: { source: "the source", target: "the target" },
      sourceDigest: "",
      digest: yield* Digest,
      only,
      saveSecrets: Effect.void,
      expectSameDigests: Effect.void,
      report: () => Effect.void,
    })
  }).pipe(Effect.scoped, Effect.provide(plainDigest))

describe("a deleted workspace", () => {
  it.effect(
    "erasing a deleted workspace leaves no row and no byte of it, and no change in other workspaces",
    () =>
      Effect.gen(function* () {
        const { deleted, directory, others } = yield* filled
        assert.deepStrictEqual(withRows(rowsOf(directory, deleted.id)), [
          ...rowsOf(directory, deleted.id).keys(),
        ])
        assert.isTrue(filesContain(directory, markOf(deleted)))
        const before = others.map(({ id }) => textOf(rowsOf(directory, id)))
        yield* Effect.gen(function* () {
          const registry = yield* Registry
          assert.isTrue(yield* registry.deleteWorkspace(deleted.id, noon))
          yield* sweepAll(noon)
          assert.deepStrictEqual(withRows(rowsOf(directory, deleted.id)), ["heads"])
          assert.isFalse(filesContain(directory, markOf(deleted)))
          yield* sweepAll(noon + erasureMsMin)
        }).pipe(Effect.provide(storeIn(directory)))
        assert.deepStrictEqual(withRows(rowsOf(directory, deleted.id)), [])
        assert.isFalse(filesContain(directory, markOf(deleted)))
        assert.deepStrictEqual(
          others.map(({ id }) => textOf(rowsOf(directory, id))),
          before,
        )
      }),
  )

  it.effect(
    "a copy of a store leaves out a workspace that is being erased, and does not use its id again",
    () =>
      Effect.gen(function* () {
        const { deleted, directory, others } = yield* filled
        yield* Effect.gen(function* () {
          yield* (yield* Registry).deleteWorkspace(deleted.id, noon)
          yield* (yield* Store).sweep(noon)
        }).pipe(Effect.provide(storeIn(directory)))
        const target = yield* temporaryDirectory
        assert.strictEqual((yield* copy(directory, target)).workspaces, others.length)
        assert.deepStrictEqual(withRows(rowsOf(target, deleted.id)), [])
        assert.isFalse(filesContain(target, markOf(deleted)))
        yield* Effect.gen(function* () {
          const registry = yield* Registry
          assert.deepStrictEqual(
            (yield* registry.workspaces).map(({ id }) => id),
            others.map(({ id }) => id),
          )
          yield* registry.deleteWorkspace(others[1].id, noon)
          assert.strictEqual(Number((yield* registry.createWorkspace(settings)).id), 4)
        }).pipe(Effect.provide(storeIn(target)))
      }),
  )

  it.effect("a deleted workspace can be copied back from an older copy once it is erased", () =>
    Effect.gen(function* () {
      const { deleted, directory } = yield* filled
      const backup = yield* temporaryDirectory
      yield* copy(directory, backup)
      const before = countsOf(rowsOf(backup, deleted.id))
      yield* Effect.flatMap(Registry, (registry) => registry.deleteWorkspace(deleted.id, noon)).pipe(
        Effect.provide(storeIn(directory)),
      )
      const refusal = yield* Effect.flip(copy(backup, directory, deleted.id))
      assert.strictEqual(refusal.message, `the target already has a workspace ${deleted.id}`)
      yield* sweepAll(noon + erasureMsMin).pipe(Effect.provide(storeIn(directory)))
      yield* copy(backup, directory, deleted.id)
      assert.deepStrictEqual(countsOf(rowsOf(directory, deleted.id)), before)
      yield* apply(identify(byId("new"), [], { in: deleted })).pipe(Effect.provide(storeIn(directory)))
    }),
  )

  it.effect(
    "a process that ends after any step of erasing a workspace leaves the rest to the next process",
    () =>
      Effect.gen(function* () {
        const { deleted, directory } = yield* filled
        const step = Effect.gen(function* () {
          const store = yield* Store
          return (yield* store.sweep(noon)).done
          // A scrubbing pass begins again in each process, so it runs only at the end.
        }).pipe(Effect.provide(storeIn(directory, { sweepRowsMax: 500, scrub: false })))
        yield* Effect.flatMap(Registry, (registry) => registry.deleteWorkspace(deleted.id, noon)).pipe(
          Effect.provide(storeIn(directory)),
        )
        const counts: Array<number> = []
        do {
          counts.push([...rowsOf(directory, deleted.id).values()].flat().length)
        } while (!(yield* step))
        assert.deepStrictEqual(
          counts.toSorted((a, b) => b - a),
          counts,
          "every step erases further rows",
        )
        assert.isAbove(new Set(counts).size, 10)
        assert.deepStrictEqual(withRows(rowsOf(directory, deleted.id)), ["heads"])
        yield* sweepAll(noon + erasureMsMin).pipe(Effect.provide(storeIn(directory)))
        assert.isFalse(filesContain(directory, markOf(deleted)))
      }),
  )
})
