import { Catalog } from "@inlethq/core/catalog/Catalog"
import { Snapshots } from "@inlethq/core/catalog/Snapshots"
import { Alerts } from "@inlethq/core/ports/Alerts"
import { AuditLog } from "@inlethq/core/ports/AuditLog"
import { DestinationHours } from "@inlethq/core/ports/DestinationHours"
import { Dismissals } from "@inlethq/core/ports/Dismissals"
import { SavedViews } from "@inlethq/core/ports/SavedViews"
import { ErasureLedger } from "@inlethq/core/ports/ErasureLedger"
import { ForwardStore } from "@inlethq/core/ports/ForwardStore"
import { ImportJobs } from "@inlethq/core/ports/ImportJobs"
import { LakeFiles } from "@inlethq/core/ports/LakeFiles"
import { LogCursors } from "@inlethq/core/ports/LogCursors"
import { LogSummaries } from "@inlethq/core/ports/LogSummaries"
import { ManagementTokens } from "@inlethq/core/ports/ManagementTokens"
import { Registry } from "@inlethq/core/ports/Registry"
import { SegmentSizes } from "@inlethq/core/ports/SegmentSizes"
import { ConsoleSessions } from "@inlethq/core/ports/ConsoleSessions"
import { Store } from "@inlethq/core/ports/Store"
import { ThreadCatalog } from "@inlethq/core/catalog/ThreadCatalog"
import { WebhookStore } from "@inlethq/core/ports/WebhookStore"
import { Context } from "effect"

/** The services that every SQL store provides. */
export type StoreServices =
  | Store
  | Catalog
  | ThreadCatalog
  | Snapshots
  | Registry
  | ManagementTokens
  | AuditLog
  | ErasureLedger
  | WebhookStore
  | ForwardStore
  | LogCursors
  | LakeFiles
  | LogSummaries
  | ConsoleSessions
  | ImportJobs
  | Dismissals
  | SavedViews
  | Alerts
  | SegmentSizes
  | DestinationHours

/** The implementation of each service of a store. */
interface Implementations {
  readonly store: Store["Service"]
  readonly catalog: Catalog["Service"]
  readonly threadCatalog: ThreadCatalog["Service"]
  readonly snapshots: Snapshots["Service"]
  readonly registry: Registry["Service"]
  readonly managementTokens: ManagementTokens["Service"]
  readonly auditLog: AuditLog["Service"]
  readonly erasureLedger: ErasureLedger["Service"]
  readonly webhookStore: WebhookStore["Service"]
  readonly forwardStore: ForwardStore["Service"]
  readonly logCursors: LogCursors["Service"]
  readonly lakeFiles: LakeFiles["Service"]
  readonly logSummaries: LogSummaries["Service"]
  readonly consoleSessions: ConsoleSessions["Service"]
  readonly dismissals: Dismissals["Service"]
  readonly savedViews: SavedViews["Service"]
  readonly alerts: Alerts["Service"]
  readonly segmentSizes: SegmentSizes["Service"]
  readonly destinationHours: DestinationHours["Service"]
  readonly importJobs: ImportJobs["Service"]
}

export const storeServices = (of: Implementations): Context.Context<StoreServices> =>
  Context.make(Store, of.store).pipe(
    Context.add(Catalog, of.catalog),
    Context.add(ThreadCatalog, of.threadCatalog),
    Context.add(Snapshots, of.snapshots),
    Context.add(Registry, of.registry),
    Context.add(ManagementTokens, of.managementTokens),
    Context.add(AuditLog, of.auditLog),
    Context.add(ErasureLedger, of.erasureLedger),
    Context.add(WebhookStore, of.webhookStore),
    Context.add(ForwardStore, of.forwardStore),
    Context.add(LogCursors, of.logCursors),
    Context.add(LakeFiles, of.lakeFiles),
    Context.add(LogSummaries, of.logSummaries),
    Context.add(ConsoleSessions, of.consoleSessions),
    Context.add(Dismissals, of.dismissals),
    Context.add(SavedViews, of.savedViews),
    Context.add(Alerts, of.alerts),
    Context.add(SegmentSizes, of.segmentSizes),
    Context.add(DestinationHours, of.destinationHours),
    Context.add(ImportJobs, of.importJobs),
  )
