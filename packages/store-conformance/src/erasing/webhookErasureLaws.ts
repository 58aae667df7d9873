import { Catalog } from "@inlethq/core/catalog/Catalog"
import { ErasureLedger } from "@inlethq/core/ports/ErasureLedger"
import type { Store } from "@inlethq/core/ports/Store"
import { WebhookStore } from "@inlethq/core/ports/WebhookStore"
import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import { EventPosition, eventPosition, sequenceAt } from "@inlethq/core/webhook/EventPosition"
import { Sequence } from "@inlethq/core/values/Identifier"
import { dayMs } from "@inlethq/core/values/Timestamp"
import { historyDaysDefault } from "@inlethq/core/workspace/Workspace"
import { Effect } from "effect"
import {
  byAnonymousId,
  byId,
  event,
  identify,
  identifyObject,
  noon,
  objectOf,
  remove,
} from "../script/commands.ts"
import { expectSame, type Law } from "../script/Law.ts"
import { refuse } from "../log/rejectionLaws.ts"
import { apply, ledgerOf, sweepAll } from "../script/scenario.ts"
import { webhookOf } from "../tables/webhookLaws.ts"

const webhook = webhookOf("one", { kind: "activity" })
const start = { position: EventPosition.make(0), ahead: [] }

/**
 * Records one attempt to send each log entry. The stored excerpt of the response is `answer to` followed by the kind of
 * the entry.
 */
const recordAttempts = Effect.fnUntraced(function* (entries: ReadonlyArray<ActivityEntry>) {
  const store = yield* WebhookStore
  yield* store.create(webhook, start.position)
  yield* store.record(
    entries.map(({ kind, sequence }) => ({
      workspace: webhook.workspace,
      webhookId: webhook.webhookId,
      progress: start,
      held: null,
      attempt: {
        position: eventPosition(sequence, 0),
        eventId: `event-${sequence}`,
        operationId: `op-${sequence}`,
        number: 1,
        at: noon,
        status: "failed" as const,
        responseStatus: 500,
        durationMs: 12,
        responseExcerpt: `answer to ${kind}`,
        nextAt: null,
      },
    })),
  )
})

/**
 * Returns a text for each attempt: the log position of the sent entry, and the stored excerpt of the receiver's
 * response.
 */
const excerpts = Effect.gen(function* () {
  const store = yield* WebhookStore
  const page = yield* store.attempts(webhook, null, { limit: 100, after: null, order: "asc" })
  return page.items.map(({ position, responseExcerpt }) => `${sequenceAt(position)}: ${responseExcerpt}`)
})

/**
 * The properties that every store must have: when a person is deleted, the data about the person in the records of
 * webhooks are erased too.
 */
export const webhookErasureLaws: ReadonlyArray<Law<Store | Catalog | WebhookStore | ErasureLedger>> = [
  {
    name: "the entries whose answers are erased with a person are known as soon as the person is deleted",
    check: Effect.gen(function* () {
      const [ada, bob] = [byId("ada"), byId("bob")]
      const { entries } = yield* apply(
        identify(ada, [["plan", "pro"]]),
        event(ada, "bought"),
        identify(bob, [["plan", "free"]]),
        identifyObject(objectOf("1", "acme"), [["name", "Acme"]], [[ada], [bob]]),
        identifyObject(objectOf("1", "umbrella"), [], [[bob]]),
      )
      const sequences = [...entries.map(({ sequence }) => sequence), Sequence.make(99)]
      const erased = Effect.flatMap(Catalog, (catalog) => catalog.erasedAmong(webhook.workspace, sequences))
      yield* expectSame("erased before the deletion", [...(yield* erased)], [99])
      yield* apply(remove(ada))
      yield* expectSame("erased at the deletion", [...(yield* erased)], [1, 2, 4, 99])
    }),
  },
  {
    name: "the answers to entries of rejected calls that contain an identifier of a person are hidden once the person is deleted",
    check: Effect.gen(function* () {
      const { entries } = yield* apply(
        identify(byId("ada")),
        refuse({ id: "ada", plan: "pro" }, { name: null }),
        refuse({ id: "bob", plan: "pro" }, { name: null }),
      )
      yield* recordAttempts(entries)
      const shown = Effect.gen(function* () {
        const sequences = entries.map(({ sequence }) => sequence)
        const erased = yield* (yield* Catalog).erasedAmong(webhook.workspace, sequences)
        return (yield* excerpts).map((text, i) => {
          const sequence = sequences[i]
          return sequence !== undefined && erased.has(sequence) ? `${sequence}: null` : text
        })
      })
      yield* apply(remove(byId("ada")))
      const hidden = ["1: null", "2: null", "3: answer to identify"]
      yield* expectSame("at the deletion", yield* shown, hidden)
      yield* sweepAll(noon)
      yield* expectSame("once it is erased", yield* shown, hidden)
      yield* expectSame("what is stored", yield* excerpts, hidden)
    }),
  },
  {
    name: "the answers that receivers gave to the entries of a person are erased with the person",
    check: Effect.gen(function* () {
      const [ada, bob] = [byId("ada"), byId("bob")]
      const { entries } = yield* apply(
        identify(ada, [["plan", "pro"]]),
        event(ada, "bought"),
        identify(bob, [["plan", "free"]]),
        event(bob, "looked"),
        identifyObject(objectOf("1", "acme"), [["name", "Acme"]], [[ada], [bob]]),
        identifyObject(objectOf("1", "umbrella"), [], [[bob]]),
      )
      yield* recordAttempts(entries)
      yield* apply(remove(ada))
      yield* sweepAll(noon)
      yield* expectSame("excerpts", yield* excerpts, [
        "1: null",
        "2: null",
        "3: answer to identify",
        "4: answer to event",
        "5: null",
        "6: answer to object_identify",
      ])
      const [record] = yield* ledgerOf()
      const ledger = yield* ErasureLedger
      yield* expectSame(
        "what the receipt counts",
        record && (yield* ledger.erased(webhook.workspace, record)),
        {
          events: 1,
          entries: 1,
          mentions: 1,
          deliveries: 0,
          answers: 3,
          from: Sequence.make(1),
          to: Sequence.make(5),
        },
      )
    }),
  },
  {
    name: "the answers that receivers gave to an entry are erased once the entry is removed for its age",
    check: Effect.gen(function* () {
      const old = { receivedAt: noon - (historyDaysDefault + 1) * dayMs }
      const { entries } = yield* apply(
        event(byAnonymousId("cookie"), "seen", old),
        identify(byId("ada"), [["plan", "pro"]], old),
        event(byId("ada"), "bought", old),
      )
      yield* recordAttempts(entries)
      yield* sweepAll(noon)
      yield* expectSame("excerpts", yield* excerpts, ["1: null", "2: null", "3: answer to event"])
    }),
  },
]
