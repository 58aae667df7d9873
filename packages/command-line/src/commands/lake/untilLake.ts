import type { LakeDocument } from "@inlethq/contract/transfer/Lake"
import { ManagementClient } from "@inlethq/sdk/management/ManagementClient"
import { Effect, Schedule } from "effect"
import { drawLake } from "../../output/lakePage.ts"
import { Connection } from "../../server/Connection.ts"
import { show } from "../../server/show.ts"

/** How often a command looks whether the lake is as it should be, and for how long. */
const lookInterval = "200 millis"
const looksMax = 150

/** Waits until a lake is as it should be, or says why it cannot be written. Gives up after half a minute. Shows the lake. */
export const untilLake = Effect.fnUntraced(function* (isReady: (lake: LakeDocument) => boolean) {
  const { workspace: w } = yield* Connection
  const client = yield* ManagementClient
  yield* Effect.repeat(client.lake.get({ params: { w } }), {
    schedule: Schedule.spaced(lookInterval),
    until: (lake) => lake.failure !== null || isReady(lake),
    times: looksMax,
  })
  return yield* show(client.lake.get({ params: { w }, responseMode: "decoded-and-response" }), drawLake)
})
