import { deliveryKey, type Forward } from "@inlethq/core/forward/Forward"
import { openedNames } from "@inlethq/core/forward/sealedNames"
import { Digest, digestsOf } from "@inlethq/core/ports/Digest"
import { forwardsPerWorkspaceMax, ForwardStore } from "@inlethq/core/ports/ForwardStore"
import type { Store } from "@inlethq/core/ports/Store"
import { WebhookStore } from "@inlethq/core/ports/WebhookStore"
import { Sequence, WorkspaceId } from "@inlethq/core/values/Identifier"
import { EventPosition } from "@inlethq/core/webhook/EventPosition"
import { retriedForMs } from "@inlethq/core/webhook/retryWait"
import { Effect, Option } from "effect"
import {
  byAnonymousId,
  byEmail,
  byId,
  event,
  identify,
  noon,
  remove,
  suppress,
  unsuppress,
} from "../script/commands.ts"
import { plainDigest } from "../script/digest.ts"
import { expectRefused, expectSame, type Law } from "../script/Law.ts"
import { apply } from "../script/scenario.ts"
import { webhookOf } from "./webhookLaws.ts"

const at = (n: number) => EventPosition.make(n)

/** Returns a forward of workspace 1. */
export const forwardOf = (forwardId: string, over: Partial<Forward> = {}): Forward => ({
  workspace: WorkspaceId.make(1),
  forwardId,
  name: `Forward ${forwardId}`,
  to: "segment",
  url: "https://example.com",
  filter: null,
  as: "decided",
  retry: "quick",
  enabled: true,
  sealedKey: "sealed",
  createdAt: noon,
  updatedAt: noon,
  ...over,
})

const one = forwardOf("one")
const two = forwardOf("two", { createdAt: noon + 1, filter: 'name:"\u0000\ud800"' })
const elsewhere = forwardOf("one", { workspace: WorkspaceId.make(2) })

/** Returns the names that a forward has still to tell of the first entries of its log. */
const namesOf = Effect.fnUntraced(function* (forward: Forward) {
  const store = yield* ForwardStore
  const positions = Array.from({ length: 9 }, (_, i) => Sequence.make(i + 1))
  const digests = digestsOf(yield* Effect.provide(Digest, plainDigest), forward.workspace)
  return (yield* store.names(forward, positions)).map((names) => ({
    sequence: names.sequence,
    names: openedNames(digests, names),
  }))
})

/** The properties that every store must have in the handling of forwards. */
export const forwardLaws: ReadonlyArray<Law<ForwardStore | WebhookStore | Store>> = [
  {
    name: `a workspace has at most ${forwardsPerWorkspaceMax} forwards, whose names are unique`,
    check: Effect.gen(function* () {
      const store = yield* ForwardStore
      for (let n = 0; n < forwardsPerWorkspaceMax; n++) yield* store.create(forwardOf(`n${n}`), at(7))
      yield* expectRefused("TooManyForwards", store.create(one, at(7)))
      yield* store.create(elsewhere, at(7))
      yield* store.remove(forwardOf("n0"))
      yield* expectRefused("ForwardNameTaken", store.create({ ...one, name: "Forward n1" }, at(7)))
      yield* store.create(one, at(7))
      const taken = { ...one, name: "Forward n1", updatedAt: noon + 1 }
      yield* expectRefused("ForwardNameTaken", store.update(one, taken))
      yield* store.update(one, { ...one, updatedAt: noon + 1 })
    }),
  },
  {
    name: "stores the settings of forwards beside webhooks, under their workspace and id",
    check: Effect.gen(function* () {
      const store = yield* ForwardStore
      const webhooks = yield* WebhookStore
      yield* webhooks.create(webhookOf("hook"), at(7))
      for (const forward of [two, one, elsewhere]) yield* store.create(forward, at(8))
      yield* expectSame("of a workspace", yield* store.forwards(one.workspace), [one, two])
      yield* expectSame("all", (yield* store.all).length, 3)
      yield* expectSame("webhooks", (yield* webhooks.webhooks(one.workspace)).length, 1)
      const changed = { ...one, updatedAt: noon + 1, name: "Changed" }
      yield* store.update(one, changed)
      yield* expectRefused("ChangedMeanwhile", store.update(one, changed))
      yield* expectSame("changed", yield* store.forward(one), Option.some(changed))
      yield* expectSame("progress", yield* webhooks.progress(deliveryKey(one)), {
        position: at(8),
        ahead: [],
      })
      yield* expectSame("remove", yield* store.remove(one), true)
      yield* expectSame("remove again", yield* store.remove(one), false)
      yield* expectSame("removed", yield* store.forward(one), Option.none())
      yield* expectSame("elsewhere", yield* store.forward(elsewhere), Option.some(elsewhere))
    }),
  },
  {
    name: "an erasure leaves the identifiers, sealed, for each forward that has still to tell them",
    check: Effect.gen(function* () {
      const store = yield* ForwardStore
      yield* store.create(one, at(0))
      yield* store.create(two, at(0))
      yield* apply(
        identify(byId("ada"), [], { email: "ada@example.com" }),
        event(byAnonymousId("cookie"), "seen"),
        remove(byId("ada")),
        remove(byAnonymousId("cookie")),
        suppress(byEmail("eve@example.com")),
        unsuppress(byEmail("eve@example.com")),
        remove(byId("nobody")),
      )
      const ada = [
        { kind: "id" as const, value: "ada" },
        { kind: "email" as const, value: "ada@example.com" },
      ]
      const eve = [{ kind: "email" as const, value: "eve@example.com" }]
      const untold = [
        { sequence: Sequence.make(3), names: ada },
        { sequence: Sequence.make(5), names: eve },
        { sequence: Sequence.make(6), names: eve },
      ]
      yield* expectSame("of the first", yield* namesOf(one), untold)
      yield* expectSame("of the second", yield* namesOf(two), untold)
      yield* expectSame("untold", yield* store.untold(one.workspace, Sequence.make(3)), ["one", "two"])
      yield* store.forget(one, [Sequence.make(3), Sequence.make(4)])
      yield* expectSame("told", yield* namesOf(one), untold.slice(1))
      yield* expectSame("not told by the other", yield* store.untold(one.workspace, Sequence.make(3)), [
        "two",
      ])
      yield* store.remove(two)
      yield* expectSame("removed", yield* store.untold(one.workspace, Sequence.make(5)), ["one"])
    }),
  },
  {
    name: "names that no forward has told in time are removed",
    check: Effect.gen(function* () {
      const store = yield* ForwardStore
      const webhooks = yield* WebhookStore
      yield* store.create(one, at(0))
      yield* apply(identify(byId("ada"), []), remove(byId("ada")))
      const [names] = yield* store.names(one, [Sequence.make(2)])
      const since = names?.at ?? 0
      yield* Effect.repeat(webhooks.prune(since + retriedForMs), { until: (isDone) => isDone })
      yield* expectSame("in time", yield* store.untold(one.workspace, Sequence.make(2)), ["one"])
      yield* Effect.repeat(webhooks.prune(since + retriedForMs + 1), { until: (isDone) => isDone })
      yield* expectSame("too late", yield* store.untold(one.workspace, Sequence.make(2)), [])
    }),
  },
]
