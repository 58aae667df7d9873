import { ForwardStore } from "@inlethq/core/ports/ForwardStore"
import { Registry } from "@inlethq/core/ports/Registry"
import { Store } from "@inlethq/core/ports/Store"
import { WebhookStore } from "@inlethq/core/ports/WebhookStore"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import { secondMs, type EpochMillis } from "@inlethq/core/values/Timestamp"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { TrustedTime } from "@inlethq/engine/time/TrustedTime"
import { whileFit } from "@inlethq/engine/whileFit"
import { Clock, Effect, Layer } from "effect"
import type { FollowerStatus } from "../follower/follow.ts"
import { Forwards } from "../forwards/Forwards.ts"
import { LakeFeeds } from "../lake/LakeFeeds.ts"
import { MayDeliver } from "../MayDeliver.ts"
import { Webhooks } from "../webhooks/Webhooks.ts"
import { feedsBehind, type Behind } from "./conditions.ts"
import { watchWorkspace } from "./watchWorkspace.ts"

/** Between two looks at all workspaces at least this many times as long passes as one took, and at least five seconds. */
const restFactor = 20
const restMsMin = 5 * secondMs

/** The most people whom time alone concerns that are looked at to see how late rules about time are. */
const latePeopleMax = 500

/** Looks at every workspace again and again while this node may deliver, and begins and ends alerts. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const mayDeliver = yield* MayDeliver
    const trusted = yield* TrustedTime
    const look = Effect.gen(function* () {
      if (yield* mayDeliver) yield* watchAll(yield* trusted)
    }).pipe(whileFit, Effect.ignoreCause({ log: "Error", message: "alerts could not be looked for" }))
    const round = Effect.gen(function* () {
      const began = yield* Clock.currentTimeMillis
      yield* look
      const took = (yield* Clock.currentTimeMillis) - began
      yield* Effect.sleep(Math.max(restMsMin, took * restFactor))
    })
    yield* Effect.forkScoped(Effect.forever(round))
  }),
)

/** Looks at every workspace once. */
const watchAll = Effect.fnUntraced(function* (now: EpochMillis) {
  const followers = {
    webhooks: yield* Webhooks.use(({ status }) => status),
    forwards: yield* Forwards.use(({ status }) => status),
  }
  // What has not begun to send yet does not know what lags.
  if (!followers.webhooks.sending || !followers.forwards.sending) return
  const late = yield* lateTimers(now)
  for (const workspace of yield* Registry.use((registry) => registry.workspaces)) {
    // One workspace that cannot be looked at must not stop the alerts of those after it.
    yield* Effect.gen(function* () {
      const behind = [...(yield* followersBehind(workspace, followers)), ...timersBehind(late(workspace.id))]
      yield* watchWorkspace(workspace, behind, now)
    }).pipe(
      whileFit,
      Effect.ignoreCause({ log: "Warn", message: "the alerts of a workspace could not be looked for" }),
    )
  }
})

const followersBehind = Effect.fnUntraced(function* (
  { alerts: { lagSeconds }, id, lake }: Workspace,
  { forwards, webhooks }: Readonly<Record<"forwards" | "webhooks", FollowerStatus>>,
) {
  const isLate = [...webhooks.feeds, ...forwards.feeds].some(
    ({ lagMs, workspace }) => workspace === id && lagMs >= lagSeconds * secondMs,
  )
  // Only an alert that begins says a name, so nothing is read while all is well.
  const names = isLate ? yield* namesIn(id) : new Map<string, string>()
  const written = lake === null ? null : yield* LakeFeeds.use(({ status }) => status(id))
  const lakeLag = written?.prepared === true ? written.lagMs : null
  return [
    ...feedsBehind("webhook", webhooks, id, names),
    ...feedsBehind("forward", forwards, id, names),
    ...(lake === null ? [] : [{ subject: "lake", title: "The lake", lagMs: lakeLag }]),
  ]
})

/** Reads the names of the webhooks and the forwards of a workspace, by id. */
const namesIn = Effect.fnUntraced(function* (workspace: WorkspaceId) {
  const webhooks = yield* WebhookStore.use((store) => store.webhooks(workspace))
  const forwards = yield* ForwardStore.use((store) => store.forwards(workspace))
  return new Map([
    ...webhooks.map(({ name, webhookId }) => [webhookId, name] as const),
    ...forwards.map(({ forwardId, name }) => [forwardId, name] as const),
  ])
})

/**
 * Returns how late the oldest rule about time of a workspace is. Null if others are so late that nobody knows, because the latest
 * people are theirs.
 */
const lateTimers = Effect.fnUntraced(function* (now: EpochMillis) {
  const due = yield* Store.use((store) => store.due(now, latePeopleMax))
  const late = new Map<WorkspaceId, number>()
  for (const { at, workspace } of due) late.set(workspace, Math.max(late.get(workspace) ?? 0, now - at))
  const others = due.length < latePeopleMax ? 0 : null
  return (workspace: WorkspaceId) => late.get(workspace) ?? others
})

const timersBehind = (lagMs: number | null): ReadonlyArray<Behind> =>
  lagMs === 0 ? [] : [{ subject: "timers", title: "The evaluation of rules about time", lagMs }]
