import { Catalog } from "@inlethq/core/catalog/Catalog"
import { Alerts } from "@inlethq/core/ports/Alerts"
import { LogSummaries } from "@inlethq/core/ports/LogSummaries"
import { Registry } from "@inlethq/core/ports/Registry"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { minuteMs, type EpochMillis } from "@inlethq/core/values/Timestamp"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { Turns } from "@inlethq/engine/reads/ReadTurns"
import { newestSequence } from "@inlethq/log/reading/newestSequence"
import { allCauses } from "@inlethq/log/types/allCauses"
import { causeDocuments } from "@inlethq/log/types/causeDocuments"
import { inSlices, silentBetween } from "@inlethq/log/types/readDrift"
import { causeFromRow } from "@inlethq/log/types/WorkspaceSummaries"
import { Effect } from "effect"
import { alertIdOf, lastingAmong, type Condition } from "./Condition.ts"
import {
  errorMs,
  errorRate,
  lags,
  newCauseMs,
  newCauses,
  quietMs,
  silences,
  type Behind,
} from "./conditions.ts"

/** Looks at a workspace, and begins and ends its alerts. `behind` is how far what follows its log is behind. */
export const watchWorkspace = Effect.fnUntraced(function* (
  workspace: Workspace,
  behind: ReadonlyArray<Behind>,
  now: EpochMillis,
) {
  const alerts = yield* Alerts
  const catalog = yield* Catalog
  const known = yield* alerts.list(workspace.id)
  const found = yield* conditionsOf(workspace, behind, now, lastingAmong(known))
  const newest = yield* newestSequence(catalog, workspace.id)
  const lasting = new Set(known.flatMap(({ alertId, endedAt }) => (endedAt === null ? [alertId] : [])))
  const holding = new Map(found.map((one) => [alertIdOf(one.condition, one.subject), one]))
  for (const [alertId, condition] of holding) {
    if (lasting.has(alertId)) continue
    yield* alerts.begin({ workspace: workspace.id, alertId, ...condition, beganAt: now }, newest)
  }
  for (const alertId of lasting) {
    if (!holding.has(alertId)) yield* alerts.end({ workspace: workspace.id, alertId }, now, newest)
  }
})

const conditionsOf = Effect.fnUntraced(function* (
  { alerts: settings, id }: Workspace,
  behind: ReadonlyArray<Behind>,
  now: EpochMillis,
  lasts: ReturnType<typeof lastingAmong>,
): Effect.fn.Return<ReadonlyArray<Condition>, StoreUnavailable, Catalog | LogSummaries | Registry> {
  const catalog = yield* Catalog
  const source = {
    summaries: yield* LogSummaries,
    registry: yield* Registry,
    turns: yield* Turns,
  }
  const from = Math.floor((now - errorMs) / minuteMs) * minuteMs
  const { counts } = yield* catalog.counts(id, { from, stepMs: minuteMs, steps: errorMs / minuteMs + 1 })
  const shown = { workspace: id, senders: yield* source.registry.senders(id) }
  const rows = yield* allCauses(source.summaries, id)
  const causes = yield* source.turns.work(() =>
    inSlices(rows, (row) => [row.cause, causeFromRow(row)] as const),
  )
  const period = { since: now - quietMs, until: now + 1, newSince: now - newCauseMs }
  const documents = yield* source.turns.work(function* () {
    return causeDocuments(shown, "svc", causes, period)
  })
  const silent = yield* silentBetween(source, id, { after: 0, to: now })
  return [
    ...newCauses(documents, now, lasts),
    ...errorRate(counts, settings, lasts),
    ...lags(behind, settings, lasts),
    ...silences(silent, now, lasts),
  ]
})
