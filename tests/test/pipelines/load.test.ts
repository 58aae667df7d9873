import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { Inlet } from "../../src/Inlet.ts"
import { freshDirectory } from "../../src/cleanup.ts"
import type { RunningServer } from "../../src/http.ts"
import { Management } from "../../src/Management.ts"
import { pipelines } from "../../src/ingestion.ts"

const events = 2000
const atATime = 20
const perBatch = 10

const callOf = (n: number) => ({
  type: "track",
  userId: `user-${n % 97}`,
  event: "load",
  messageId: `message-${n}`,
  properties: { n },
})

/** The requests for all events. Half of the events are sent as single calls, and the other half in batches. */
const requests: ReadonlyArray<readonly [path: string, body: object]> = [
  ...Array.from({ length: events / 2 }, (_, n) => ["/v1/track", callOf(n)] as const),
  ...Array.from({ length: events / 2 / perBatch }, (_, b) => {
    const from = events / 2 + b * perBatch
    return ["/v1/batch", { batch: Array.from({ length: perBatch }, (_item, i) => callOf(from + i)) }] as const
  }),
]

/**
 * Sends all requests from concurrent workers. A worker repeats each request until it is acknowledged, even if the
 * server restarts before that.
 */
const sendAll = async (
  server: () => Promise<RunningServer>,
  acknowledged: (count: number) => void,
): Promise<void> => {
  const rest = requests.values()
  let count = 0
  const work = async () => {
    for (const [path, body] of rest) {
      for (;;) {
        const answer = await pipelines(await server(), path, body).catch(() => undefined)
        if (answer?.status === 200) break
      }
      acknowledged(++count)
    }
  }
  await Promise.all(Array.from({ length: atATime }, work))
}

const expectEachOnce = async (management: Management): Promise<void> => {
  const stored = (await management.activity({ name: "load" })).filter(
    ({ outcome }) => outcome !== "duplicate",
  )
  const numbers = stored.map(({ data, id }) => [id, data])
  expect(stored).toHaveLength(events)
  expect(new Set(stored.map(({ id }) => id)).size).toBe(events)
  expect(numbers).toEqual(
    expect.arrayContaining([
      ["message-0", { n: 0 }],
      [`message-${events - 1}`, { n: events - 1 }],
    ]),
  )
}

describe("2,000 events of a concurrent client", () => {
  it("2,000 events sent concurrently are stored exactly once each", async () => {
    const inlet = await Inlet.start()
    await sendAll(
      () => Promise.resolve(inlet),
      () => undefined,
    )
    const management = new Management(inlet)
    await expectEachOnce(management)
    expect(await management.activity({ outcome: "duplicate" })).toEqual([])
    expect(await inlet.stop()).toEqual({ code: 0, signal: null })
  })

  it("2,000 events are stored exactly once each although the server is killed and restarted", async () => {
    const dataDir = join(freshDirectory(), "data")
    const first = await Inlet.start({ dataDir })
    let serving: Promise<RunningServer> = Promise.resolve(first)
    let killed = false
    await sendAll(
      () => serving,
      (count) => {
        if (killed || count < requests.length / 3) return
        killed = true
        serving = first.kill().then(() => Inlet.start({ dataDir }))
      },
    )
    const second = await serving
    expect(second).not.toBe(first)
    await expectEachOnce(new Management(second))
  })
})
