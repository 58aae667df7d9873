import { Turns, type ReadTurns } from "@inlethq/engine/reads/ReadTurns"
import { Digest } from "@inlethq/core/ports/Digest"
import { ThreadCatalog } from "@inlethq/core/catalog/ThreadCatalog"
import { ExportFiles } from "@inlethq/core/ports/ExportFiles"
import { ImportFiles } from "@inlethq/core/ports/ImportJobs"
import { KnownTime } from "@inlethq/core/ports/KnownTime"
import { NodeFitness } from "@inlethq/core/ports/NodeFitness"
import { OtherCommits } from "@inlethq/core/ports/OtherCommits"
import { RecordedNodes } from "@inlethq/core/ports/RecordedNodes"
import type { Store, StoreUnavailable } from "@inlethq/core/ports/Store"
import { KnownContexts } from "@inlethq/storage/rows/contextRows"
import { KnownRules } from "@inlethq/storage/KnownRules"
import type { Tables } from "@inlethq/storage/tables/Tables"
import { storeServices, type StoreServices } from "@inlethq/storage/storeServices"
import { Clock, Context, Effect, Layer, type Redacted } from "effect"
import { makeAlerts } from "@inlethq/storage/tables/alerts"
import { makeAuditLog } from "@inlethq/storage/tables/auditLog"
import { makeDismissals } from "@inlethq/storage/tables/dismissals"
import { makeDestinationHours } from "@inlethq/storage/tables/destinationHours"
import { makeSavedViews } from "@inlethq/storage/tables/savedViews"
import { makeSegmentSizes } from "@inlethq/storage/tables/segmentSizes"
import { makeImportJobs } from "@inlethq/storage/tables/importJobs"
import { makeErasureLedger } from "@inlethq/storage/tables/erasureLedger"
import { makeCommitNotifications } from "./nodes/commitNotifications.ts"
import { DatabaseClock } from "./nodes/DatabaseClock.ts"
import { DatabaseStatus } from "./nodes/DatabaseStatus.ts"
import type { ConnectionSettings } from "./engine/ConnectionUrl.ts"
import { installation as wholeInstallation, type Database } from "./engine/Database.ts"
import type { MigrationMode } from "./migrations/migrate.ts"
import { newestFormat } from "./migrations/released.ts"
import { fitDatabase, whileFitOn } from "./nodes/fitDatabase.ts"
import { makeSweep, type SweepOptions } from "./housekeeping/sweep.ts"
import { Installation, openInstallation } from "./installation/Installation.ts"
import { makeKnownTime } from "@inlethq/storage/tables/knownTime"
import { makeLogCursors } from "@inlethq/storage/tables/logCursors"
import { makeLogSummaries } from "@inlethq/storage/tables/logSummaries"
import { makeLakeFiles } from "@inlethq/storage/tables/lakeFiles"
import { Leases, makeLeases, releaseAtEnd, renewForever } from "./nodes/Leases.ts"
import { makeExportFiles, makeImportFiles } from "./importFiles.ts"
import { openDatabase, type DatabaseOpenError } from "./openDatabase.ts"
import { makeCatalog } from "./read/catalog.ts"
import { registerMetrics } from "./engine/metrics.ts"
import { databaseBytes } from "./engine/databaseBytes.ts"
import { readDatabaseState } from "./read/databaseState.ts"
import { readNewest } from "./read/newest.ts"
import { makeReadDue, readBuilding, readHolders } from "./read/leafStates.ts"
import { viewWorkingSet } from "./read/loadWorkingSet.ts"
import { digestWith } from "./read/digestWith.ts"
import { makeSnapshots } from "./read/snapshots.ts"
import { makeThreadCatalog } from "./read/threadCatalog.ts"
import { makeManagementTokens } from "@inlethq/storage/tables/managementTokens"
import { makeNodeRecords, recordForever } from "./nodes/recordedNodes.ts"
import { makeConsoleSessions } from "@inlethq/storage/tables/consoleSessions"
import { makeRegistry } from "@inlethq/storage/tables/registry"
import { measureServerForever } from "./nodes/serverMetrics.ts"
import { registerUpload } from "@inlethq/storage/tables/uploads"
import { makeForwardStore } from "@inlethq/storage/tables/forwards/forwardStore"
import { makeWebhookStore } from "@inlethq/storage/tables/webhooks/webhookStore"
import { makePruneWebhooks } from "./housekeeping/pruneWebhooks.ts"
import { erasureProgress, readUnsealed } from "./housekeeping/erasureProgress.ts"
import { makeTables } from "./tables/tables.ts"
import { makeNodeWatch, tellFitness, watchForever } from "./nodes/watchNode.ts"
import { transactBatch } from "./write/transactBatch.ts"

export interface PostgresStoreOptions {
  readonly connection: ConnectionSettings
  /**
   * The operator's secret, which must be the same on every node. The secret encrypts the key with which the digests of
   * suppressed identifiers are computed.
   */
  readonly secret: Redacted.Redacted
  /** Whether the tables are migrated if they have an earlier format; on by default. */
  readonly migrations?: MigrationMode
  /** Hears what a migration does and how far it is. */
  readonly migrating?: (doing: string) => Effect.Effect<void>
}

export interface ServiceOptions extends SweepOptions {
  /** How other threads connect. If it is left out, only the main thread reads. */
  readonly connection?: ConnectionSettings
  /** Runs after each committed batch. */
  readonly committed?: () => void
  /** The leases of this node. If they are left out, they last as long as its work comes back to them in time. */
  readonly leases?: Leases["Service"]
}

export type OpenError = DatabaseOpenError | StoreUnavailable

/**
 * Connects to a database that any number of nodes share, and migrates its tables to the newest format. The database
 * also holds the key for the digests of suppressed identifiers, so all nodes use the same key. What is built on this layer has
 * the time of the database, and writes only while the clock of this node agrees with it.
 */
export const layer = ({
  connection,
  migrating = () => Effect.void,
  migrations = "on",
  secret,
}: PostgresStoreOptions): Layer.Layer<
  | StoreServices
  | ImportFiles
  | ExportFiles
  | Digest
  | Installation
  | Leases
  | OtherCommits
  | DatabaseStatus
  | RecordedNodes,
  OpenError
> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const opened = yield* openDatabase(connection, { migrating, migrations })
      const installation = yield* openInstallation(opened, secret, connection.startMsMax)
      const digest = digestWith(installation.digestKey)
      yield* registerMetrics
      yield* measureServerForever(opened)
      const own = yield* Clock.Clock
      const clock = new DatabaseClock(own)
      const nodes = yield* Effect.provideService(makeNodeRecords(opened), Clock.Clock, clock)
      const watch = makeNodeWatch(opened, clock, own, newestFormat(), (unfit) =>
        Effect.andThen(
          tellFitness(unfit),
          Effect.all([unfit === null ? Effect.void : leases.releaseAll, nodes.record]).pipe(Effect.ignore),
        ),
      )
      const leases = makeLeases(opened, { fitness: watch })
      yield* watch.look
      yield* recordForever(nodes)
      yield* watchForever(watch)
      yield* renewForever(leases)
      const whileFit = whileFitOn(watch)
      const database = fitDatabase(opened, whileFit)
      const notifications = yield* makeCommitNotifications(database)
      const shared = yield* services(database, digest, {
        connection,
        committed: notifications.committed,
        leases,
      })
      yield* releaseAtEnd(leases)
      return shared.pipe(
        Context.add(OtherCommits, {
          newest: readNewest(database),
          hints: connection.listen ? notifications.listen : () => Effect.void,
        }),
        Context.add(DatabaseStatus, {
          state: Effect.provideService(readDatabaseState(opened, connection), Clock.Clock, own),
        }),
        Context.add(RecordedNodes, { list: nodes.list }),
        Context.add(Digest, digest),
        Context.add(Installation, installation),
        Context.add(ThreadCatalog, {
          ...Context.get(shared, ThreadCatalog),
          reading: (read) => whileFit("read", false, read),
        }),
        Context.add(NodeFitness, watch),
        Context.add(Clock.Clock, clock),
      )
    }),
  )

/** Makes the services of a PostgreSQL store from an open database. */
export const services = (
  database: Database["Service"],
  digest: Digest["Service"],
  options: ServiceOptions = {},
): Effect.Effect<Context.Context<StoreServices | ImportFiles | ExportFiles | Leases>> =>
  Effect.map(Turns, (turns) => {
    const { leases = makeLeases(database) } = options
    const tables = makeTables(database)
    const provided = storeServices({
      store: makeStore(database, tables, digest, leases, turns, options),
      catalog: makeCatalog(database, digest),
      threadCatalog: makeThreadCatalog(options.connection, digest),
      snapshots: makeSnapshots(database, digest),
      registry: makeRegistry(tables),
      managementTokens: makeManagementTokens(tables),
      auditLog: makeAuditLog(tables),
      erasureLedger: makeErasureLedger(tables, erasureProgress(database), readUnsealed(database)),
      webhookStore: makeWebhookStore(tables, makePruneWebhooks(database)),
      forwardStore: makeForwardStore(tables),
      logCursors: makeLogCursors(tables),
      lakeFiles: makeLakeFiles(tables),
      logSummaries: makeLogSummaries(tables, null),
      consoleSessions: makeConsoleSessions(tables),
      dismissals: makeDismissals(tables),
      savedViews: makeSavedViews(tables),
      alerts: makeAlerts(tables),
      segmentSizes: makeSegmentSizes(tables),
      destinationHours: makeDestinationHours(tables),
      importJobs: makeImportJobs(tables),
    })
    return provided.pipe(
      Context.add(Leases, leases),
      Context.add(ImportFiles, makeImportFiles(tables)),
      Context.add(ExportFiles, makeExportFiles(tables)),
      Context.add(KnownTime, makeKnownTime(tables, "installation")),
    )
  })

/**
 * The largest number of batches that one node commits at the same time, each of a different workspace. Each batch uses
 * one connection.
 */
const batchesMax = 4

/**
 * The milliseconds for which a batch waits for further requests. A transaction costs about the same for one operation
 * as for sixty, so larger batches leave more of the database server's time to other nodes.
 */
const gatherMs = 1

const makeStore = (
  database: Database["Service"],
  tables: Tables,
  digest: Digest["Service"],
  leases: Leases["Service"],
  turns: ReadTurns,
  { committed = () => undefined, ...sweepOptions }: ServiceOptions,
): Store["Service"] => {
  const known = new KnownRules()
  const contexts = new KnownContexts()
  return {
    batchLimits: { gatherMs, writingMax: batchesMax, inFlightMax: batchesMax, spreadOver: () => 1 },
    transact: (needs, decide) =>
      turns.committing(transactBatch(database, digest, known, contexts, needs, decide)).pipe(
        Effect.tap(() => Effect.sync(committed)),
        Effect.map(Effect.succeed),
      ),
    view: (needs) => viewWorkingSet(database, digest, known, needs),
    size: databaseBytes(database),
    // Checks that the database accepts commits. Every writing transaction saves its number in a row, so this transaction
    // commits a row although its body is empty.
    probe: database.write("commit", wholeInstallation, () => Effect.void),
    registerUpload: registerUpload(tables),
    building: database.read("read rules", readBuilding),
    holders: (workspace, range, limit) =>
      database.read("read", (connection) => readHolders(connection, workspace, range, limit)),
    due: makeReadDue(database),
    sweep: makeSweep(database, digest, leases, sweepOptions),
  }
}
