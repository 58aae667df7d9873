import { ManagementApi } from "@inlet/api/management/ManagementApi"
import { Ingest } from "@inlet/core/engine/Ingest"
import { Clock, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { KafkaFeeds } from "../kafka/KafkaFeeds.ts"
import manifest from "../../package.json" with { type: "json" }

export const serverHandlers = HttpApiBuilder.group(
  ManagementApi,
  "server",
  Effect.fnUntraced(function* (handlers) {
    const ingest = yield* Ingest
    const kafka = yield* KafkaFeeds

    return handlers.handleAll({
      get: Effect.fn("management.server.get")(function* () {
        const { committing, oldestWaitingAt } = yield* ingest.status
        const now = yield* Clock.currentTimeMillis
        return {
          version: manifest.version,
          node_version: process.versions.node,
          queue_wait_ms: oldestWaitingAt === null ? 0 : Math.max(0, now - oldestWaitingAt),
          committing,
          kafka: yield* kafka.status,
        }
      }),
    })
  }),
)
