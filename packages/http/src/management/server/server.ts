import { ManagementApi } from "@inlethq/contract/ManagementApi"
import { Ingest } from "@inlethq/engine/commits/Ingest"
import { Registry, type ErasingWorkspace } from "@inlethq/core/ports/Registry"
import { Store } from "@inlethq/core/ports/Store"
import { toIso } from "@inlethq/core/values/Timestamp"
import { Clock, Effect, Exit, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { KafkaFeeds } from "@inlethq/outbound/KafkaFeeds"
import { Forwards } from "@inlethq/outbound/forwards/Forwards"
import { Webhooks } from "@inlethq/outbound/webhooks/Webhooks"
import manifest from "../../../package.json" with { type: "json" }
import { orUnavailable } from "../../problems/problems.ts"
import { makeReadDatabase, sharedFor } from "./readDatabase.ts"
import { RefusedCalls } from "../../listener/RefusedCalls.ts"
import { historyStepSeconds, ServerHistory } from "./ServerHistory.ts"
import { RecentMetrics } from "./RecentMetrics.ts"
import { statusDocument } from "./statusDocument.ts"

/** The longest wait for the deleted workspaces in the state of the server. */
const erasingWithin = "2 seconds"

export const serverHandlers = HttpApiBuilder.group(
  ManagementApi,
  "server",
  Effect.fnUntraced(function* (handlers) {
    const ingest = yield* Ingest
    const kafka = yield* KafkaFeeds
    const feeds = Effect.all({ forwards: (yield* Forwards).status, webhooks: (yield* Webhooks).status })
    const recent = yield* RecentMetrics
    const store = yield* Store
    const history = yield* ServerHistory
    const refused = yield* RefusedCalls
    const readDatabase = yield* makeReadDatabase
    const { erasing: storedErasing } = yield* Registry
    const readErasing = storedErasing.pipe(
      Effect.timeout(erasingWithin),
      Effect.orElseSucceed((): ReadonlyArray<ErasingWorkspace> => []),
    )
    const storeSize = yield* Effect.cachedWithTTL(store.size, (exit) =>
      Exit.isSuccess(exit) ? sharedFor : 0,
    )

    return handlers.handleAll({
      get: Effect.fn("management.server.get")(function* () {
        const { committing, oldestWaitingAt } = yield* ingest.status
        const now = yield* Clock.currentTimeMillis
        const [database, erasing] = yield* Effect.all([readDatabase, readErasing], {
          concurrency: "unbounded",
        })
        return {
          version: manifest.version,
          node_version: process.versions.node,
          queue_wait_ms: oldestWaitingAt === null ? 0 : Math.max(0, now - oldestWaitingAt),
          committing,
          kafka: yield* kafka.status,
          ...database,
          storage: yield* history.storage,
          erasing_workspaces: erasing.map(({ deletedAt, workspace }) => ({
            environment_id: workspace,
            deleted_at: toIso(deletedAt),
          })),
          refused_calls: refused
            .counts()
            .map(({ address, calls, key, lastAt, reason, route, userAgent }) => ({
              reason,
              address,
              key,
              route,
              user_agent: userAgent,
              calls,
              last_at: toIso(lastAt),
            })),
        }
      }),

      history: Effect.fn("management.server.history")(function* () {
        return { step_seconds: historyStepSeconds, samples: yield* history.samples }
      }),

      status: Effect.fn("management.server.status")(function* () {
        const { committing, oldestWaitingAt, waitingCommands } = yield* ingest.status
        const now = yield* Clock.currentTimeMillis
        return statusDocument(yield* recent.changes, yield* feeds, {
          version: manifest.version,
          uptime_seconds: Math.floor(process.uptime()),
          memory_bytes: process.memoryUsage.rss(),
          store_bytes: yield* storeSize,
          committing,
          queue: {
            operations: waitingCommands,
            wait_ms: oldestWaitingAt === null ? 0 : Math.max(0, now - oldestWaitingAt),
          },
        })
      }, orUnavailable),
    })
  }),
).pipe(Layer.provide(RecentMetrics.layer))
