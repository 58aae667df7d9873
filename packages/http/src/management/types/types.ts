import { ManagementApi } from "@inlethq/contract/ManagementApi"
import { InvalidRequest, NotFound } from "@inlethq/contract/access/Problem"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import { LogCursors } from "@inlethq/core/ports/LogCursors"
import { LogSummaries, summaryRowsMax } from "@inlethq/core/ports/LogSummaries"
import { Registry } from "@inlethq/core/ports/Registry"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import { dayMs, readTime, toIso } from "@inlethq/core/values/Timestamp"
import { Turns } from "@inlethq/engine/reads/ReadTurns"
import { allCauses } from "@inlethq/log/types/allCauses"
import { causeDocuments } from "@inlethq/log/types/causeDocuments"
import { newestDrift, type DriftSince } from "@inlethq/log/types/driftOf"
import { inSlices, readDrift } from "@inlethq/log/types/readDrift"
import { shapedTypeDocument, typeDocument } from "@inlethq/log/types/typeDocuments"
import { causeFromRow } from "@inlethq/log/types/WorkspaceSummaries"
import { Clock, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { BrandInUse } from "../../BrandInUse.ts"
import { orUnavailable } from "../../problems/problems.ts"
import { problemTexts } from "../../problems/problemTexts.ts"
import { workspaceAt } from "../answers/lookup.ts"
import { summarizedTo } from "./summarizedTo.ts"

export const typeHandlers = HttpApiBuilder.group(
  ManagementApi,
  "types",
  Effect.fnUntraced(function* (handlers) {
    const registry = yield* Registry
    const summaries = yield* LogSummaries
    const cursors = yield* LogCursors
    const catalog = yield* Catalog
    const turns = yield* Turns
    const brand = yield* BrandInUse

    const shownIn = Effect.fnUntraced(function* (workspace: WorkspaceId) {
      return { workspace, senders: yield* registry.senders(workspace) }
    })
    const readTo = (workspace: WorkspaceId) => summarizedTo(catalog, cursors, workspace)

    return handlers.handleAll({
      list: Effect.fn("management.types.list")(function* ({ params, query }) {
        const { id } = yield* workspaceAt(registry, params.w)
        yield* readTo(id)
        const page = yield* summaries.types(id, query.kind ?? null, query.after ?? null)
        const shown = yield* shownIn(id)
        const limit = Math.min(query.limit ?? summaryRowsMax, summaryRowsMax)
        const rows = page.items.slice(0, limit)
        const last = rows.at(-1)
        const now = yield* Clock.currentTimeMillis
        const items = yield* turns.work(() => inSlices(rows, (row) => typeDocument(shown, row, now)))
        const isCut = rows.length < page.items.length && last !== undefined
        return { items, next: isCut ? { kind: last.kind, name: last.name } : page.next }
      }, orUnavailable),

      get: Effect.fn("management.types.get")(function* ({ params }) {
        const { id } = yield* workspaceAt(registry, params.w)
        yield* readTo(id)
        const row = yield* summaries.type(id, { kind: params.kind, name: params.name })
        if (row === null) {
          return yield* new NotFound({ detail: problemTexts.notFound({ thing: "event type" }) })
        }
        return shapedTypeDocument(yield* shownIn(id), row, yield* Clock.currentTimeMillis)
      }, orUnavailable),

      drift: Effect.fn("management.types.drift")(function* ({ params, query }) {
        const { id } = yield* workspaceAt(registry, params.w)
        const now = yield* Clock.currentTimeMillis
        const since = driftSince(query.since, now)
        if (since === undefined) return yield* new InvalidRequest({ detail: problemTexts.driftSince() })
        const read_to = yield* readTo(id)
        const found = yield* readDrift({ summaries, registry, turns }, yield* shownIn(id), since, now)
        return {
          ...newestDrift(found),
          since: toIso("time" in since ? since.time : now),
          read_to,
        }
      }, orUnavailable),

      causes: Effect.fn("management.types.causes")(function* ({ params, query }) {
        const { id } = yield* workspaceAt(registry, params.w)
        const until = timeIn(query.until) ?? (yield* Clock.currentTimeMillis) + 1
        const since = timeIn(query.since) ?? until - dayMs
        if (since >= until) return yield* new InvalidRequest({ detail: problemTexts.emptyCausePeriod() })
        const period = { since, until, newSince: timeIn(query.new_since) ?? since }
        const read_to = yield* readTo(id)
        const shown = yield* shownIn(id)
        const rows = yield* allCauses(summaries, id)
        const causes = yield* turns.work(() =>
          inSlices(rows, (row) => [row.cause, causeFromRow(row)] as const),
        )
        const items = yield* turns.work(function* () {
          return causeDocuments(shown, brand, causes, period)
        })
        return { items, since: toIso(since), until: toIso(until), read_to }
      }, orUnavailable),
    })
  }),
)

const timeIn = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : readTime(text)

/** Reads a position of the log or a time. */
const driftSince = (text: string | undefined, now: number): DriftSince | undefined => {
  if (text === undefined) return { time: now - dayMs }
  if (/^\d{1,15}$/.test(text)) return { position: Number(text) }
  const time = readTime(text)
  return time === undefined ? undefined : { time }
}
