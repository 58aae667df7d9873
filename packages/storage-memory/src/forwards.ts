import type { Forward } from "@inlethq/core/forward/Forward"
import { deliveryKey } from "@inlethq/core/forward/Forward"
import { ChangedMeanwhile } from "@inlethq/core/ports/ChangedMeanwhile"
import type { Digest } from "@inlethq/core/ports/Digest"
import {
  ForwardNameTaken,
  forwardsPerWorkspaceMax,
  ForwardStore,
  TooManyForwards,
  type ForwardKey,
} from "@inlethq/core/ports/ForwardStore"
import type { Webhook } from "@inlethq/core/webhook/Webhook"
import { Effect, Layer, Option } from "effect"
import type { WebhookRecords } from "./MemoryImage.ts"
import { MemoryState } from "./MemoryState.ts"
import { nameOf, newRecords } from "./webhooks.ts"

/** Stores forwards in memory, beside the webhooks. Tests compare the other stores with this store. */
export const layer: Layer.Layer<ForwardStore, never, Digest> = Layer.effect(
  ForwardStore,
  Effect.map(MemoryState, ({ webhooks }) => makeForwards(webhooks)),
).pipe(Layer.provide(MemoryState.layer))

const isForward = (one: Webhook | Forward): one is Forward => "forwardId" in one

const makeForwards = (all: Map<string, WebhookRecords>): ForwardStore["Service"] => {
  const at = (key: ForwardKey) => all.get(nameOf(deliveryKey(key)))
  const forwards = () =>
    [...all.values()]
      .map(({ webhook }) => webhook)
      .filter(isForward)
      .toSorted((a, b) => a.workspace - b.workspace || a.createdAt - b.createdAt)
  const others = ({ forwardId, workspace }: ForwardKey) =>
    forwards().filter((one) => one.workspace === workspace && one.forwardId !== forwardId)
  return ForwardStore.of({
    all: Effect.sync(forwards),
    forwards: (workspace) => Effect.sync(() => forwards().filter((one) => one.workspace === workspace)),
    forward: (key) => Effect.sync(() => Option.filter(Option.fromUndefinedOr(at(key)?.webhook), isForward)),
    create: (forward, position) =>
      Effect.suspend((): Effect.Effect<void, TooManyForwards | ForwardNameTaken> => {
        const own = others(forward)
        if (own.length >= forwardsPerWorkspaceMax) return Effect.fail(new TooManyForwards())
        if (own.some(({ name }) => name === forward.name)) return Effect.fail(new ForwardNameTaken())
        all.set(nameOf(deliveryKey(forward)), newRecords(forward, position))
        return Effect.void
      }),
    update: (before, after) =>
      Effect.suspend((): Effect.Effect<void, ChangedMeanwhile | ForwardNameTaken> => {
        const records = at(before)
        if (records?.webhook.updatedAt !== before.updatedAt) return Effect.fail(new ChangedMeanwhile())
        if (others(after).some(({ name }) => name === after.name)) return Effect.fail(new ForwardNameTaken())
        records.webhook = after
        return Effect.void
      }),
    remove: (key) => Effect.sync(() => all.delete(nameOf(deliveryKey(key)))),
    names: (key, sequences) => Effect.sync(() => sequences.flatMap((one) => at(key)?.names.get(one) ?? [])),
    forget: (key, sequences) =>
      Effect.sync(() => {
        for (const one of sequences) at(key)?.names.delete(one)
      }),
    untold: (workspace, sequence) =>
      Effect.sync(() =>
        [...all.values()].flatMap(({ names, webhook }) =>
          isForward(webhook) && webhook.workspace === workspace && names.has(sequence)
            ? [webhook.forwardId]
            : [],
        ),
      ),
  })
}
