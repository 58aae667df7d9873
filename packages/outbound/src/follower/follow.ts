import { newestSequence } from "@inlethq/log/reading/newestSequence"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import { DestinationHours } from "@inlethq/core/ports/DestinationHours"
import type { Ingest } from "@inlethq/engine/commits/Ingest"
import type { Sequence, WorkspaceId } from "@inlethq/core/values/Identifier"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import { Clock, Effect, FiberMap, Metric, Schedule, Schema, Semaphore, type Scope } from "effect"
import { MayDeliver } from "../MayDeliver.ts"
import { labelsOf, type Destination, type FeedKey } from "./Destination.ts"
import { HourSums } from "./HourSums.ts"
import { Feed, runFeed } from "./runFeed.ts"

/** The pause between two reads of the settings of all feeds, which other nodes may have changed. */
const refreshInterval = "5 seconds"

/** The pause between two writes of how far the feeds of a destination were behind. */
const storeInterval = "1 minute"

/** The longest wait for the last of these writes, when the node stops. */
const lastStoreWithin = "1 second"

/** The most feeds of a destination that read or send a batch at the same time. */
const batchesAtOnceMax = 8

/** The state of one feed. */
export interface FeedStatus extends FeedKey {
  /** The destination is done with every entry up to this position. Also null while the feed is prepared. */
  readonly position: Sequence | null
  /** The entries after the position, when they were last counted. */
  readonly lagEntries: number
  /** The age of the oldest entry that was read and not delivered, or 0 if none waits. */
  readonly lagMs: number
  /** False while the feed is prepared, when nobody knows how far it is. */
  readonly prepared: boolean
  /** Why the last batch could not be read or sent, or why other work waits. Null if nothing is wrong. */
  readonly failure: string | null
}

/** The state of a destination on this node. */
export interface FollowerStatus {
  /** False if another node on the same database sends. */
  readonly sending: boolean
  readonly feeds: ReadonlyArray<FeedStatus>
}

/** Runs the feeds of one destination. */
export interface Follower {
  /** Prepares a feed again, with its current settings and progress, once it has ended what is in progress. */
  changed(key: FeedKey): Effect.Effect<void>
  readonly status: Effect.Effect<FollowerStatus>
}

/** Sends the logs of all workspaces to a destination, while this node may deliver and until the scope closes. */
export const follow = Effect.fnUntraced(function* <Settings, R>(
  destination: Destination<Settings, R>,
): Effect.fn.Return<Follower, never, R | Catalog | DestinationHours | Ingest | Scope.Scope> {
  const mayDeliver = yield* MayDeliver
  const services = yield* Effect.context<R | Catalog | Ingest>()
  const hours = yield* DestinationHours
  const sums = new HourSums(destination.name)
  const permits = yield* Semaphore.make(batchesAtOnceMax)
  const fibers = yield* FiberMap.make<string>()
  const running = new Map<string, Feed<Settings, R>>()
  const isSame = Schema.toEquivalence(destination.settings)
  const { measure, measureAll } = lagMetrics(destination, sums)
  let sending = false

  const start = Effect.fnUntraced(function* (key: FeedKey) {
    const name = nameOf(key)
    const feed = new Feed<Settings, R>(key)
    running.set(name, feed)
    // A feed fails only because of a bug. The next refresh then starts it again.
    const run = runFeed(destination, feed, permits).pipe(
      Effect.tapCause((cause) =>
        Effect.logError(`${destination.title} stopped and will be started again`, cause),
      ),
      Effect.ensuring(Effect.sync(() => running.delete(name))),
      // Without this reset, the metrics would show the last lag of a stopped feed for ever.
      Effect.ensuring(measure(key, 0, 0)),
      Effect.provide(services),
    )
    yield* FiberMap.run(fibers, name, run)
  })

  const changed = Effect.fnUntraced(function* (key: FeedKey) {
    const feed = running.get(nameOf(key))
    if (feed === undefined) yield* start(key)
    else feed.changed()
  })

  const refresh = Effect.gen(function* () {
    const maySend = yield* mayDeliver
    if (!maySend) sending = false
    const feeds = new Map((maySend ? yield* destination.feeds : []).map((one) => [nameOf(one), one]))
    for (const [name, feed] of running) {
      const settings = feeds.get(name)?.settings
      // A feed that is being prepared has no sink yet. If each refresh began its preparation anew, a preparation that
      // takes longer than `refreshInterval` would never end.
      const isStale = settings === undefined || (feed.sink !== null && !isSame(feed.sink.settings, settings))
      if (isStale) feed.changed()
    }
    for (const [name, key] of feeds) if (!running.has(name)) yield* start(key)
    sending = maySend
    yield* measureAll(running.values())
  }).pipe(
    Effect.ignoreCause({ log: "Error", message: `the settings of ${destination.name} could not be read` }),
    Effect.provide(services),
  )

  // Measurements that cannot be written are dropped: while the store is down, nothing can be read of the log either.
  const store = Effect.suspend(() =>
    Effect.forEach(sums.take(), ([workspace, measured]) => hours.add(workspace, measured), { discard: true }),
  ).pipe(Effect.ignoreCause({ log: "Warn", message: `how far ${destination.name} is could not be stored` }))

  const storeLast = Effect.andThen(measureAll(running.values()), store).pipe(
    Effect.ignoreCause({ log: "Warn" }),
    Effect.timeoutOption(lastStoreWithin),
    Effect.provide(services),
  )
  yield* Effect.addFinalizer(() => storeLast)
  yield* Effect.forkScoped(Effect.repeat(refresh, Schedule.spaced(refreshInterval)))
  yield* Effect.forkScoped(Effect.repeat(Effect.delay(store, storeInterval), Schedule.forever))
  const status = Effect.map(Clock.currentTimeMillis, (now): FollowerStatus => {
    return { sending, feeds: Array.from(running.values(), (feed) => statusOf(feed, now)) }
  })
  return { changed, status }
})

const nameOf = ({ id, workspace }: FeedKey): string => `${workspace}:${id ?? ""}`

const statusOf = <Settings, R>(
  { failure, key, lagEntries, sink }: Feed<Settings, R>,
  now: EpochMillis,
): FeedStatus => {
  const progress = sink?.progress() ?? { oldestReceivedAt: null, position: null, failure: null }
  const { oldestReceivedAt, position } = progress
  const lagMs = oldestReceivedAt === null ? 0 : Math.max(0, now - oldestReceivedAt)
  return {
    ...key,
    position,
    lagEntries,
    lagMs,
    prepared: sink !== null,
    failure: failure ?? progress.failure,
  }
}

/** Makes the gauges that show how far the feeds of a destination are behind their logs, and sums that up by hour. */
const lagMetrics = <Settings, R>({ name, title }: Destination<Settings, R>, sums: HourSums) => {
  const lagEntries = Metric.gauge(`inlet_${name}_lag_entries`, {
    description: `Entries of the activity log that ${title} has not passed yet`,
  })
  const lagSeconds = Metric.gauge(`inlet_${name}_lag_seconds`, {
    description: `Age of the oldest entry that ${title} has read and not delivered`,
  })

  const measure = Effect.fnUntraced(function* (key: FeedKey, entries: number, age: number) {
    const labels = labelsOf(name, key)
    yield* Metric.update(Metric.withAttributes(lagEntries, labels), entries)
    yield* Metric.update(Metric.withAttributes(lagSeconds, labels), age / 1000)
  })

  const measureAll = Effect.fnUntraced(function* (feeds: Iterable<Feed<Settings, R>>) {
    const catalog = yield* Catalog
    const now = yield* Clock.currentTimeMillis
    const newest = new Map<WorkspaceId, Sequence | null>()
    for (const feed of feeds) {
      const { key } = feed
      if (!newest.has(key.workspace)) {
        newest.set(key.workspace, yield* newestSequence(catalog, key.workspace))
      }
      if (feed.sink === null) continue
      const { lagMs, position } = statusOf(feed, now)
      feed.lagEntries = Math.max(0, (newest.get(key.workspace) ?? 0) - (position ?? 0))
      sums.add(feed, position ?? 0, lagMs, now)
      yield* measure(key, feed.lagEntries, lagMs)
    }
  })

  return { measure, measureAll }
}
