import { sumsOf, type LakeDocument } from "@inlethq/contract/transfer/Lake"
import { ManagementApi } from "@inlethq/contract/ManagementApi"
import { pageItemsDefault } from "@inlethq/contract/values/Page"
import { Conflict } from "@inlethq/contract/access/Problem"
import { newestSequence } from "@inlethq/log/reading/newestSequence"
import { Catalog, noFilter } from "@inlethq/core/catalog/Catalog"
import {
  lakeFlushCursor,
  LakeFiles,
  lakeRewriteCursor,
  type LakeErasure,
} from "@inlethq/core/ports/LakeFiles"
import { LogCursors, type CursorKey } from "@inlethq/core/ports/LogCursors"
import type { LogSummaries } from "@inlethq/core/ports/LogSummaries"
import { Registry } from "@inlethq/core/ports/Registry"
import { dayMs, toIso, type EpochMillis } from "@inlethq/core/values/Timestamp"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import type { LakeSettings } from "@inlethq/core/workspace/LakeSettings"
import { manifestOf, snapshotPosition } from "@inlethq/lake/Manifest"
import { lakeStatements } from "@inlethq/lake/sql/lakeStatements"
import { eventShapes } from "@inlethq/outbound/lake/eventShapes"
import { LakeFeeds } from "@inlethq/outbound/lake/LakeFeeds"
import { Clock, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { workspaceAt } from "../answers/lookup.ts"
import { summarizedTo } from "../types/summarizedTo.ts"
import { note } from "../../audit/note.ts"
import { orUnavailable } from "../../problems/problems.ts"
import { problemTexts } from "../../problems/problemTexts.ts"

export const lakeHandlers = HttpApiBuilder.group(
  ManagementApi,
  "lake",
  Effect.fnUntraced(function* (handlers) {
    const registry = yield* Registry
    const catalog = yield* Catalog
    const lake = yield* LakeFiles
    const cursors = yield* LogCursors
    const context = yield* Effect.context<Catalog | LogCursors | LogSummaries>()
    const feeds = yield* LakeFeeds

    const documentOf = documentsOf({ catalog, lake, feeds })

    return handlers.handleAll({
      get: Effect.fn("management.lake.get")(function* ({ params }) {
        return yield* documentOf(yield* workspaceAt(registry, params.w))
      }, orUnavailable),

      files: Effect.fn("management.lake.files")(function* ({ params, query }) {
        const { id } = yield* workspaceAt(registry, params.w)
        const files = (yield* lake.files(id))
          .filter(({ path }) => path > (query.after ?? ""))
          .toSorted((a, b) => (a.path < b.path ? -1 : 1))
        const items = files.slice(0, query.limit ?? pageItemsDefault)
        return { items, next: items.length < files.length ? (items.at(-1)?.path ?? null) : null }
      }, orUnavailable),

      sql: Effect.fn("management.lake.sql")(function* ({ params, query }) {
        const workspace = yield* workspaceAt(registry, params.w)
        const settings = yield* settingsOf(workspace)
        const files = yield* lake.files(workspace.id)
        yield* summarizedTo(catalog, cursors, workspace.id)
        const shapes = yield* Effect.provide(eventShapes(workspace.id), context)
        const stored = { workspace: workspace.id, settings, files }
        return { engine: query.engine, statements: lakeStatements(query.engine, stored, shapes) }
      }, orUnavailable),

      verify: Effect.fn("management.lake.verify")(
        function* ({ params, query }) {
          const workspace = yield* workspaceAt(registry, params.w)
          yield* note({ target: { id: String(workspace.id), name: workspace.name } })
          return yield* feeds.verify(workspace.id, yield* settingsOf(workspace), query.after ?? null)
        },
        Effect.catchTag("LakeFailed", ({ message }) => Effect.fail(new Conflict({ detail: message }))),
        orUnavailable,
      ),

      rewrite: Effect.fn("management.lake.rewrite")(function* ({ params }) {
        const workspace = yield* workspaceAt(registry, params.w)
        yield* note({ target: { id: String(workspace.id), name: workspace.name } })
        yield* settingsOf(workspace)
        yield* lake.hasten(workspace.id)
        // Deletions that no file has come to have to be in one first.
        yield* Effect.provide(
          askFor([lakeFlushCursor(workspace.id), lakeRewriteCursor(workspace.id)]),
          context,
        )
        return yield* documentOf(workspace)
      }, orUnavailable),

      flush: Effect.fn("management.lake.flush")(function* ({ params }) {
        const workspace = yield* workspaceAt(registry, params.w)
        yield* note({ target: { id: String(workspace.id), name: workspace.name } })
        yield* settingsOf(workspace)
        yield* Effect.provide(askFor([lakeFlushCursor(workspace.id)]), context)
        return yield* documentOf(workspace)
      }, orUnavailable),
    })
  }),
)

interface LakeServices {
  readonly catalog: Catalog["Service"]
  readonly lake: LakeFiles["Service"]
  readonly feeds: LakeFeeds["Service"]
}

/** Returns the state of the lake of a workspace. */
const documentsOf = ({ catalog, feeds, lake }: LakeServices) =>
  Effect.fnUntraced(function* ({ id, lake: settings }: Workspace) {
    if (settings === null) return noLake
    const files = yield* lake.files(id)
    const { to } = manifestOf(files)
    const newest = yield* newestSequence(catalog, id)
    const status = yield* feeds.status(id)
    const lag = Math.max(0, (newest ?? 0) - (to ?? 0))
    const now = yield* Clock.currentTimeMillis
    const waiting = lag === 0 ? [] : (yield* catalog.follow(id, noFilter, to)).items
    const due = yield* lake.erasures(id)
    return {
      target: settings.target,
      url: settings.url,
      to,
      snapshot_to: snapshotPosition(files),
      lag,
      lag_seconds: ageInSeconds(now, waiting[0]?.entry.receivedAt ?? now),
      ...sumsOf(files),
      erasures_due: due.length,
      erasures_due_by: dueBy(settings, due, now),
      writing: status !== null,
      failure: status?.failure ?? null,
    } satisfies LakeDocument
  })

const ageInSeconds = (now: EpochMillis, receivedAt: EpochMillis): number =>
  Math.max(0, Math.floor((now - receivedAt) / 1000))

/** Deletions that somebody wants to be followed now have no time any more. */
const dueBy = (
  { erasureDays }: LakeSettings,
  [oldest]: ReadonlyArray<LakeErasure>,
  now: EpochMillis,
): string | null => {
  if (oldest === undefined) return null
  return toIso(oldest.receivedAt === 0 ? now : oldest.receivedAt + erasureDays * dayMs)
}

/** Moves cursors to the end of the log, for the node that writes the lake. */
const askFor = Effect.fnUntraced(function* (keys: ReadonlyArray<CursorKey>) {
  const catalog = yield* Catalog
  const cursors = yield* LogCursors
  for (const key of keys) {
    const newest = yield* newestSequence(catalog, key.workspace)
    if (newest !== null) yield* cursors.advance(key, newest, null)
  }
})

const settingsOf = ({ id, lake }: Workspace): Effect.Effect<LakeSettings, Conflict> =>
  lake === null
    ? Effect.fail(new Conflict({ detail: problemTexts.noLake({ workspace: id }) }))
    : Effect.succeed(lake)

const noLake: LakeDocument = {
  target: null,
  url: null,
  to: null,
  snapshot_to: null,
  lag: 0,
  lag_seconds: 0,
  files: 0,
  rows: 0,
  bytes: 0,
  erasures_due: 0,
  erasures_due_by: null,
  writing: false,
  failure: null,
}
