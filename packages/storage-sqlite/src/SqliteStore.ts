import type { DecidedBatch } from "@inlethq/core/Batch"
import { KnownTime } from "@inlethq/core/ports/KnownTime"
import { Digest } from "@inlethq/core/ports/Digest"
import { ExportFiles } from "@inlethq/core/ports/ExportFiles"
import { ImportFiles } from "@inlethq/core/ports/ImportJobs"
import type { Needs } from "@inlethq/core/fold/Needs"
import { Turns, type ReadTurns } from "@inlethq/engine/reads/ReadTurns"
import { WorkspaceDeleted, type Store, type StoreUnavailable } from "@inlethq/core/ports/Store"
import type { WebhookStore } from "@inlethq/core/ports/WebhookStore"
import { toEnd, type Slices } from "@inlethq/core/Slices"
import type { WorkingSet } from "@inlethq/core/fold/WorkingSet"
import { KnownContexts } from "@inlethq/storage/rows/contextRows"
import type { Tables } from "@inlethq/storage/tables/Tables"
import { storeServices, type StoreServices } from "@inlethq/storage/storeServices"
import { Context, Effect, Layer, type Scope } from "effect"
import type { Database } from "./engine/Database.ts"
import { lockDirectory } from "./engine/DataDirectory.ts"
import type { DataDirectoryInUse } from "./engine/openErrors.ts"
import { attempt } from "./engine/sqliteErrors.ts"
import { erasureProgress } from "./housekeeping/erasureProgress.ts"
import { sweepStep, type SweepOptions } from "./housekeeping/sweep.ts"
import { exportFilesIn, importFilesIn } from "./importFiles.ts"
import { openDatabase, type DatabaseError } from "./openDatabase.ts"
import { makeCatalog } from "./read/catalog.ts"
import { loadWorkingSet } from "./read/loadWorkingSet.ts"
import { makeSnapshots } from "./read/snapshots.ts"
import { makeThreadCatalog } from "./read/threadCatalog.ts"
import { readBuilding, readDue, readHolders, RuleReader } from "./read/leafStates.ts"
import { readSize } from "./read/size.ts"
import { SubjectCache } from "./read/SubjectCache.ts"
import { makeRegistry } from "@inlethq/storage/tables/registry"
import { probeCommit } from "./write/commitProbe.ts"
import { makeAlerts } from "@inlethq/storage/tables/alerts"
import { makeAuditLog } from "@inlethq/storage/tables/auditLog"
import { makeDismissals } from "@inlethq/storage/tables/dismissals"
import { makeDestinationHours } from "@inlethq/storage/tables/destinationHours"
import { makeSavedViews } from "@inlethq/storage/tables/savedViews"
import { makeSegmentSizes } from "@inlethq/storage/tables/segmentSizes"
import { makeImportJobs } from "@inlethq/storage/tables/importJobs"
import { makeErasureLedger } from "@inlethq/storage/tables/erasureLedger"
import { makeKnownTime } from "@inlethq/storage/tables/knownTime"
import { makeLogCursors } from "@inlethq/storage/tables/logCursors"
import { oneErasureMore } from "./engine/counters.ts"
import { makeLogSummaries } from "@inlethq/storage/tables/logSummaries"
import { makeConsoleSessions } from "@inlethq/storage/tables/consoleSessions"
import { makeManagementTokens } from "@inlethq/storage/tables/managementTokens"
import { makeForwardStore } from "@inlethq/storage/tables/forwards/forwardStore"
import { makeWebhookStore } from "@inlethq/storage/tables/webhooks/webhookStore"
import { pruneWebhooks } from "./housekeeping/pruneWebhooks.ts"
import { makeLakeFiles } from "@inlethq/storage/tables/lakeFiles"
import { saveDecided } from "./write/saveDecided.ts"
import { registerUpload } from "@inlethq/storage/tables/uploads"
import { makeTables } from "./engine/tables.ts"

export interface SqliteStoreOptions {
  /** The directory that holds all files of the store. Only one process at a time can use it. */
  readonly directory: string
  /** If true, opening fails if the directory has no data. If false, opening then creates an empty store. */
  readonly mustExist?: boolean
  /** The largest number of rows that one step of housekeeping reads or writes; 500 by default. */
  readonly sweepRowsMax?: number | undefined
  /**
   * If true, housekeeping searches the whole database file for old copies of deleted data and overwrites these copies.
   * True by default. If false, deleted rows are still overwritten, but copies that SQLite left behind when it moved a
   * row may remain (decision 6).
   */
  readonly scrub?: boolean | undefined
}

export type OpenError = DataDirectoryInUse | DatabaseError

/**
 * Makes a store of SQLite files in a data directory. Creates the directory if it is missing, and locks it until the
 * scope closes. Every call to SQLite blocks the thread.
 */
export const layer = (
  options: SqliteStoreOptions,
): Layer.Layer<StoreServices | ImportFiles | ExportFiles, OpenError, Digest> =>
  Layer.effectContext(open(options))

const open = Effect.fn("SqliteStore.open")(function* ({
  directory,
  mustExist = false,
  ...sweepOptions
}: SqliteStoreOptions): Effect.fn.Return<
  Context.Context<StoreServices | ImportFiles | ExportFiles>,
  OpenError,
  Digest | Scope.Scope
> {
  yield* lockDirectory(directory)
  const opened = yield* services(yield* openDatabase(directory, { mustExist }), sweepOptions)
  return Context.add(opened, ImportFiles, importFilesIn(directory)).pipe(
    Context.add(ExportFiles, exportFilesIn(directory)),
  )
})

/** Makes the services of a store from an open database. */
export const services = (
  database: Database,
  sweepOptions: SweepOptions = {},
): Effect.Effect<Context.Context<StoreServices>, StoreUnavailable, Digest> =>
  Effect.gen(function* () {
    const digest = yield* Digest
    const turns = yield* Turns
    return yield* attempt("prepare its SQL statements", () => {
      const tables = makeTables(database)
      return storeServices({
        store: makeStore(database, tables, digest, turns, sweepOptions),
        catalog: makeCatalog(database.reads, digest, turns, database.durability),
        threadCatalog: makeThreadCatalog(database, digest),
        snapshots: makeSnapshots(database, digest, turns),
        registry: makeRegistry(tables),
        managementTokens: makeManagementTokens(tables),
        auditLog: makeAuditLog(tables),
        erasureLedger: makeErasureLedger(
          tables,
          erasureProgress(database, sweepOptions.scrub === false ? "files" : "scrubbed files"),
        ),
        webhookStore: makeWebhookStore(tables, webhookPruner(database)),
        forwardStore: makeForwardStore(tables),
        logCursors: makeLogCursors(tables),
        lakeFiles: makeLakeFiles(tables),
        logSummaries: makeLogSummaries(tables, oneErasureMore),
        consoleSessions: makeConsoleSessions(tables),
        dismissals: makeDismissals(tables),
        savedViews: makeSavedViews(tables),
        alerts: makeAlerts(tables),
        segmentSizes: makeSegmentSizes(tables),
        destinationHours: makeDestinationHours(tables),
        importJobs: makeImportJobs(tables),
      }).pipe(Context.add(KnownTime, makeKnownTime(tables, "counters")))
    })
  })

const webhookPruner = (database: Database): WebhookStore["Service"]["prune"] => {
  const prune = pruneWebhooks(database)
  return (now) => database.durability.write("remove expired attempts", () => database.write(() => prune(now)))
}

const orDeleted = <A>(result: A | WorkspaceDeleted): Effect.Effect<A, WorkspaceDeleted> =>
  result instanceof WorkspaceDeleted ? Effect.fail(result) : Effect.succeed(result)

/** Runs slices, and tells how many milliseconds each of them took. */
function* timed<A>(slices: Slices<A>, took: (ms: number) => void): Slices<A> {
  for (;;) {
    const from = performance.now()
    const result = slices.next()
    took(performance.now() - from)
    if (result.done === true) return result.value
    yield
  }
}

const makeStore = (
  database: Database,
  tables: Tables,
  digest: Digest["Service"],
  turns: ReadTurns,
  sweepOptions: SweepOptions = {},
): Store["Service"] => {
  const { durability } = database
  const cache = new SubjectCache()
  const rules = new RuleReader(database)
  const contexts = new KnownContexts()
  durability.onRecovery(() => {
    contexts.clear()
    cache.clear()
    rules.clear()
  })
  const load = loadWorkingSet(database, digest, rules, cache)
  // Only writes use the cache. A read could run after a write has evicted its rows but before that write commits, and
  // would then put the old rows back into the cache.
  const loadCommitted = loadWorkingSet(database.reads, digest, new RuleReader(database.reads))
  const save = saveDecided(database, cache, rules, contexts)
  const probe = probeCommit(database)
  const size = readSize(database.reads)
  const due = readDue(database.reads)
  const building = readBuilding(database.reads)
  const holders = readHolders(database.reads)
  const sweep = sweepStep(database, cache, digest, sweepOptions)
  function* decideAndSave(
    needs: Needs,
    decide: (seen: WorkingSet) => Slices<DecidedBatch>,
  ): Slices<DecidedBatch | WorkspaceDeleted> {
    cache.begin()
    const seen = yield* load(needs)
    const firstNewKey = seen.nextKey
    const decided = yield* decide(seen)
    const isSaved = yield* save(decided, firstNewKey)
    return isSaved ? decided : new WorkspaceDeleted({ workspace: needs.workspace })
  }
  return {
    batchLimits: {
      gatherMs: 0,
      writingMax: 1,
      // One batch can be written while the others wait for their syncs.
      inFlightMax: durability.syncsMax + 1,
      spreadOver: () => (durability.hasSlowSyncs ? durability.syncsMax : 1),
    },
    transact: (needs, decide) =>
      Effect.map(
        turns.committing(
          database.writeInSlices(
            "commit",
            () => timed(decideAndSave(needs, decide), (ms) => (turns.committedMs += ms)),
            () => cache.committed(),
          ),
        ),
        (durable) => turns.committing(Effect.flatMap(durable, orDeleted)),
      ),
    size: durability.read("read its size", size),
    view: (needs) => durability.read("read", () => database.reads.read(() => toEnd(loadCommitted(needs)))),
    probe: durability.write("commit", probe),
    registerUpload: registerUpload(tables),
    due: (now, limit) => durability.read("read due rules", () => database.reads.read(() => due(now, limit))),
    building: durability.read("read rules", () => database.reads.read(building)),
    holders: (workspace, range, limit) =>
      durability.read("read", () => database.reads.read(() => holders(workspace, range, limit))),
    sweep: (now) => durability.write("run housekeeping", () => sweep(now)),
  }
}
