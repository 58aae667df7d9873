import { fromTheBeginning, type StreamPart } from "@inlethq/contract/values/StreamPart"
import type { ActivityDocument } from "../../api/documents.ts"
import { api } from "../../api/generated.ts"
import type { PageOf } from "../../api/PageOf.ts"
import { readActivityStream } from "../../api/activityStream.ts"
import { ApiFailure } from "../../api/request.ts"
import { boundsOf, type RollingPeriod } from "../../shared/time/period.ts"
import { Sampler } from "./Sampler.ts"

/**
 * The largest number of rows that the feed keeps. Beyond this number, the oldest rows leave the page, but not the log.
 */
const rowsMax = 1_000

/** The number of rows that are loaded at a time. */
const pageItems = 100

/** How many rows a search finds by itself. Older ones are searched when the list is scrolled to its end. */
const searchedRows = 100

/** How many rows the list begins with, if the newest operations are mostly those of Inlet itself. */
const firstRows = 30

/** The shortest time, in milliseconds, between two updates of the shown rows. */
const flushMs = 100

const retryMsMin = 500
const retryMsMax = 10_000

export interface LiveState {
  readonly status: "connecting" | "live" | "reconnecting" | "failed"
  /** Newest first. */
  readonly rows: ReadonlyArray<ActivityDocument>
  readonly isLoading: boolean
  /** While paused, new operations are counted and not shown. */
  readonly isPaused: boolean
  readonly newSincePause: number
  /**
   * The sampling factor: the page shows one in `oneIn` operations. The factor is 1 if the page shows all operations.
   */
  readonly oneIn: number
  readonly problem: ApiFailure | null
  /** The receipt time of the oldest operation that was examined with the filter, if older operations are left. */
  readonly searchedTo: string | null
  readonly isSearching: boolean
  /** True if a search ended before it had found enough or looked at everything, because the operator stopped it. */
  readonly isStopped: boolean
}

interface LiveFeedOptions {
  readonly w: string
  readonly filter: string | undefined
  readonly period: RollingPeriod | undefined
  /** Whether operations are left out that Inlet makes itself, such as those of rules. */
  readonly hidesSystem: boolean
}

/** The operations of a workspace as they happen, and older operations on demand. */
export class LiveFeed {
  private state: LiveState = {
    status: "connecting",
    rows: [],
    isLoading: true,
    isPaused: false,
    newSincePause: 0,
    oneIn: 1,
    problem: null,
    searchedTo: null,
    isSearching: false,
    isStopped: false,
  }
  private readonly listeners = new Set<() => void>()
  private readonly sampler = new Sampler()
  private arrived: Array<ActivityDocument> = []
  private arrivedWhilePaused = 0
  private position: string | undefined
  private olderAfter: string | null = null
  /** Counts searches, of which only the last one shows what it finds. */
  private searches = 0
  private flushing: ReturnType<typeof setTimeout> | undefined
  private stopping = new AbortController()
  private readonly w: string
  private readonly filter: string | undefined
  private readonly period: RollingPeriod | undefined

  private readonly hidesSystem: boolean

  constructor({ filter, hidesSystem, period, w }: LiveFeedOptions) {
    this.w = w
    this.filter = filter
    this.period = period
    this.hidesSystem = hidesSystem
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  readonly snapshot = (): LiveState => this.state

  /** Starts to read operations. Returns a function that stops the reading. */
  readonly start = (): (() => void) => {
    this.stopping = new AbortController()
    const { signal } = this.stopping
    void this.run(signal)
    return () => {
      this.stopping.abort()
      clearTimeout(this.flushing)
      this.flushing = undefined
    }
  }

  readonly pause = (): void => {
    if (!this.state.isPaused) this.set({ isPaused: true })
  }

  /**
   * Shows the newest operations. Operations that arrived during the pause are read again, so that no operation is
   * missing.
   */
  readonly resume = (): void => {
    if (!this.state.isPaused) return
    this.set({ isPaused: false, newSincePause: 0 })
    this.arrivedWhilePaused = 0
    void this.loadNewest(this.stopping.signal).catch(() => undefined)
  }

  /** Loads older operations below the last row. With a filter, it searches until it has found as many as a page has. */
  readonly loadOlder = (): void => {
    if (this.olderAfter === null || this.state.isSearching || this.state.rows.length >= rowsMax) return
    void this.searchOn(this.state.rows.length + (this.filter === undefined ? 1 : searchedRows))
  }

  /** Stops the search. `loadOlder` goes on with it. */
  readonly stopSearch = (): void => {
    if (this.state.isSearching) this.set({ isStopped: true })
  }

  /** Reads older pages until there are so many rows, nothing older is left, or the operator stops it. */
  private async searchOn(wanted: number): Promise<void> {
    const { signal } = this.stopping
    const search = ++this.searches
    this.set({ isSearching: true, isStopped: false })
    while (this.mayRead(wanted, signal)) {
      const page = await this.readPage(this.olderAfter ?? undefined, signal).catch(() => undefined)
      // The newest operations were read again meanwhile, and are searched from there.
      if (search !== this.searches) return
      if (page === undefined || signal.aborted) break
      this.olderAfter = page.next
      this.set({ rows: [...this.state.rows, ...page.items], searchedTo: searchedTo(page) })
    }
    if (!signal.aborted) this.set({ isSearching: false })
  }

  private mayRead(wanted: number, signal: AbortSignal): boolean {
    const { isStopped, rows } = this.state
    return (
      this.olderAfter !== null && !isStopped && !signal.aborted && rows.length < Math.min(wanted, rowsMax)
    )
  }

  private async run(signal: AbortSignal): Promise<void> {
    let retryMs = retryMsMin
    while (!signal.aborted) {
      try {
        if (this.position === undefined) await this.loadNewest(signal)
        await readActivityStream({
          w: this.w,
          filter: this.filter,
          after: this.position,
          signal,
          onOpen: () => {
            retryMs = retryMsMin
            this.set({ status: "live", problem: null })
          },
          onPart: (part) => this.receive(part),
        })
      } catch (cause) {
        if (signal.aborted) return
        if (isRefusal(cause)) {
          this.set({ status: "failed", problem: cause, isLoading: false })
          return
        }
      }
      if (signal.aborted) return
      this.set({ status: "reconnecting" })
      await new Promise((resume) => setTimeout(resume, retryMs))
      retryMs = Math.min(retryMsMax, retryMs * 2)
    }
  }

  private async loadNewest(signal: AbortSignal): Promise<void> {
    // The stream continues after the newest operation of the log, which the list need not contain. It is read before the
    // list, so that no operation can arrive between the list and the stream and be in neither.
    const log = await api.activity.list(this.w, { limit: 1 }, signal)
    const page = await this.readPage(undefined, signal)
    this.searches++
    this.olderAfter = page.next
    const [newest] = page.items
    const last = Math.max(newest?.sequence ?? 0, log.items[0]?.sequence ?? 0)
    this.position ??= last === 0 ? fromTheBeginning : String(last)
    // The stream may have delivered operations that are newer than this page of the log. These operations stay above
    // the page.
    const newer = this.state.rows.filter(({ sequence }) => newest !== undefined && sequence > newest.sequence)
    this.set({
      rows: [...newer, ...page.items],
      isLoading: false,
      isSearching: false,
      searchedTo: searchedTo(page),
    })
    void this.searchOn(this.filter === undefined ? firstRows : searchedRows)
  }

  private async readPage(after: string | undefined, signal: AbortSignal): Promise<PageOf<ActivityDocument>> {
    const query = { filter: this.filter, ...boundsOf(this.period), limit: pageItems }
    const page = await api.activity.list(this.w, { ...query, after }, signal)
    return { ...page, items: page.items.filter((entry) => this.isListed(entry)) }
  }

  private isListed({ source }: ActivityDocument): boolean {
    return !this.hidesSystem || source !== "system"
  }

  private receive({ data, id }: StreamPart): void {
    this.position = id
    if (data === null) return
    const entry: ActivityDocument = JSON.parse(data)
    if (!this.isListed(entry)) return
    const isShown = isProblem(entry) || this.sampler.take(performance.now())
    if (this.state.isPaused) this.arrivedWhilePaused++
    else if (isShown) this.arrived.push(entry)
    this.flushing ??= setTimeout(() => this.flush(), flushMs)
  }

  private flush(): void {
    this.flushing = undefined
    const { oneIn, rows } = this.state
    const known = new Set(rows.slice(0, pageItems).map(({ sequence }) => sequence))
    const added = this.arrived.filter(({ sequence }) => !known.has(sequence)).toReversed()
    this.arrived = []
    const kept = [...added, ...rows]
    if (kept.length > rowsMax && added.length > 0) {
      kept.length = rowsMax / 2
      const last = kept.at(-1)
      if (last !== undefined) this.olderAfter = cursorAfter(last.sequence)
    }
    this.set({
      newSincePause: this.arrivedWhilePaused,
      oneIn: this.sampler.oneIn,
      ...(added.length > 0 ? { rows: kept } : {}),
    })
    if (oneIn > 1 || this.sampler.oneIn > 1) this.settleSampling()
  }

  /** Ends sampling when operations stop arriving, so that the page no longer says that it shows a sample. */
  private settleSampling(): void {
    this.flushing ??= setTimeout(() => {
      this.sampler.idle(performance.now())
      this.flush()
    }, 1_000)
  }

  private set(change: Partial<LiveState>): void {
    this.state = { ...this.state, ...change }
    for (const listener of this.listeners) listener()
  }
}

/**
 * Makes a cursor for the entries before a log position. The console may make cursors itself, because it is released
 * together with the server that reads them.
 */
const cursorAfter = (sequence: number): string => `a${sequence}`

const searchedTo = ({ next, searched_to }: PageOf<ActivityDocument>): string | null =>
  next === null ? null : (searched_to?.at ?? null)

/** Returns true for an operation that a sample must not leave out. */
const isProblem = ({ outcome }: ActivityDocument): boolean => outcome === "rejected" || outcome === "partial"

/** Returns true if the server refused the request and would also refuse a repetition. */
const isRefusal = (cause: unknown): cause is ApiFailure =>
  cause instanceof ApiFailure && cause.status >= 400 && cause.status < 500 && cause.status !== 429
