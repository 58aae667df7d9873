import type { ActivityDocument } from "@inlethq/contract/activity/ActivityLog"
import { activityDocument } from "@inlethq/log/documents/activityDocument"
import { fromTheBeginning, type StreamPart } from "@inlethq/contract/values/StreamPart"
import type { ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import type { Sequence, WorkspaceId } from "@inlethq/core/values/Identifier"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import type { Slices } from "@inlethq/core/Slices"
import type { Ingest } from "@inlethq/engine/commits/Ingest"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { Clock, Effect, Option, PubSub, Stream } from "effect"
import type { ActivityReader, RequestedActivity } from "@inlethq/log/reading/filteredActivity"

/**
 * The longest pause between two parts of a stream. Longer pauses would make proxies and clients close the connection.
 */
const heartbeatMs = 15_000

/** The log, the filter and the starting position of an activity stream. */
export interface StreamRequest extends ActivityReader, Pick<RequestedActivity, "matches" | "stored"> {
  readonly commits: ReturnType<Ingest["Service"]["commits"]>
  readonly workspace: WorkspaceId
  /** Whether the workspace still exists. The stream ends if it does not. */
  readonly exists: Effect.Effect<boolean, StoreUnavailable>
  /** The last entry that the client has received, or null to start at the beginning. */
  readonly after: Sequence | null
}

/** The progress of an activity stream in the log. */
interface Position {
  /** The log position of the last entry that the stream has read. */
  readonly after: Sequence | null
  /** True if the stream has read to the end of the log. */
  readonly caughtUp: boolean
  /** The time at which the stream last sent an event or a heartbeat. */
  readonly sentAt: EpochMillis
}

/**
 * Streams the activity of a workspace in log order, followed by every new entry as soon as it is committed. The next
 * page is read only after the client has consumed the previous page.
 */
export const activityStream = (request: StreamRequest): Stream.Stream<StreamPart, StoreUnavailable> =>
  Stream.unwrap(
    Effect.gen(function* () {
      // Subscribe before reading the first page, so that commits in between are not missed.
      const commits = yield* request.commits
      const start: Position = {
        after: request.after,
        caughtUp: false,
        sentAt: yield* Clock.currentTimeMillis,
      }
      return Stream.concat(
        Stream.succeed(heartbeatPart(request.after)),
        Stream.paginate(start, (position) => advance(request, commits, position)),
      )
    }),
  )

const advance = Effect.fnUntraced(function* (
  { brand, catalog, exists, matches, stored, turns, workspace }: StreamRequest,
  commits: PubSub.Subscription<Sequence>,
  { after, caughtUp, sentAt }: Position,
) {
  if (caughtUp) {
    const untilHeartbeat = sentAt + heartbeatMs - (yield* Clock.currentTimeMillis)
    yield* Effect.timeoutOption(PubSub.take(commits), Math.max(0, untilHeartbeat))
  }
  if (!(yield* exists)) return [[], Option.none<Position>()] as const
  // A read also follows each heartbeat, because the notification about a commit can be lost. The log position in a
  // notification is not used, because other nodes may have committed entries before this position.
  const found = yield* catalog.follow(workspace, stored, after)
  const shown = (record: ActivityRecord) => {
    const document = activityDocument(record, brand)
    return matches === null || matches(document) ? [document] : []
  }
  const parts = yield* turns.work(() => partsOf(found.items, shown))
  const now = yield* Clock.currentTimeMillis
  const position = found.readTo ?? after
  // The stream sends nothing for entries that do not match the filter. The next heartbeat moves the client's position
  // past these entries.
  const isDue = parts.length === 0 && now - sentAt >= heartbeatMs
  const sent = isDue ? [heartbeatPart(position)] : parts
  const next: Position = {
    after: position,
    caughtUp: found.caughtUp,
    sentAt: sent.length > 0 ? now : sentAt,
  }
  return [sent, Option.some(next)] as const
})

function* partsOf(
  records: ReadonlyArray<ActivityRecord>,
  shown: (record: ActivityRecord) => ReadonlyArray<ActivityDocument>,
): Slices<ReadonlyArray<StreamPart>> {
  return records.flatMap(shown).map((document) => ({
    id: String(document.sequence),
    data: JSON.stringify(document),
  }))
}

const heartbeatPart = (after: Sequence | null): StreamPart => ({
  id: after === null ? fromTheBeginning : String(after),
  data: null,
})
