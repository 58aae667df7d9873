import type { EpochMillis } from "../values/Timestamp.ts"
import type { SubjectKey } from "../values/Identifier.ts"
import type { AttemptStatus } from "./Attempt.ts"
import { EventPosition, positionBefore } from "./EventPosition.ts"
import type { HeldEvent } from "./HeldEvent.ts"
import { retriedForMs, retryWaitMs, type AttemptFailure } from "./retryWait.ts"
import type { DeliveryRetry, WebhookOrdering } from "./Webhook.ts"

/**
 * The largest number of attempts that one webhook has in progress at the same time. A webhook with strict ordering has
 * only one attempt in progress.
 */
export const attemptsAtOnceMax = 32

/**
 * The largest number of undelivered events that one webhook retries. At this number, the webhook sends no new events
 * until an undelivered event is delivered or given up.
 */
export const heldEventsMax = 250

/**
 * The largest number of events that may overtake an event whose first attempt is still in progress. An event has
 * overtaken if its own first attempt has ended, or if it is stored to be sent later. The positions of the events that
 * have overtaken are stored, so that a restart does not send these events again.
 */
const settledAheadMax = 1024

/** An event that was read from the log and has not been stored for a later attempt. */
export interface FreshEvent {
  readonly position: EventPosition
  readonly subject: SubjectKey | null
  readonly receivedAt: EpochMillis
}

/**
 * The progress of a webhook in the log. An event is settled if its first attempt has ended, or if it is stored to be
 * sent later. All events up to `position` are settled, and so are the later events in `ahead`.
 */
export interface DeliveryProgress {
  readonly position: EventPosition
  /**
   * The positions after `position` of events that are settled (first attempt ended, or stored to be sent later), in
   * ascending order.
   */
  readonly ahead: ReadonlyArray<EventPosition>
}

/** The next action of a webhook: send an event, store an event for later, read more of the log, or wait. */
export type NextStep =
  | { readonly _tag: "Send"; readonly position: EventPosition; readonly attempt: number }
  /** The event must wait for an earlier event of the same person or object. Store it, so that it is sent later. */
  | { readonly _tag: "Hold"; readonly held: HeldEvent }
  | { readonly _tag: "Read" }
  /** Wait until an attempt ends. If `until` is not null, wait no longer than until this time. */
  | { readonly _tag: "Wait"; readonly until: EpochMillis | null }

/** The result of an attempt to deliver an event. */
export type AttemptResult =
  | { readonly _tag: "Delivered" }
  /** The event was not sent, because it can no longer be read from the log, for example after an erasure. */
  | { readonly _tag: "Gone" }
  /** The receiver refused the event, and would refuse it again. It is given up, until an operator sends it again. */
  | { readonly _tag: "Refused" }
  /** The event came from the receiver, which therefore does not take it. */
  | { readonly _tag: "Looped" }
  | {
      readonly _tag: "Failed"
      readonly failure: AttemptFailure
      readonly retryAfterMs: number | null
    }

/** The changes to the stored data of a webhook when an attempt ends. */
export interface Settled {
  readonly status: AttemptStatus
  readonly number: number
  readonly nextAt: EpochMillis | null
  /** The record of an event that was not delivered, or null if the event was delivered or skipped. */
  readonly held: HeldEvent | null
  /** Whether the event already had a stored record before this attempt. */
  readonly wasHeld: boolean
}

/** The settings and the stored state that a queue starts from. */
export interface DeliveryQueueStart {
  readonly ordering: WebhookOrdering
  readonly retry: DeliveryRetry
  readonly progress: DeliveryProgress
  readonly held: ReadonlyArray<HeldEvent>
  /** The status of the newest recorded attempt, or null if the webhook has made no attempt yet. */
  readonly lastStatus: AttemptStatus | null
}

/**
 * Decides which event of one webhook is sent next. Times and random numbers are arguments, so the same calls always
 * have the same results.
 *
 * `admit` adds an event, `next` starts its attempt, `settle` decides what to record, and `release` ends the attempt
 * after the record was stored. An attempt stays in progress until `release`, and a crash can repeat only attempts in
 * progress.
 */
export class DeliveryQueue {
  private readonly ordering: WebhookOrdering
  private readonly retry: DeliveryRetry
  private readonly fresh: Array<FreshEvent> = []
  private readonly held = new Map<EventPosition, HeldEvent>()
  private readonly inProgress = new Map<EventPosition, FreshEvent>()
  /**
   * Positions of events that are not settled: the first attempt has not ended, and the event is not stored to be sent
   * later.
   */
  private readonly unsettled = new Set<EventPosition>()
  private readonly ahead: Set<EventPosition>
  private position: EventPosition
  private readTo: EventPosition
  private slots = 1
  private failed: boolean

  constructor({ held, lastStatus, ordering, progress, retry }: DeliveryQueueStart) {
    this.ordering = ordering
    this.retry = retry
    this.failed = lastStatus !== "delivered"
    this.position = progress.position
    this.readTo = progress.position
    this.ahead = new Set(progress.ahead)
    for (const event of held) if (event.state === "retrying") this.held.set(event.position, event)
  }

  /**
   * True if the last attempt of the webhook failed, or if the webhook has made no attempt yet. After a restart, also
   * true if the newest recorded attempt was skipped. Unproven webhooks have their own limit of connections, so they do
   * not slow down the other webhooks.
   */
  get isUnproven(): boolean {
    return this.failed
  }

  /** The number of events that wait for a retry, or for an earlier event of the same person or object. */
  get heldEvents(): number {
    return this.held.size
  }

  /** The number of attempts in progress. */
  get attemptsInProgress(): number {
    return this.inProgress.size
  }

  /**
   * The receipt time of the oldest event that was read from the log and is neither delivered nor given up, or null if
   * every event was delivered or given up.
   */
  get oldestReceivedAt(): EpochMillis | null {
    const waiting = [...this.fresh, ...this.inProgress.values(), ...this.held.values()]
    return waiting.reduce<EpochMillis | null>(
      (oldest, { receivedAt }) => Math.min(oldest ?? receivedAt, receivedAt),
      null,
    )
  }

  get progress(): DeliveryProgress {
    return { position: this.position, ahead: [...this.ahead].toSorted((a, b) => a - b) }
  }

  /** The position after which to continue to read the log. */
  get readFrom(): EventPosition {
    return this.readTo
  }

  /** Adds events from the log in ascending order. `readTo` is the position up to which the log was read. */
  admit(events: ReadonlyArray<FreshEvent>, readTo: EventPosition): void {
    for (const event of events) {
      if (event.position <= this.readTo || this.ahead.has(event.position)) continue
      this.fresh.push(event)
      this.unsettled.add(event.position)
    }
    this.readTo = EventPosition.make(Math.max(this.readTo, readTo))
    this.advance()
  }

  /** Adds an event that is stored already. No other event waits for it. */
  admitHeld(event: HeldEvent): void {
    this.held.set(event.position, event)
  }

  /** Returns the next step. If the step is `Send`, the attempt is in progress from now on. */
  next(now: EpochMillis): NextStep {
    const isFull = this.inProgress.size >= (this.ordering === "strict" ? 1 : Math.floor(this.slots))
    const isFarAhead = this.ahead.size >= settledAheadMax && this.inProgress.size > 0
    if (isFull || isFarAhead) return { _tag: "Wait", until: null }
    const due = this.dueEvent(now)
    if (due !== undefined) return this.begin(due, due.attempts + 1)
    if (this.mayStartFresh()) {
      const step = this.nextFresh(now)
      if (step !== undefined) return step
      if (this.fresh.length === 0) return { _tag: "Read" }
    }
    return { _tag: "Wait", until: this.earliestRetry() }
  }

  /**
   * Returns the time of the earliest retry. Events that wait for an earlier event do not count. Returns null if no
   * event waits for a retry.
   */
  earliestRetry(): EpochMillis | null {
    let earliest: EpochMillis | null = null
    for (const event of this.retryable()) {
      if (earliest === null || event.nextAt < earliest) earliest = event.nextAt
    }
    return earliest
  }

  /** Decides what to record after an attempt. The attempt stays in progress until `release`. */
  settle(position: EventPosition, result: AttemptResult, now: EpochMillis, jitter: number): Settled {
    const before = this.held.get(position)
    const fresh = this.inProgress.get(position)
    const number = (before?.attempts ?? 0) + 1
    this.noteResult(result)
    this.unsettled.delete(position)
    if (before === undefined && position > this.position) this.ahead.add(position)
    this.advance()
    const wasHeld = before !== undefined
    if (result._tag !== "Failed" && result._tag !== "Refused") {
      this.held.delete(position)
      const status = result._tag === "Delivered" ? "delivered" : "skipped"
      return { status, number, nextAt: null, held: null, wasHeld }
    }
    const expiresAt = before?.expiresAt ?? (fresh?.receivedAt ?? now) + retriedForMs
    const isRefused = result._tag === "Refused"
    const wait = isRefused ? 0 : retryWaitMs(this.retry, { ...result, attempts: number, jitter })
    const isLast = isRefused || now >= expiresAt
    const held: HeldEvent = {
      position,
      subject: fresh?.subject ?? null,
      state: isLast ? "failed" : "retrying",
      attempts: number,
      nextAt: Math.min(now + wait, expiresAt),
      expiresAt,
      isInOrder: before?.isInOrder ?? true,
      receivedAt: before?.receivedAt ?? fresh?.receivedAt ?? now,
      heldAt: isLast ? now : (before?.heldAt ?? now),
    }
    if (isLast) this.held.delete(position)
    else this.held.set(position, held)
    return {
      status: isLast ? "failed" : "retrying",
      number,
      nextAt: isLast ? null : held.nextAt,
      held,
      wasHeld,
    }
  }

  /**
   * Begins the attempts of further events that share the request of the one that `next` returned. For strict ordering only,
   * so that their order is the order of the request.
   */
  join(now: EpochMillis, eventsMax: number): ReadonlyArray<EventPosition> {
    const joined: Array<EventPosition> = []
    let isBlocked = this.ordering !== "strict"
    for (const event of [...this.held.values()].toSorted((a, b) => a.position - b.position)) {
      if (joined.length >= eventsMax || this.inProgress.has(event.position)) continue
      const isDue = event.nextAt <= now
      if (event.isInOrder && !isDue) isBlocked = true
      if (!isDue || (event.isInOrder && isBlocked)) continue
      this.begin(event, event.attempts + 1)
      joined.push(event.position)
    }
    const isHeldInOrder = [...this.held.values()].some(
      ({ isInOrder, position }) => isInOrder && !this.inProgress.has(position),
    )
    if (isBlocked || isHeldInOrder) return joined
    for (const event of this.fresh.splice(0, eventsMax - joined.length)) {
      this.begin(event, 1)
      joined.push(event.position)
    }
    return joined
  }

  /** Ends an attempt after its record was stored. */
  release(position: EventPosition): void {
    this.inProgress.delete(position)
  }

  /**
   * Returns the event that blocks a webhook with strict ordering: the oldest event that waits for a retry. Returns
   * undefined if no event blocks the webhook.
   */
  blockedHead(): HeldEvent | undefined {
    return this.ordering === "strict" ? this.retryable().find((event) => event.isInOrder) : undefined
  }

  private begin(event: FreshEvent | HeldEvent, attempt: number): NextStep {
    const { position, receivedAt, subject } = event
    this.inProgress.set(position, { position, subject, receivedAt })
    return { _tag: "Send", position, attempt }
  }

  private mayStartFresh(): boolean {
    if (this.ordering !== "strict") return this.held.size < heldEventsMax
    return [...this.held.values()].every((event) => !event.isInOrder)
  }

  private nextFresh(now: EpochMillis): NextStep | undefined {
    const busy = this.ordering === "per_person" ? this.busySubjects() : new Set<SubjectKey | null>()
    const at = this.fresh.findIndex(({ subject }) => subject === null || !busy.has(subject))
    const event = this.fresh[at]
    if (event === undefined) return undefined
    this.fresh.splice(at, 1)
    const waits = this.ordering === "per_person" && this.hasHeld(event.subject)
    return waits ? { _tag: "Hold", held: this.hold(event, now) } : this.begin(event, 1)
  }

  /** Stores an event that must wait for an earlier event of the same person or object. */
  private hold({ position, receivedAt, subject }: FreshEvent, now: EpochMillis): HeldEvent {
    const held: HeldEvent = {
      position,
      subject,
      state: "retrying",
      attempts: 0,
      nextAt: now,
      expiresAt: receivedAt + retriedForMs,
      isInOrder: true,
      receivedAt,
      heldAt: now,
    }
    this.held.set(position, held)
    this.unsettled.delete(position)
    if (position > this.position) this.ahead.add(position)
    this.advance()
    return held
  }

  private hasHeld(subject: SubjectKey | null): boolean {
    if (subject === null) return false
    for (const event of this.held.values()) if (event.isInOrder && event.subject === subject) return true
    return false
  }

  private busySubjects(): Set<SubjectKey | null> {
    return new Set([...this.inProgress.values()].map(({ subject }) => subject))
  }

  private dueEvent(now: EpochMillis): HeldEvent | undefined {
    return this.retryable().find(({ nextAt }) => nextAt <= now)
  }

  /** Returns the stored events that no other event blocks, in the order of their positions. */
  private retryable(): ReadonlyArray<HeldEvent> {
    if (this.held.size === 0) return []
    const busy = this.ordering === "per_person" ? this.busySubjects() : new Set<SubjectKey | null>()
    const isStrict = this.ordering === "strict"
    const found: Array<HeldEvent> = []
    let isHeadPassed = false
    for (const event of [...this.held.values()].toSorted((a, b) => a.position - b.position)) {
      const isBlocked =
        event.isInOrder &&
        ((isStrict && isHeadPassed) ||
          (this.ordering === "per_person" && event.subject !== null && busy.has(event.subject)))
      if (event.isInOrder) {
        isHeadPassed = true
        busy.add(event.subject)
      }
      if (!isBlocked && !this.inProgress.has(event.position)) found.push(event)
    }
    return found
  }

  /**
   * After a success, adds one to the number of attempts that may run at the same time. After a failure, halves this
   * number, so that failing receivers occupy few connections.
   */
  private noteResult(result: AttemptResult): void {
    if (result._tag === "Gone") return
    // A receiver that refuses an event is there, and takes others.
    this.failed = result._tag === "Failed"
    this.slots = this.failed ? Math.max(1, this.slots / 2) : Math.min(attemptsAtOnceMax, this.slots + 1)
  }

  /**
   * Moves `position` to just before the oldest event that is not settled. If all events are settled, moves `position`
   * to where the last read of the log ended.
   */
  private advance(): void {
    let oldest: EventPosition | undefined
    for (const position of this.unsettled) {
      if (oldest === undefined || position < oldest) oldest = position
    }
    const position = oldest === undefined ? this.readTo : positionBefore(oldest)
    if (position <= this.position) return
    this.position = position
    for (const one of this.ahead) if (one <= position) this.ahead.delete(one)
  }
}
