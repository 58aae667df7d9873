import { assert, describe, it } from "@effect/vitest"
import { SubjectKey } from "@inlethq/core/values/Identifier"
import {
  attemptsAtOnceMax,
  DeliveryQueue,
  heldEventsMax,
  type AttemptResult,
  type DeliveryQueueStart,
} from "@inlethq/core/webhook/DeliveryQueue"
import { EventPosition } from "@inlethq/core/webhook/EventPosition"
import { sentAgain } from "@inlethq/core/webhook/HeldEvent"
import { retriedForMs } from "@inlethq/core/webhook/retryWait"
import { WebhookOrdering } from "@inlethq/core/webhook/Webhook"
import { Arbitrary, Schema } from "effect"
import { property } from "./property.ts"
import { playStory, type WebhookReport } from "./webhookWorld.ts"

const share = Schema.Literals([0, 0.05, 0.3, 0.6])
const count = (maximum: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum }))

const stories = Arbitrary.schema(
  Schema.Struct({
    seed: Schema.Int,
    ordering: WebhookOrdering,
    events: count(120),
    subjects: count(8),
    failures: share,
    crashes: Schema.Literals([0, 0.02]),
  }),
)

/** Returns the positions in the order in which the receiver first accepted them. */
const firstAccepted = ({ accepted }: WebhookReport): ReadonlyArray<EventPosition> => [...new Set(accepted)]

const isAscending = (positions: ReadonlyArray<number>): boolean =>
  positions.every((position, index) => index === 0 || (positions[index - 1] ?? 0) < position)

describe("a queue of deliveries with a receiver that fails and a server that crashes at random", () => {
  property(
    "delivers every event, or gives up after its last attempt",
    { of: stories, where: () => true },
    (story) => {
      const report = playStory(story)
      const settled = new Set([...report.accepted, ...report.failed])
      assert.strictEqual(settled.size, story.events)
    },
    200,
  )

  property(
    "sends an event twice only if its attempt was in progress at a crash",
    { of: stories, where: () => true },
    (story) => {
      const { accepted, repeated } = playStory(story)
      const twice = accepted.filter((position, index) => accepted.indexOf(position) !== index)
      assert.deepStrictEqual(
        twice.filter((position) => !repeated.has(position)),
        [],
      )
    },
    200,
  )

  property(
    "keeps the order of all events with strict ordering",
    { of: stories, where: ({ ordering }) => ordering === "strict" },
    (story) => {
      const report = playStory(story)
      assert.isTrue(isAscending(firstAccepted(report)))
      assert.isAtMost(report.attemptsAtOnce, 1)
    },
    100,
  )

  property(
    "keeps the order of the events of each person with per_person ordering",
    { of: stories, where: ({ ordering }) => ordering === "per_person" },
    (story) => {
      const report = playStory(story)
      const subjects = new Map(report.events.map(({ position, subject }) => [position, subject]))
      for (const subject of new Set(subjects.values())) {
        if (subject === null) continue
        const own = firstAccepted(report).filter((position) => subjects.get(position) === subject)
        assert.isTrue(isAscending(own), `subject ${subject}: ${own.join(" ")}`)
      }
    },
    100,
  )

  property(
    "limits the number of attempts in progress and the number of undelivered events that it retries",
    { of: stories, where: () => true },
    (story) => {
      const { attemptsAtOnce, heldAtOnce } = playStory(story)
      assert.isAtMost(attemptsAtOnce, attemptsAtOnceMax)
      assert.isAtMost(heldAtOnce, heldEventsMax + attemptsAtOnceMax)
    },
    100,
  )
})

const at = (n: number) => EventPosition.make(n)
const someone = SubjectKey.make(1)
const fresh = (n: number, subject: SubjectKey | null = null, receivedAt = 0) => ({
  position: at(n),
  subject,
  receivedAt,
})
const refused: AttemptResult = {
  _tag: "Failed",
  failure: { kind: "status", status: 503 },
  retryAfterMs: null,
}

const queueWith = (over: Partial<DeliveryQueueStart>): DeliveryQueue =>
  new DeliveryQueue({
    ordering: "strict",
    retry: "hosted",
    progress: { position: at(0), ahead: [] },
    held: [],
    lastStatus: null,
    ...over,
  })

describe("a queue of deliveries", () => {
  it("contract §17 retries: an event that keeps failing gets its last attempt 7 days after receipt, and then the next event is sent", () => {
    const queue = queueWith({})
    queue.admit([fresh(4), fresh(8, null, 1000)], at(11))
    assert.deepStrictEqual(queue.next(0), { _tag: "Send", position: at(4), attempt: 1 })
    const early = queue.settle(at(4), refused, retriedForMs - 1, 0.5)
    assert.deepStrictEqual([early.status, early.nextAt], ["retrying", retriedForMs])
    queue.release(at(4))
    assert.deepStrictEqual(queue.next(retriedForMs - 1), { _tag: "Wait", until: retriedForMs })
    assert.deepStrictEqual(queue.blockedHead()?.position, at(4))
    assert.deepStrictEqual(queue.next(retriedForMs), { _tag: "Send", position: at(4), attempt: 2 })
    const last = queue.settle(at(4), refused, retriedForMs, 0.5)
    assert.deepStrictEqual([last.status, last.nextAt, last.held?.state], ["failed", null, "failed"])
    queue.release(at(4))
    assert.deepStrictEqual(queue.next(retriedForMs), { _tag: "Send", position: at(8), attempt: 1 })
  })

  it("a webhook stores the position before the first event that still waits for its attempt, and the positions of later events that were already attempted", () => {
    const queue = queueWith({ ordering: "none" })
    queue.admit([fresh(4), fresh(8), fresh(12)], at(15))
    queue.next(0)
    queue.settle(at(4), { _tag: "Delivered" }, 0, 0)
    queue.release(at(4))
    assert.deepStrictEqual(queue.progress, { position: at(7), ahead: [] })
    queue.next(0)
    queue.next(0)
    queue.settle(at(12), { _tag: "Delivered" }, 0, 0)
    assert.deepStrictEqual(queue.progress, { position: at(7), ahead: [at(12)] })
    queue.settle(at(8), refused, 0, 0)
    assert.deepStrictEqual(queue.progress, { position: at(15), ahead: [] })
  })

  it("a webhook allows one attempt at a time until an attempt succeeds, and each failure halves the number of attempts that may run at the same time", () => {
    const queue = queueWith({ ordering: "none" })
    queue.admit(
      Array.from({ length: 20 }, (_, n) => fresh(4 * (n + 1))),
      at(100),
    )
    assert.isTrue(queue.isUnproven)
    assert.strictEqual(queue.next(0)._tag, "Send")
    assert.strictEqual(queue.next(0)._tag, "Wait")
    queue.settle(at(4), { _tag: "Delivered" }, 0, 0)
    queue.release(at(4))
    assert.isFalse(queue.isUnproven)
    assert.deepStrictEqual(
      [1, 2, 3].map(() => queue.next(0)._tag),
      ["Send", "Send", "Wait"],
    )
    queue.settle(at(8), refused, 0, 0)
    queue.release(at(8))
    assert.isTrue(queue.isUnproven)
    assert.strictEqual(queue.next(0)._tag, "Wait")
  })

  it("after a restart, `isUnproven` of a webhook's queue is false only if the last attempt of the webhook delivered an event", () => {
    assert.isFalse(queueWith({ lastStatus: "delivered" }).isUnproven)
    for (const lastStatus of [null, "retrying", "failed", "skipped"] as const) {
      assert.isTrue(queueWith({ lastStatus }).isUnproven)
    }
  })

  it("with the ordering per_person, an event waits if an earlier event of the same person waits, and events of other people are sent", () => {
    const queue = queueWith({ ordering: "per_person" })
    queue.admit([fresh(4, someone), fresh(8, someone), fresh(12, SubjectKey.make(2))], at(15))
    queue.next(0)
    queue.settle(at(4), refused, 0, 0.5)
    queue.release(at(4))
    const held = queue.next(0)
    assert.deepStrictEqual(held._tag === "Hold" && [held.held.position, held.held.attempts], [at(8), 0])
    assert.deepStrictEqual(queue.next(0), { _tag: "Send", position: at(12), attempt: 1 })
  })

  it("after the ordering was changed to strict, only the oldest undelivered event is sent", () => {
    const event = { position: at(4), receivedAt: 0, attempts: 1, subject: null }
    const head = { ...sentAgain(event, 0), isInOrder: true, nextAt: 500 }
    const next = { ...sentAgain({ ...event, position: at(8) }, 0), isInOrder: true, nextAt: 0 }
    const queue = queueWith({ progress: { position: at(11), ahead: [] }, held: [next, head] })
    assert.deepStrictEqual(queue.next(0), { _tag: "Wait", until: 500 })
    assert.deepStrictEqual(queue.next(500), { _tag: "Send", position: at(4), attempt: 2 })
  })

  it("an event that an operator sends again is sent even while another event blocks the strict webhook", () => {
    const attempt = { position: at(4), receivedAt: 0, attempts: 2, subject: null }
    const blocked = { ...sentAgain({ ...attempt, position: at(20) }, 0), isInOrder: true, nextAt: 500 }
    const queue = queueWith({
      progress: { position: at(23), ahead: [] },
      held: [sentAgain(attempt, 0), blocked],
    })
    assert.deepStrictEqual(queue.next(0), { _tag: "Send", position: at(4), attempt: 3 })
    assert.deepStrictEqual(queue.blockedHead()?.position, at(20))
  })

  it("a webhook skips an undelivered event if its log entry no longer contains this event", () => {
    const queue = queueWith({
      held: [sentAgain({ position: at(4), receivedAt: 0, attempts: 1, subject: null }, 0)],
    })
    queue.next(0)
    const { held, status, wasHeld } = queue.settle(at(4), { _tag: "Gone" }, 0, 0)
    assert.deepStrictEqual([status, held, wasHeld], ["skipped", null, true])
    assert.isTrue(queue.isUnproven)
  })
})
