import { activityDocument, fromTheBeginning, type ActivityDocument } from "@inlet/api/management/ActivityLog"
import type { ActivityRecord } from "@inlet/core/catalog/ActivityView"
import { noFilter, type Catalog } from "@inlet/core/catalog/Catalog"
import { operationIdText, type Sequence, type WorkspaceId } from "@inlet/core/values/Identifier"
import type { Slices } from "@inlet/core/catalog/ReadTurns"
import type { StoreUnavailable } from "@inlet/core/ports/Store"
import { Effect, Option, PubSub, Stream } from "effect"
import type { StreamPart } from "./eventStream.ts"
import type { ActivityReader, RequestedActivity } from "./filteredActivity.ts"

/**
 * The longest pause between two parts of a stream. Longer pauses would make proxies and clients close the connection.
 */
const heartbeatInterval = "15 seconds"

/** The log, filter and starting position of a stream. */
export interface StreamRequest extends ActivityReader, RequestedActivity {
  readonly commits: PubSub.PubSub<Sequence>
  readonly workspace: WorkspaceId
  /** The last entry that the client has received, or null to start at the beginning. */
  readonly after: Sequence | null
}

/** The sequence of the last entry that a stream has read, and whether the log had no further entries then. */
interface Position {
  readonly after: Sequence | null
  readonly caughtUp: boolean
}

/**
 * Streams the activity of a workspace in log order, followed by every new entry as soon as it is committed. The next
 * page is read only after the client has consumed the previous page.
 */
export const activityStream = (request: StreamRequest): Stream.Stream<StreamPart, StoreUnavailable> =>
  Stream.unwrap(
    Effect.gen(function* () {
      // Subscribe before reading the first page, so that commits in between are not missed.
      const commits = yield* PubSub.subscribe(request.commits)
      const start: Position = { after: request.after, caughtUp: false }
      return Stream.concat(
        Stream.succeed(heartbeatPart(request.after)),
        Stream.paginate(start, (position) => advance(request, commits, position)),
      )
    }),
  )

/** Returns the sequence of the newest entry of a workspace, or null if the log of the workspace is empty. */
export const newestSequence = Effect.fnUntraced(function* (
  catalog: Catalog["Service"],
  workspace: WorkspaceId,
) {
  const page = yield* catalog.activity(workspace, noFilter, { limit: 1, after: null, order: "desc" })
  return page.items[0]?.entry.sequence ?? page.next
})

const advance = Effect.fnUntraced(function* (
  { brand, catalog, matches, stored, turns, workspace }: StreamRequest,
  commits: PubSub.Subscription<Sequence>,
  { after, caughtUp }: Position,
) {
  const committed = caughtUp
    ? yield* Effect.timeoutOption(PubSub.take(commits), heartbeatInterval)
    : Option.none<Sequence>()
  // Read after a heartbeat too: commits of other nodes on the same store are not announced here.
  const found = yield* catalog.follow(workspace, stored, after)
  // A commit only triggers a read. Its sequence is not used, because other nodes may have committed earlier ones.
  const next: Position = { after: found.readTo ?? after, caughtUp: found.caughtUp }
  const shown = (record: ActivityRecord) => {
    const document = activityDocument(record, brand)
    return matches === null || matches(document) ? [document] : []
  }
  const parts = yield* turns.work(() => partsOf(found.items, shown))
  const waited = caughtUp ? Option.isNone(committed) : !found.caughtUp
  // After entries that do not match, a heartbeat moves the client's position past them.
  const silent = parts.length === 0 && (waited || found.items.length > 0)
  return [silent ? [heartbeatPart(next.after)] : parts, Option.some(next)] as const
})

function* partsOf(
  records: ReadonlyArray<ActivityRecord>,
  shown: (record: ActivityRecord) => ReadonlyArray<ActivityDocument>,
): Slices<ReadonlyArray<StreamPart>> {
  return records.flatMap(shown).map((document) => ({
    id: operationIdText(document.sequence, null),
    data: JSON.stringify(document),
  }))
}

const heartbeatPart = (after: Sequence | null): StreamPart => ({
  id: after === null ? fromTheBeginning : operationIdText(after, null),
  data: null,
})
