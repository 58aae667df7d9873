import { assert, it } from "@effect/vitest"
import { Effect, Queue } from "effect"
import { makeCommitNotifications } from "../src/nodes/commitNotifications.ts"
import { databaseAt, describeServers, emptyDatabase } from "./server.ts"

/**
 * Starts a node that listens for notifications of commits. Returns a function that announces a commit of the node, and
 * the notifications that the node received.
 */
const nodeAt = (url: string) =>
  Effect.gen(function* () {
    const { committed, listen } = yield* makeCommitNotifications(yield* databaseAt(url))
    const hints = yield* Queue.unbounded<void>()
    yield* listen(Effect.asVoid(Queue.offer(hints, undefined)))
    // The first notification shows that the node has begun to listen.
    yield* Queue.take(hints)
    return { committed, hints }
  })

describeServers("notifications of commits", (server) => {
  it.live("a commit of one node notifies the other nodes and not the node itself", () =>
    Effect.gen(function* () {
      const url = yield* emptyDatabase(server())
      const one = yield* nodeAt(url)
      const other = yield* nodeAt(url)
      one.committed()
      yield* Queue.take(other.hints)
      other.committed()
      yield* Queue.take(one.hints)
      assert.strictEqual(yield* Queue.size(one.hints), 0)
    }),
  )
})
