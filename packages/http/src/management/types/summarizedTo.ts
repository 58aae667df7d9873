import type { Catalog } from "@inlethq/core/catalog/Catalog"
import type { LogCursors } from "@inlethq/core/ports/LogCursors"
import { summariesCursor } from "@inlethq/core/ports/LogSummaries"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import type { Sequence, WorkspaceId } from "@inlethq/core/values/Identifier"
import { newestSequence } from "@inlethq/log/reading/newestSequence"
import { Effect, Schedule } from "effect"

/** The longest time that an answer waits for the summary of the log, and the pause between two looks. */
const waitMsMax = 5000
const lookMs = 50

/** An answer does not wait for a summary that is further behind than this, as it is while many calls arrive. */
const entriesBehindMax = 200

/**
 * Waits until the log of a workspace is summarized up to what is its newest entry now, so that whoever has just sent an event
 * finds it. Returns how far it is summarized, which is less if that takes too long.
 */
export const summarizedTo = Effect.fnUntraced(function* (
  catalog: Catalog["Service"],
  cursors: LogCursors["Service"],
  workspace: WorkspaceId,
): Effect.fn.Return<Sequence | null, StoreUnavailable> {
  const newest = (yield* newestSequence(catalog, workspace)) ?? 0
  const position = cursors.position(summariesCursor(workspace))
  const first = yield* position
  const behind = newest - (first ?? 0)
  if (behind <= 0 || behind > entriesBehindMax) return first
  const reached = Effect.repeat(position, {
    while: (to) => (to ?? 0) < newest,
    schedule: Schedule.spaced(lookMs),
  })
  yield* Effect.timeoutOption(reached, waitMsMax)
  return yield* position
})
