import { noFilter, type Catalog } from "@inlethq/core/catalog/Catalog"
import type { Snapshots } from "@inlethq/core/catalog/Snapshots"
import { deliveryKey, Forward } from "@inlethq/core/forward/Forward"
import type { Digest } from "@inlethq/core/ports/Digest"
import { ForwardStore, type ForwardKey } from "@inlethq/core/ports/ForwardStore"
import { Registry } from "@inlethq/core/ports/Registry"
import type { WebhookStore } from "@inlethq/core/ports/WebhookStore"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { Context, Effect, Layer, Option } from "effect"
import type { BatchSink, Destination } from "../follower/Destination.ts"
import { follow, type FollowerStatus } from "../follower/follow.ts"
import type { SecretBox } from "../SecretBox.ts"
import type { ConnectionPools } from "../sending/ConnectionPools.ts"
import { QueueSender } from "../sending/QueueSender.ts"
import type { RecordWriter } from "../sending/RecordWriter.ts"
import type { Sender } from "../sending/Sender.ts"
import { registerMetrics } from "./forwardMetrics.ts"
import { forwardTransport } from "./forwardTransport.ts"

/** The most undelivered operations of a forward that are loaded at once. */
const heldOperationsMax = 2000

/** Sends operations on to other services. */
export class Forwards extends Context.Service<
  Forwards,
  {
    /** Loads a forward again, with its current settings and undelivered operations, once what is in progress has ended. */
    changed(key: ForwardKey): Effect.Effect<void>
    /** How far this node is with each enabled forward. */
    readonly status: Effect.Effect<FollowerStatus>
  }
>()("@inlethq/outbound/forwards/Forwards") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      yield* registerMetrics
      const { changed, status } = yield* follow(destination)
      return Forwards.of({
        changed: ({ forwardId, workspace }) => changed({ workspace, id: forwardId }),
        status,
      })
    }),
  )
}

type ForwardServices =
  | Catalog
  | ConnectionPools
  | Digest
  | ForwardStore
  | RecordWriter
  | Registry
  | SecretBox
  | Sender
  | Snapshots
  | WebhookStore

const forwardSink = Effect.fnUntraced(function* (forward: Forward, workspace: Workspace) {
  const transport = yield* forwardTransport(forward, workspace)
  const sender = yield* QueueSender.load(
    {
      key: deliveryKey(forward),
      // The calls of one request are in order, and its receiver applies them in order.
      ordering: "strict",
      retry: forward.retry,
      heldMax: heldOperationsMax,
    },
    transport,
  )
  const sink: BatchSink<Forward, ForwardServices> = {
    settings: forward,
    filter: noFilter,
    pagesMax: 1,
    ready: sender.ready,
    readFrom: () => sender.readFrom(),
    progress: () => sender.progress(),
    send: Effect.fnUntraced(function* (batch) {
      yield* sender.admit(yield* transport.eventsIn(batch), batch.to)
    }),
    run: () => sender.run(),
    stop: () => sender.stop(),
  }
  return sink
})

const destination: Destination<Forward, ForwardServices> = {
  name: "forward",
  title: "a forward",
  settings: Forward,
  feeds: Effect.map(
    ForwardStore.use((store) => store.all),
    (all) =>
      all
        .filter(({ enabled }) => enabled)
        .map((settings) => ({ workspace: settings.workspace, id: settings.forwardId, settings })),
  ),
  prepare: Effect.fnUntraced(function* ({ id, workspace }) {
    const found = yield* ForwardStore.use((store) => store.forward({ workspace, forwardId: id ?? "" }))
    const owner = yield* Registry.use((registry) => registry.workspace(workspace))
    if (Option.isNone(found) || Option.isNone(owner) || !found.value.enabled) return Option.none()
    return Option.some(yield* forwardSink(found.value, owner.value))
  }),
}
