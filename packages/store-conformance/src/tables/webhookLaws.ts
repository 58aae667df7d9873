import {
  webhooksPerWorkspaceMax,
  WebhookStore,
  type WebhookKey,
  type WebhookRecord,
} from "@inlethq/core/ports/WebhookStore"
import { SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import {
  attemptRetentionMs,
  firstTriesKept,
  skippedAttempt,
  type Attempt,
  type RecordedAttempt,
} from "@inlethq/core/webhook/Attempt"
import { EventPosition } from "@inlethq/core/webhook/EventPosition"
import { sentAgain, type HeldEvent } from "@inlethq/core/webhook/HeldEvent"
import type { Webhook } from "@inlethq/core/webhook/Webhook"
import { Effect, Option } from "effect"
import { noon } from "../script/commands.ts"
import { expectRefused, expectSame, type Law } from "../script/Law.ts"

const at = (n: number) => EventPosition.make(n)

/** Returns a webhook of workspace 1. */
export const webhookOf = (webhookId: string, over: Partial<Webhook> = {}): Webhook => ({
  workspace: WorkspaceId.make(1),
  webhookId,
  name: `Webhook ${webhookId}`,
  url: "https://example.com/hook",
  kind: "reporting",
  events: ["*"],
  filter: null,
  ordering: "strict",
  retry: "hosted",
  firstOnly: false,
  bodyContent: false,
  enabled: true,
  sealedSecret: "sealed",
  replacedSecret: null,
  createdAt: noon,
  updatedAt: noon,
  ...over,
})

const one = webhookOf("one")
const two = webhookOf("two", { createdAt: noon + 1, filter: 'name:"\u0000\ud800"' })
const elsewhere = webhookOf("one", { workspace: WorkspaceId.make(2) })

const attemptOf = (over: Partial<Attempt> = {}): Attempt => ({
  position: at(4),
  eventId: "event",
  operationId: "op0000000001",
  number: 1,
  at: noon,
  status: "retrying",
  responseStatus: 503,
  durationMs: 12,
  responseExcerpt: "busy",
  nextAt: noon + 1000,
  ...over,
})

const heldOf = (position: number, over: Partial<HeldEvent> = {}): HeldEvent => ({
  position: at(position),
  subject: SubjectKey.make(1),
  state: "retrying",
  attempts: 1,
  nextAt: noon + 1000,
  expiresAt: noon + 9000,
  isInOrder: true,
  receivedAt: noon,
  heldAt: noon,
  ...over,
})

const recordOf = (key: WebhookKey, position: number, over: Partial<WebhookRecord> = {}): WebhookRecord => ({
  workspace: key.workspace,
  webhookId: key.webhookId,
  progress: { position: at(position), ahead: [] },
  held: null,
  attempt: null,
  ...over,
})

const hold = (event: HeldEvent) => ({ _tag: "Hold", event }) as const

const list = Effect.fnUntraced(function* (key: WebhookKey) {
  const store = yield* WebhookStore
  const page = yield* store.attempts(key, null, { limit: 1000, after: null, order: "asc" })
  return page.items
})

const withoutKey = (recorded: RecordedAttempt): Attempt => {
  const { key: _, ...attempt } = recorded
  return attempt
}

/** The properties that every store must have in the handling of webhooks, their progress and their attempts. */
export const webhookLaws: ReadonlyArray<Law<WebhookStore>> = [
  {
    name: `a workspace has at most ${webhooksPerWorkspaceMax} webhooks`,
    check: Effect.gen(function* () {
      const store = yield* WebhookStore
      const numbers = Array.from({ length: webhooksPerWorkspaceMax }, (_, n) => `n${n}`)
      yield* Effect.forEach(numbers, (id) => store.create(webhookOf(id), at(7)), { concurrency: 8 })
      yield* expectRefused("TooManyWebhooks", store.create(one, at(7)))
      yield* store.create(elsewhere, at(7))
      yield* store.remove(webhookOf("n0"))
      yield* store.create(one, at(7))
      yield* expectSame("webhooks", (yield* store.webhooks(one.workspace)).length, webhooksPerWorkspaceMax)
    }),
  },
  {
    name: "stores the settings of webhooks under their workspace and id",
    check: Effect.gen(function* () {
      const store = yield* WebhookStore
      for (const webhook of [two, one, elsewhere]) yield* store.create(webhook, at(7))
      yield* expectSame("of a workspace", yield* store.webhooks(one.workspace), [one, two])
      yield* expectSame("all", (yield* store.all).length, 3)
      const later = { ...one, updatedAt: noon + 1 }
      const changed = { ...later, name: "Changed", replacedSecret: { sealed: "old", until: noon } }
      yield* store.update(one, changed)
      yield* expectRefused("ChangedMeanwhile", store.update(one, { ...later, name: "Late" }))
      yield* expectSame("changed", yield* store.webhook(one), Option.some(changed))
      yield* expectSame("other workspace", yield* store.webhook(elsewhere), Option.some(elsewhere))
      yield* expectSame("remove", yield* store.remove(one), true)
      yield* expectSame("remove again", yield* store.remove(one), false)
      yield* expectRefused("ChangedMeanwhile", store.update(changed, later))
      yield* expectSame("removed", yield* store.webhook(one), Option.none())
      yield* expectSame("other", yield* store.webhook(elsewhere), Option.some(elsewhere))
    }),
  },
  {
    name: "stores the progress of a webhook, its undelivered events and its attempts in one transaction",
    check: Effect.gen(function* () {
      const store = yield* WebhookStore
      yield* store.create(one, at(3))
      yield* store.create(two, at(3))
      yield* expectSame("start", yield* store.progress(one), { position: at(3), ahead: [] })
      const progress = { position: at(7), ahead: [at(12), at(16)] }
      yield* store.record([
        recordOf(one, 4, { held: hold(heldOf(4)), attempt: attemptOf() }),
        recordOf(two, 5, { attempt: attemptOf({ status: "delivered", nextAt: null }) }),
        recordOf(one, 7, { progress, held: hold(heldOf(8, { isInOrder: false, subject: null })) }),
        recordOf(one, 7, { progress, held: hold(heldOf(6)) }),
        recordOf(webhookOf("unknown"), 9, { held: hold(heldOf(4)), attempt: attemptOf() }),
      ])
      yield* expectSame("progress", yield* store.progress(one), progress)
      const held = [heldOf(4), heldOf(6), heldOf(8, { isInOrder: false, subject: null })]
      yield* expectSame("held, in order first", yield* store.held(one, 10), held)
      yield* expectSame("at most", yield* store.held(one, 2), held.slice(0, 2))
      yield* expectSame("attempts", (yield* list(one)).map(withoutKey), [attemptOf()])
      yield* store.record([recordOf(one, 7, { held: { _tag: "Drop", position: at(4) } })])
      yield* expectSame("dropped", yield* store.held(one, 10), held.slice(1))
      yield* expectSame("unknown", yield* list(webhookOf("unknown")), [])
    }),
  },
  {
    name: "lists the attempts of a webhook in pages, by status and in both orders",
    check: Effect.gen(function* () {
      const store = yield* WebhookStore
      yield* store.create(one, at(0))
      const statuses = ["delivered", "retrying", "failed", "delivered", "skipped"] as const
      yield* store.record(
        statuses.map((status, n) =>
          recordOf(one, 4 * n, { attempt: attemptOf({ status, position: at(4 * n) }) }),
        ),
      )
      const all = yield* list(one)
      const page = { limit: 2, after: null, order: "desc" } as const
      const first = yield* store.attempts(one, null, page)
      yield* expectSame("first page", first.items, all.toReversed().slice(0, 2))
      const second = yield* store.attempts(one, null, { ...page, after: first.next })
      yield* expectSame("second page", second.items, all.toReversed().slice(2, 4))
      const last = yield* store.attempts(one, null, { ...page, after: second.next })
      yield* expectSame("last page", last, { items: all.slice(0, 1), next: null })
      const delivered = yield* store.attempts(one, "delivered", { ...page, order: "asc" })
      yield* expectSame(
        "by status",
        delivered.items.map(({ position }) => position),
        [at(0), at(12)],
      )
      const [wanted] = all
      if (wanted === undefined) return
      yield* expectSame("one", yield* store.attempt(one, wanted.key), Option.some(wanted))
      yield* expectSame("of another", yield* store.attempt(two, wanted.key), Option.none())
    }),
  },
  {
    name: "keeps the newest successful first attempts, and all other attempts for 30 days",
    check: Effect.gen(function* () {
      const store = yield* WebhookStore
      yield* store.create(one, at(0))
      const delivered = attemptOf({ status: "delivered", nextAt: null })
      const older = attemptOf({ at: noon - 1 })
      yield* store.record([recordOf(one, 0, { attempt: older }), recordOf(one, 0, { attempt: attemptOf() })])
      for (const size of [600, 600]) {
        yield* store.record(Array.from({ length: size }, () => recordOf(one, 0, { attempt: delivered })))
      }
      const kept = yield* store.attempts(one, "delivered", { limit: 2000, after: null, order: "asc" })
      yield* expectSame("first tries", kept.items.length, firstTriesKept)
      yield* expectSame("retries", (yield* list(one)).slice(0, 2).map(withoutKey), [older, attemptOf()])
      yield* prune(noon + attemptRetentionMs)
      yield* expectSame("not expired", (yield* list(one)).slice(0, 1).map(withoutKey), [attemptOf()])
      yield* expectSame("first tries stay", (yield* list(one)).length, firstTriesKept)
    }),
  },
  {
    name: "an event that an operator skips is not retried until the operator sends it again",
    check: Effect.gen(function* () {
      const store = yield* WebhookStore
      yield* store.create(one, at(0))
      yield* store.record([recordOf(one, 0, { held: hold(heldOf(4)), attempt: attemptOf() })])
      yield* expectSame("skip", yield* store.skip(one, attemptOf(), noon + 5), true)
      yield* expectSame("skip again", yield* store.skip(one, attemptOf(), noon + 6), false)
      yield* expectSame("not retried", yield* store.held(one, 10), [])
      const skipped = skippedAttempt(attemptOf(), 2, noon + 5)
      yield* expectSame("attempts", (yield* list(one)).map(withoutKey), [attemptOf(), skipped])
      yield* store.record([recordOf(one, 0, { held: hold(heldOf(4, { attempts: 2 })) })])
      yield* expectSame("an attempt that ended later", yield* store.held(one, 10), [])
      yield* store.sendAgain(one, { attempt: attemptOf(), receivedAt: noon, now: noon + 7 })
      const event = { position: at(4), receivedAt: noon, attempts: 2, subject: SubjectKey.make(1) }
      yield* expectSame("sent again", yield* store.held(one, 10), [sentAgain(event, noon + 7)])
    }),
  },
  {
    name: "sending an event again makes a retried event due, and retries a delivered event without regard to the order of events",
    check: Effect.gen(function* () {
      const store = yield* WebhookStore
      yield* store.create(one, at(0))
      const delivered = attemptOf({ position: at(8), status: "delivered", number: 3 })
      yield* store.record([
        recordOf(one, 0, { held: hold(heldOf(4)), attempt: attemptOf() }),
        recordOf(one, 0, { attempt: delivered }),
      ])
      yield* store.sendAgain(one, { attempt: attemptOf(), receivedAt: noon, now: noon + 7 })
      yield* store.sendAgain(one, { attempt: { ...delivered, number: 1 }, receivedAt: noon, now: noon + 7 })
      const again = sentAgain({ position: at(8), receivedAt: noon, attempts: 3, subject: null }, noon + 7)
      yield* expectSame("held", yield* store.held(one, 10), [heldOf(4, { nextAt: noon + 7 }), again])
    }),
  },
  {
    name: "recovering a webhook sends again the undelivered events that were received at a given time or later",
    check: Effect.gen(function* () {
      const store = yield* WebhookStore
      yield* store.create(one, at(0))
      const events = [
        heldOf(4, { state: "failed", receivedAt: noon - 1 }),
        heldOf(8, { state: "failed" }),
        heldOf(12, { state: "skipped", receivedAt: noon + 1 }),
        heldOf(16),
      ]
      yield* store.record(events.map((event) => recordOf(one, 0, { held: hold(event) })))
      yield* expectSame("recovered", yield* store.recover(one, noon, noon + 50), 3)
      const held = yield* store.held(one, 10)
      yield* expectSame(
        "held",
        held.map(({ position }) => position),
        [at(16), at(8), at(12)],
      )
      yield* expectSame("retried", held[0], heldOf(16, { nextAt: noon + 50 }))
      yield* expectSame("due", held[1], { ...sentAgain(heldOf(8), noon + 50) })
    }),
  },
  {
    name: "pruning removes events that were given up 30 days ago, and all data of removed webhooks",
    check: Effect.gen(function* () {
      const store = yield* WebhookStore
      yield* store.create(one, at(0))
      yield* store.create(two, at(0))
      yield* store.record([
        recordOf(one, 0, { held: hold(heldOf(4, { state: "failed", heldAt: noon - 1 })) }),
        recordOf(one, 0, { held: hold(heldOf(8, { state: "failed" })) }),
        recordOf(two, 0, { held: hold(heldOf(4)), attempt: attemptOf({ status: "delivered" }) }),
      ])
      yield* store.remove(two)
      yield* prune(noon + attemptRetentionMs)
      yield* expectSame("held", yield* store.recover(one, 0, noon), 1)
      yield* expectSame("attempts of a removed webhook", yield* list(two), [])
      yield* expectSame("events of a removed webhook", yield* store.held(two, 10), [])
      yield* store.record([recordOf(two, 0, { attempt: attemptOf() })])
      yield* expectSame("late records of a removed webhook", yield* list(two), [])
    }),
  },
]

const prune = Effect.fnUntraced(function* (now: number) {
  const store = yield* WebhookStore
  yield* Effect.repeat(store.prune(now), { until: (isDone) => isDone })
})
