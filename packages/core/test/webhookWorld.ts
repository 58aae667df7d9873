import { SubjectKey } from "@inlethq/core/values/Identifier"
import {
  DeliveryQueue,
  type AttemptResult,
  type DeliveryProgress,
  type FreshEvent,
} from "@inlethq/core/webhook/DeliveryQueue"
import { EventPosition } from "@inlethq/core/webhook/EventPosition"
import type { HeldEvent } from "@inlethq/core/webhook/HeldEvent"
import type { WebhookOrdering } from "@inlethq/core/webhook/Webhook"
import { fractions } from "../../../tools/testing/randomNumbers.ts"

/** A simulation: a log of events, a receiver that fails at random, and a server that crashes at random. */
export interface WebhookStory {
  readonly seed: number
  readonly ordering: WebhookOrdering
  readonly events: number
  readonly subjects: number
  /** The fraction of attempts that fail. */
  readonly failures: number
  /** The fraction of steps before which the server crashes. */
  readonly crashes: number
}

/** The result of a simulation. */
export interface WebhookReport {
  readonly events: ReadonlyArray<FreshEvent>
  /** The events that the receiver accepted, in order, with duplicates. */
  readonly accepted: ReadonlyArray<EventPosition>
  /** The events with an attempt in progress at a crash. The crash lost the results of these attempts. */
  readonly repeated: ReadonlySet<EventPosition>
  readonly failed: ReadonlySet<EventPosition>
  readonly attemptsAtOnce: number
  readonly heldAtOnce: number
}

const readMax = 20

export const playStory = (story: WebhookStory): WebhookReport => {
  const random = fractions(story.seed)
  const events = Array.from({ length: story.events }, (_, n): FreshEvent => {
    const subject = Math.floor(random() * (story.subjects + 1))
    return {
      position: EventPosition.make((n + 1) * 4),
      subject: subject === 0 ? null : SubjectKey.make(subject),
      receivedAt: n,
    }
  })
  let progress: DeliveryProgress = { position: EventPosition.make(0), ahead: [] }
  let held = new Map<EventPosition, HeldEvent>()
  let now = story.events
  let crashesLeft = 20
  const accepted: Array<EventPosition> = []
  const repeated = new Set<EventPosition>()
  const failed = new Set<EventPosition>()
  let attemptsAtOnce = 0
  let heldAtOnce = 0
  const start = () =>
    new DeliveryQueue({
      ordering: story.ordering,
      retry: "standard",
      progress,
      held: [...held.values()],
      lastStatus: null,
    })
  let queue = start()
  let attempts: Array<EventPosition> = []

  const end = (position: EventPosition): void => {
    const isFailure = random() < story.failures
    const result: AttemptResult = isFailure
      ? { _tag: "Failed", failure: { kind: "status", status: 503 }, retryAfterMs: null }
      : { _tag: "Delivered" }
    if (!isFailure) accepted.push(position)
    const settled = queue.settle(position, result, now, random())
    if (settled.status === "failed") failed.add(position)
    if (settled.held?.state === "retrying") held.set(position, settled.held)
    else held.delete(position)
    progress = queue.progress
    queue.release(position)
    attempts = attempts.filter((one) => one !== position)
  }

  for (;;) {
    if (crashesLeft > 0 && random() < story.crashes) {
      crashesLeft--
      // For some attempts in progress, the receiver has accepted the event, but the result is lost in the crash.
      for (const position of attempts) {
        repeated.add(position)
        if (random() < 0.5) accepted.push(position)
      }
      attempts = []
      held = new Map(held)
      queue = start()
    }
    const step = queue.next(now)
    switch (step._tag) {
      case "Send":
        attempts.push(step.position)
        attemptsAtOnce = Math.max(attemptsAtOnce, attempts.length)
        break
      case "Hold":
        held.set(step.held.position, step.held)
        progress = queue.progress
        break
      case "Read": {
        const from = queue.readFrom
        const found = events.filter(({ position }) => position > from).slice(0, readMax)
        const last = found.at(-1)
        if (last !== undefined) {
          queue.admit(found, EventPosition.make(last.position + 3))
          break
        }
        if (attempts.length === 0 && held.size === 0) {
          return { events, accepted, repeated, failed, attemptsAtOnce, heldAtOnce }
        }
        now = wait(queue.earliestRetry())
        break
      }
      case "Wait":
        now = wait(step.until)
        break
    }
    heldAtOnce = Math.max(heldAtOnce, held.size)
  }

  /**
   * Ends a random attempt in progress, which takes one millisecond. If no attempt is in progress, waits until the time
   * `until`, when a retry is due. Returns the new time.
   */
  function wait(until: number | null): number {
    const position = attempts[Math.floor(random() * attempts.length)]
    if (position !== undefined) end(position)
    else if (until === null) throw new Error("the queue waits for nothing")
    return position === undefined ? Math.max(now + 1, until ?? 0) : now + 1
  }
}
