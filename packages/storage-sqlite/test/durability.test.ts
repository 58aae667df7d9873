import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { env } from "node:process"
import { decideInSlices } from "@inlethq/core/Batch"
import type { Command } from "@inlethq/core/Command"
import { needsOf } from "@inlethq/core/CommandTable"
import { Catalog, noFilter } from "@inlethq/core/catalog/Catalog"
import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import * as Memory from "@inlethq/storage-memory/Memory"
import type { ErasureLedger } from "@inlethq/core/ports/ErasureLedger"
import { Store } from "@inlethq/core/ports/Store"
import { WorkspaceId, type Sequence } from "@inlethq/core/values/Identifier"
import { noon } from "@inlethq/store-conformance/script/commands"
import { readAll } from "@inlethq/store-conformance/differential/differential"
import { plainDigest } from "@inlethq/store-conformance/script/digest"
import { firstDifference } from "@inlethq/store-conformance/script/firstDifference"
import { beginning, commandOf, hour, Script } from "@inlethq/store-conformance/script/script"
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Effect, Exit, Fiber, Layer, Logger, Schema } from "effect"
import { fractions } from "../../../tools/testing/randomNumbers.ts"
import { SimulatedDisk } from "./SimulatedDisk.ts"
import { storeIn, storeOnDisk, temporaryDirectory } from "./temporary.ts"

/**
 * A simulation: a script (a list of commands), how many batches and syncs may be in flight, how often syncs fail, and when the
 * power fails.
 */
const Simulation = Schema.Struct({
  script: Script,
  seed: Schema.Int,
  depth: Schema.Literals([1, 2, 3, 8]),
  syncsMax: Schema.Literals([1, 3, 8]),
  faultRate: Schema.Literals([0, 0.05, 0.3]),
  powerFailsAfter: Schema.Literals([1, 3, 10, 30]),
})
type Simulation = typeof Simulation.Type

/** A batch of one workspace. `acknowledged` contains the entries of the batch once the batch is acknowledged. */
interface Batch {
  readonly workspace: WorkspaceId
  readonly commands: ReadonlyArray<Command>
  /** The number of times that the store had recovered from a failed sync before the batch was decided. */
  recoveries: number
  acknowledged: ReadonlyArray<ActivityEntry> | null
}

type Item = Batch | "sweep" | "read"

/** Splits a script of commands into batches of one workspace, with steps of housekeeping and reads between them. */
const itemsOf = ({ settings, steps }: Script): ReadonlyArray<Item> => {
  const items: Array<Item> = []
  let open = new Map<WorkspaceId, Array<Command>>()
  const end = (): void => {
    for (const [workspace, commands] of open)
      items.push({ workspace, commands, recoveries: 0, acknowledged: null })
    open = new Map()
  }
  let now = noon
  for (const step of steps) {
    now += step.hoursLater * hour
    const command = commandOf(step, now, settings)
    const commands = open.get(command.workspace.id) ?? []
    commands.push(command)
    open.set(command.workspace.id, commands)
    if (step.endsBatch !== "never") end()
    if (step.housekeeping !== "none") items.push("sweep")
    if (step.endsBatch === "in both") items.push("read")
  }
  end()
  return items
}

/**
 * Decides and commits a batch. Calls `decided` after the store has loaded the data, right before the batch is decided.
 */
const transact = ({ commands, workspace }: Pick<Batch, "commands" | "workspace">, decided = () => {}) =>
  Effect.gen(function* () {
    const durable = yield* (yield* Store).transact(needsOf(workspace, commands), (seen) => {
      decided()
      return decideInSlices(seen, commands)
    })
    return (yield* durable).entries
  })

const workspaces = [...new Set(beginning.map(({ workspace }) => workspace.id))]

const begin = Effect.forEach(
  workspaces,
  (workspace) =>
    transact({ workspace, commands: beginning.filter((command) => command.workspace.id === workspace) }),
  { discard: true },
)

/** Returns the next log position of each workspace. */
const readEnds = Effect.gen(function* () {
  const store = yield* Store
  const none = {
    identifiers: new Set<string>(),
    subjects: new Set<never>(),
    freed: new Set<string>(),
    looksBack: false,
    merges: false,
    deduplication: new Set<string>(),
    concerns: {
      events: new Set<string>(),
      eventTargets: [],
      identifies: [],
      renames: false,
      others: true,
      objects: false,
      deletesObjects: false,
      rules: false,
      receivedAt: 0,
    },
  }
  return yield* Effect.forEach(workspaces, (workspace) =>
    Effect.map(store.view({ ...none, workspace }), ({ nextSequence }) => nextSequence),
  )
})

/** Returns the newest position that an operator sees in the log of the first workspace; null in an empty log. */
const readNewest = Effect.gen(function* () {
  const { items } = yield* (yield* Catalog).activity(WorkspaceId.make(1), noFilter, {
    limit: 1,
    after: null,
    order: "desc",
  })
  return items[0]?.entry.sequence ?? null
})

/**
 * The result of one simulation so far: its batches in the order of their commits, and the newest log position that an
 * operator has seen.
 */
interface Run {
  readonly committed: ReadonlyArray<Batch>
  readonly newestSeen: Sequence | null
}

/**
 * Runs a script. Calls `powerFails` once at a random time. Returns the result of the simulation, and the data that the
 * store shows at the end.
 */
const play = (
  { depth, faultRate, powerFailsAfter, script }: Simulation,
  random: () => number,
  disk: SimulatedDisk,
  powerFails: (run: Run) => void,
) =>
  Effect.gen(function* () {
    yield* begin
    disk.faultRate = faultRate
    let committed: Array<Batch> = []
    let newestSeen: Sequence | null = null
    let inFlight: Array<Fiber.Fiber<unknown>> = []
    const runOf = (item: Item) => {
      if (item === "sweep") return Effect.flatMap(Store, (store) => Effect.exit(store.sweep(noon)))
      if (item === "read")
        return Effect.map(Effect.exit(readNewest), (exit) => {
          if (Exit.isSuccess(exit) && exit.value !== null && exit.value > (newestSeen ?? 0))
            newestSeen = exit.value
        })
      const decided = () => {
        item.recoveries = disk.recoveries
        committed.push(item)
      }
      return Effect.map(Effect.exit(transact(item, decided)), (exit) => {
        if (Exit.isSuccess(exit)) item.acknowledged = exit.value
        else committed = committed.filter((batch) => batch !== item)
      })
    }
    for (const [i, item] of itemsOf(script).entries()) {
      inFlight.push(yield* Effect.forkChild(runOf(item), { startImmediately: true }))
      if (i === powerFailsAfter) powerFails({ committed: [...committed], newestSeen })
      if (random() < 0.2 || inFlight.length >= depth) {
        const first = inFlight.slice(0, 1 + Math.floor(random() * inFlight.length))
        yield* Fiber.awaitAll(first)
        inFlight = inFlight.slice(first.length)
      }
    }
    yield* Fiber.awaitAll(inFlight)
    disk.faultRate = 0
    return { run: { committed, newestSeen }, ends: yield* readEnds, shown: yield* readAll(noon) }
  })

/**
 * Applies the batches of a simulation to a new memory store. Returns all data of this store. If the store's entries
 * differ from the entries that were acknowledged in the simulation, returns the first difference instead.
 */
const replay = (committed: ReadonlyArray<Batch>) =>
  Effect.gen(function* () {
    yield* begin
    for (const [i, batch] of committed.entries()) {
      const entries = yield* transact(batch)
      const difference =
        batch.acknowledged === null ? null : firstDifference(batch.acknowledged, entries, `batch ${i}`)
      if (difference !== null) return difference
    }
    return yield* readAll(noon)
  }).pipe(inNew(memoryStore))

/**
 * Returns a description of what is wrong with a store after a simulation, or null if the store is correct. The store
 * must show the first batches of the simulation without a gap. These batches must include all acknowledged batches and
 * all batches that an operator has seen.
 */
const violation = (
  { committed, newestSeen }: Run,
  { ends, shown }: { readonly ends: ReadonlyArray<Sequence>; readonly shown: unknown },
) =>
  Effect.gen(function* () {
    let count = 0
    const left = ends.map(
      (end, i) => end - 1 - beginning.filter(({ workspace }) => workspace.id === workspaces[i]).length,
    )
    for (const { commands, workspace } of committed) {
      const at = workspaces.indexOf(workspace)
      const entries = (left[at] ?? 0) - commands.length
      if (entries < 0) break
      left[at] = entries
      count++
    }
    if (left.some((entries) => entries !== 0)) return "the log does not end with a batch"
    if (committed.slice(count).some(({ acknowledged }) => acknowledged !== null))
      return "an acknowledged batch is missing"
    if ((newestSeen ?? 0) >= (ends[0] ?? 0)) return "an operator saw an entry that is missing"
    return firstDifference(shown, yield* replay(committed.slice(0, count)))
  })

/** The state of a simulation when its power failed. */
interface Copy {
  /** A copy of the simulation's result at the power failure. */
  readonly run: Run
  /**
   * The original objects of the batches that `run` contains as copies. The simulation still changes the originals after
   * the power failure.
   */
  readonly later: ReadonlyArray<Batch>
  /** The number of recoveries from failed syncs before the power failure. */
  readonly recoveries: number
}

/** Runs a script on a failing disk. Returns the first violation, or null if the store behaved correctly. */
const violationIn = (simulation: Simulation) =>
  Effect.gen(function* () {
    const parent = yield* temporaryDirectory
    const [directory, copy] = [join(parent, "data"), join(parent, "copy")]
    mkdirSync(directory)
    const random = fractions(simulation.seed)
    const disk = new SimulatedDisk(random)
    const copies: Array<Copy> = []
    const played = yield* play(simulation, random, disk, (run) => {
      disk.copyAfterPowerFailure(directory, copy)
      const committed = run.committed.map((batch) => ({ ...batch }))
      copies.push({ run: { ...run, committed }, later: run.committed, recoveries: disk.recoveries })
    }).pipe(
      inNew(
        storeOnDisk(directory, disk.sync, {
          sweepRowsMax: 7,
          syncsMax: simulation.syncsMax,
          onRecovery: () => disk.recovered(directory),
        }),
      ),
    )
    const found = yield* violation(played.run, played)
    if (found !== null) return found
    if (played.run.committed.some(({ acknowledged }) => acknowledged === null))
      return "a batch is neither acknowledged nor undone"
    const [copied] = copies
    if (copied === undefined) return null
    const { later, recoveries, run } = copied
    // A recovery undoes a batch first, and the batch's sender learns about this later. If the power failed in between,
    // `run` still contains the batch, but the copied directory does not.
    const committed = run.committed.filter(
      (batch, i) => batch.recoveries === recoveries || later[i]?.acknowledged !== null,
    )
    const shown = yield* Effect.gen(function* () {
      return { ends: yield* readEnds, shown: yield* readAll(noon) }
    }).pipe(inNew(storeIn(copy)))
    const lost = yield* violation({ ...run, committed }, shown)
    return lost === null ? null : `after a power failure, ${lost}`
  }).pipe(Effect.scoped, Effect.provide([plainDigest, Logger.layer([])]))

const memoryStore = Memory.layer.pipe(Layer.provide(plainDigest))

const inNew =
  <E>(layer: Layer.Layer<Store | Catalog | ErasureLedger, E>) =>
  <A, E2>(effect: Effect.Effect<A, E2, Store | Catalog | ErasureLedger>) =>
    Effect.provide(effect, layer, { local: true })

describe("the SQLite store on a disk that fails", () => {
  it.live(
    "failing syncs and power failures lose nothing that was acknowledged or shown, and never leave only a part of a batch",
    ({ task }) =>
      Effect.gen(function* () {
        const result = yield* Arbitrary.checkEffect(
          Arbitrary.schema(Simulation),
          (simulation) =>
            Effect.flatMap(violationIn(simulation), (found) =>
              found === null ? Effect.succeed(true) : Effect.fail(found),
            ),
          {
            runs: 60 * Number(env["INLET_TEST_RUNS"] ?? 1),
            seed: env["INLET_TEST_SEED"] ?? "inlet",
            replay: env["INLET_TEST_REPLAY"],
            size: 60,
            maxShrinks: 200,
          },
        )
        if (result._tag !== "Passed") return assert.fail(JSON.stringify(result, null, 1))
        Object.assign(task.meta, { runs: result.runs })
      }),
    600_000,
  )
})
