import { activityDocument, fromTheBeginning } from "@inlet/api/management/ActivityLog"
import type { WrittenBrand } from "@inlet/api/wire/WrittenBrand"
import type { ActivityRecord } from "@inlet/core/catalog/ActivityView"
import { everything, type ActivityFilter, type Catalog } from "@inlet/core/catalog/Catalog"
import { operationIdText, type Sequence, type WorkspaceId } from "@inlet/core/values/Identifier"
import type { ReadTurns, Slices } from "@inlet/core/catalog/ReadTurns"
import type { StoreUnavailable } from "@inlet/core/ports/Store"
import { Effect, Option, PubSub, Stream } from "effect"
import type { StreamPart } from "./eventStream.ts"

/** How long a stream is silent at most; proxies and clients give up on silent connections. */
const heartbeat = "15 seconds"

/** What a stream shows, and from where. */
export interface StreamRequest {
  readonly directory: Catalog["Service"]
  readonly turns: ReadTurns
  readonly brand: WrittenBrand
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
 * The activity of a workspace in the order of the log, and whatever is committed from then on. It reads on when the
 * client has taken what was read before, and waits for a commit when nothing is left to read.
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
  directory: Catalog["Service"],
  workspace: WorkspaceId,
) {
  const page = yield* directory.activity(workspace, everything, { limit: 1, after: null, order: "desc" })
  return page.items[0]?.entry.sequence ?? page.next
})

const advance = Effect.fnUntraced(function* (
  { brand, directory, filter, turns, workspace }: StreamRequest,
  commits: PubSub.Subscription<Sequence>,
  { after, caughtUp }: Place,
) {
  const committed = caughtUp
    ? yield* Effect.timeoutOption(PubSub.take(commits), heartbeat)
    : Option.none<Sequence>()
  // Also after a heartbeat: another node of the same store does not tell this one what it commits.
  const found = yield* directory.follow(workspace, filter, after)
  // A commit says that there is something to read, and never where: others may hand out positions, too.
  const next: Place = { after: found.readTo ?? after, caughtUp: found.caughtUp }
  const parts = yield* turns.work(() => partsOf(found.items, brand))
  const waited = caughtUp ? Option.isNone(committed) : !found.caughtUp
  const silent = waited && parts.length === 0
  return [silent ? [signOfLife(next.after)] : parts, Option.some(next)] as const
})

function* partsOf(
  records: ReadonlyArray<ActivityRecord>,
  brand: WrittenBrand,
): Slices<ReadonlyArray<StreamPart>> {
  return records.map((record) => ({
    id: operationIdText(record.entry.sequence, null),
    data: JSON.stringify(activityDocument(record, brand)),
  }))
}

const signOfLife = (after: Sequence | null): StreamPart => ({
  id: after === null ? fromTheBeginning : operationIdText(after, null),
  data: null,
})
