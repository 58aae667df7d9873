import { activityDocument, fromTheBeginning } from "@inlet/api/management/ActivityLog"
import { everything, type ActivityFilter, type Directory } from "@inlet/core/Directory"
import { operationIdText, Sequence, type WorkspaceId } from "@inlet/core/Identifier"
import type { StoreUnavailable } from "@inlet/core/Store"
import { Effect, Option, PubSub, Stream } from "effect"
import type { StreamPart } from "./eventStream.ts"

/** Entries that are read at a time: all that a slow client makes the server hold. */
const pageEntries = 100

/** How long a stream is silent at most; proxies and clients give up on silent connections. */
const heartbeat = "15 seconds"

/** What a stream shows, and from where. */
export interface StreamRequest {
  readonly directory: Directory["Service"]
  readonly commits: PubSub.PubSub<Sequence>
  readonly workspace: WorkspaceId
  readonly filter: ActivityFilter
  /** The last entry that the client has; null for none. */
  readonly after: Sequence | null
}

/** Where a stream is: what was read last, and whether that was all there was. */
interface Place {
  readonly after: Sequence | null
  readonly caughtUp: boolean
}

/**
 * The activity of a workspace in the order of the log, and whatever is committed from then on. It reads a page when the
 * client has taken the one before, and waits for a commit when there is none left.
 */
export const activityStream = (request: StreamRequest): Stream.Stream<StreamPart, StoreUnavailable> =>
  Stream.unwrap(
    Effect.gen(function* () {
      // Before the first page is read, so that no commit falls between the two.
      const commits = yield* PubSub.subscribe(request.commits)
      const start: Place = { after: request.after, caughtUp: false }
      return Stream.concat(
        Stream.succeed(signOfLife(request.after)),
        Stream.paginate(start, (place) => advance(request, commits, place)),
      )
    }),
  )

/** The position of the newest entry of a workspace; null while there is none. */
export const newestSequence = Effect.fnUntraced(function* (
  directory: Directory["Service"],
  workspace: WorkspaceId,
) {
  const page = yield* directory.activity(workspace, everything, { limit: 1, after: null, order: "desc" })
  return page.items[0]?.entry.sequence ?? page.next
})

const advance = Effect.fnUntraced(function* (
  { directory, filter, workspace }: StreamRequest,
  commits: PubSub.Subscription<Sequence>,
  { after, caughtUp }: Place,
) {
  const committed = caughtUp
    ? yield* Effect.timeoutOption(PubSub.take(commits), heartbeat)
    : Option.none<Sequence>()
  // Also after a heartbeat: another node of the same store does not tell this one what it commits.
  const page = yield* directory.activity(workspace, filter, { limit: pageEntries, after, order: "asc" })
  const read = page.next ?? page.items.at(-1)?.entry.sequence ?? after
  const next: Place = {
    after: page.next === null ? later(read, Option.getOrNull(committed)) : read,
    caughtUp: page.next === null,
  }
  const parts = page.items.map((record): StreamPart => ({
    id: operationIdText(record.entry.sequence, null),
    data: JSON.stringify(activityDocument(record)),
  }))
  const silent = caughtUp && Option.isNone(committed) && parts.length === 0
  return [silent ? [signOfLife(next.after)] : parts, Option.some(next)] as const
})

const signOfLife = (after: Sequence | null): StreamPart => ({
  id: after === null ? fromTheBeginning : operationIdText(after, null),
  data: null,
})

const later = (a: Sequence | null, b: Sequence | null): Sequence | null =>
  a === null || (b !== null && b > a) ? b : a
