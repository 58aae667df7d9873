import { registerMetrics } from "./webhookMetrics.ts"
import { Catalog } from "@inlet/core/catalog/Catalog"
import { Ingest } from "@inlet/core/engine/Ingest"
import { Registry } from "@inlet/core/ports/Registry"
import { WebhookStore, type WebhookKey } from "@inlet/core/ports/WebhookStore"
import type { Sequence, WorkspaceId } from "@inlet/core/values/Identifier"
import { Clock, Context, Effect, FiberMap, Layer, Option, PubSub, Schedule } from "effect"
import { MayDeliver } from "../MayDeliver.ts"
import { newestSequence } from "@inlet/api/log/newestSequence"
import { secretOwner } from "./deliver.ts"
import type { SecretBox } from "./SecretBox.ts"
import type { RunnerServices } from "./WebhookRunner.ts"
import { WebhookRunner } from "./WebhookRunner.ts"
import { measureLag } from "./webhookMetrics.ts"

/**
 * The pause between two reads of the list of webhooks. The list is read again because another node may have changed it.
 */
const refreshInterval = "5 seconds"

/** The pause between two rounds that remove expired attempts, expired events and the data of removed webhooks. */
const pruneInterval = "1 minute"

/**
 * The shortest time between two announcements of commits. This pause lets webhooks read the entries of many small
 * commits at once.
 */
const announceInterval = "20 millis"

/** A running webhook. `changes` counts how often `changed` was called for it. */
interface Running {
  readonly key: WebhookKey
  runner: WebhookRunner | null
  changes: number
}

/** Sends the events of all webhooks. */
export class Webhooks extends Context.Service<
  Webhooks,
  {
    /**
     * Loads a webhook again, with its current settings and undelivered events. Must be called after an operator changes
     * a webhook or sends its events again. The load begins when the attempts in progress have ended.
     */
    changed(key: WebhookKey): Effect.Effect<void>
  }
>()("@inlet/outbound/webhooks/Webhooks") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* WebhookStore
      const mayDeliver = yield* MayDeliver
      yield* registerMetrics
      const { changed, running, start } = yield* makeRunning

      const refresh = Effect.gen(function* () {
        const isAllowed = yield* mayDeliver
        const all = yield* store.all
        const names = new Set(all.map(secretOwner))
        for (const [name, { key }] of running) if (!names.has(name)) yield* changed(key)
        for (const webhook of all) {
          const one = running.get(secretOwner(webhook))
          if (one === undefined) {
            if (webhook.enabled && isAllowed) yield* start(webhook)
          } else if (
            one.runner !== null &&
            (!isAllowed || one.runner.webhook.updatedAt !== webhook.updatedAt)
          ) {
            // A webhook that is still being loaded (`runner` is null) is not restarted. Otherwise, each refresh would
            // restart a load that takes longer than `refreshInterval`, and the load would never end.
            yield* changed(webhook)
          }
        }
        yield* measure(running.values())
      })

      const prune = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        yield* Effect.repeat(store.prune(now), { until: (isDone) => isDone })
      })

      yield* Effect.forkScoped(
        Effect.repeat(
          refresh.pipe(Effect.ignoreCause({ log: "Error", message: "webhooks could not be read" })),
          Schedule.spaced(refreshInterval),
        ),
      )
      yield* Effect.forkScoped(
        Effect.repeat(
          prune.pipe(
            Effect.ignoreCause({ log: "Error", message: "records of webhooks could not be pruned" }),
          ),
          Schedule.spaced(pruneInterval),
        ),
      )
      return Webhooks.of({ changed })
    }),
  )
}

/** Tells a running webhook about commits in its workspace, until the fiber is interrupted. */
const announceCommits = Effect.fnUntraced(function* (
  runner: WebhookRunner,
): Effect.fn.Return<never, never, Ingest> {
  const ingest = yield* Ingest
  const announce = Effect.gen(function* () {
    const commits = yield* ingest.commits(runner.webhook.workspace)
    const next = Effect.gen(function* () {
      yield* PubSub.take(commits)
      runner.announce()
      yield* Effect.sleep(announceInterval)
    })
    return yield* Effect.forever(next)
  })
  return yield* Effect.scoped(announce)
})

/**
 * Makes the set of running webhooks, with a function that starts a webhook and a function that loads a changed webhook
 * again.
 */
const makeRunning = Effect.gen(function* () {
  const store = yield* WebhookStore
  const mayDeliver = yield* MayDeliver
  const services = yield* Effect.context<RunnerServices | Ingest | Registry | SecretBox | WebhookStore>()
  const fibers = yield* FiberMap.make<string>()
  const running = new Map<string, Running>()

  /** Runs a webhook, and starts it again after each change, until it is disabled or removed. */
  const keepRunning = Effect.fnUntraced(function* (one: Running) {
    for (;;) {
      const { changes } = one
      const webhook = yield* store.webhook(one.key)
      const isEnabled = Option.isSome(webhook) && webhook.value.enabled && (yield* mayDeliver)
      const runner = isEnabled ? yield* WebhookRunner.load(webhook.value) : Option.none()
      if (one.changes !== changes) continue
      if (Option.isNone(runner)) return
      one.runner = runner.value
      yield* Effect.raceFirst(announceCommits(runner.value), runner.value.run()).pipe(
        Effect.ensuring(
          Effect.sync(() => {
            one.runner = null
          }),
        ),
      )
    }
  })

  const start = Effect.fnUntraced(function* (key: WebhookKey) {
    const name = secretOwner(key)
    const one: Running = { key, runner: null, changes: 0 }
    running.set(name, one)
    const run = keepRunning(one).pipe(
      Effect.tapCause((cause) => Effect.logError("a webhook stopped and will be restarted", cause)),
      Effect.retry(Schedule.spaced(refreshInterval)),
      Effect.ensuring(Effect.sync(() => running.delete(name))),
      // Without this reset, the metrics would show the last lag of a stopped webhook forever.
      Effect.ensuring(measureLag(key, 0, 0)),
      Effect.provide(services),
    )
    yield* FiberMap.run(fibers, name, run)
  })

  const changed = Effect.fn("Webhooks.changed")(function* (key: WebhookKey) {
    const one = running.get(secretOwner(key))
    if (one === undefined) return yield* start(key)
    one.changes++
    one.runner?.stop()
  })

  return { running, start, changed }
})

/** Records in the metrics how far each webhook is behind the log. */
const measure = Effect.fnUntraced(function* (running: Iterable<Running>) {
  const catalog = yield* Catalog
  const now = yield* Clock.currentTimeMillis
  const newest = new Map<WorkspaceId, Sequence | null>()
  for (const { runner } of running) {
    if (runner === null) continue
    const { workspace } = runner.webhook
    if (!newest.has(workspace)) newest.set(workspace, yield* newestSequence(catalog, workspace))
    const { ageMs, position } = runner.lag(now)
    yield* measureLag(runner.webhook, Math.max(0, (newest.get(workspace) ?? 0) - (position ?? 0)), ageMs)
  }
})
