import type { ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import { noFilter } from "@inlethq/core/catalog/Catalog"
import { LogCursors } from "@inlethq/core/ports/LogCursors"
import { Registry } from "@inlethq/core/ports/Registry"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { Effect, Latch, Option, type Schema } from "effect"
import { CursorLost, type BatchSink, type Destination, type DestinationFailed } from "./Destination.ts"

/** Sends consecutive entries. Entries that were sent before a failure are sent again. */
export type SendEntries<R> = (
  records: ReadonlyArray<ActivityRecord>,
) => Effect.Effect<void, DestinationFailed | StoreUnavailable, R>

/** A destination that receives the whole log of each workspace with settings for it. */
interface WorkspaceDestination<Settings, R> {
  readonly name: string
  readonly title: string
  readonly settings: Schema.Schema<Settings>
  readonly settingsOf: (workspace: Workspace) => Settings | null
  readonly pagesMax: number
  /** Returns the function that sends the log of one workspace. It is used until the settings change. */
  readonly open: (settings: Settings, workspace: WorkspaceId) => SendEntries<R>
}

/** Makes a destination whose feeds keep their position in `LogCursors`, and send entries at least once, in order. */
export const workspaceDestination = <Settings, R>(
  spec: WorkspaceDestination<Settings, R>,
): Destination<Settings, R | LogCursors | Registry> => ({
  ...spec,
  feeds: Effect.map(
    Registry.use((registry) => registry.workspaces),
    (workspaces) =>
      workspaces.flatMap((workspace) => {
        const settings = spec.settingsOf(workspace)
        return settings === null ? [] : [{ workspace: workspace.id, id: null, settings }]
      }),
  ),
  prepare: Effect.fnUntraced(function* ({ workspace }) {
    const found = yield* Registry.use((registry) => registry.workspace(workspace))
    const settings = Option.isSome(found) ? spec.settingsOf(found.value) : null
    return settings === null ? Option.none() : Option.some(yield* cursorSink(spec, workspace, settings))
  }),
})

const cursorSink = Effect.fnUntraced(function* <Settings, R>(
  { name, open, pagesMax }: WorkspaceDestination<Settings, R>,
  workspace: WorkspaceId,
  settings: Settings,
) {
  const cursors = yield* LogCursors
  const key = { workspace, destination: name }
  const { position: claimed, token } = yield* cursors.claim(key)
  const sendEntries = open(settings, workspace)
  const stopped = yield* Latch.make(false)
  let position = claimed
  let oldestReceivedAt: EpochMillis | null = null
  return {
    settings,
    filter: noFilter,
    pagesMax,
    readFrom: () => position,
    ready: Effect.void,
    send: Effect.fnUntraced(function* ({ records, to }) {
      oldestReceivedAt = records[0]?.entry.receivedAt ?? null
      if (records.length > 0) yield* sendEntries(records)
      if (to !== null && to !== position) {
        if (!(yield* cursors.advance(key, to, token))) return yield* new CursorLost()
        position = to
      }
      oldestReceivedAt = null
    }),
    progress: () => ({ position, oldestReceivedAt, failure: null }),
    run: () => stopped.await,
    stop: () => void stopped.openUnsafe(),
  } satisfies BatchSink<Settings, R>
})
