import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { freshDirectory } from "../../src/cleanup.ts"
import { eventually } from "../../src/eventually.ts"
import { createForward, forwardAttempts, untilDone } from "../../src/forwards/forwardCalls.ts"
import { erasingCalls, randomCalls } from "../../src/forwards/randomCalls.ts"
import { shownWithout } from "../../src/forwards/shownWithout.ts"
import { freePort } from "../../src/freePort.ts"
import { testSeed as seed } from "../../src/fresh.ts"
import { Inlet } from "../../src/Inlet.ts"
import { PipelinesSource } from "../../src/PipelinesSource.ts"
import { Tenant } from "../../src/Tenant.ts"

const kills = 4
const batchSize = 50

/** A server that starts again at the same address with the same data. */
const stableServer = async () => {
  const dataDir = join(freshDirectory(), "data")
  const env = { INLET_PORT: String(await freePort()), INLET_WEBHOOK_ALLOW: "127.0.0.1/32" }
  return { start: () => Inlet.start({ dataDir, env }) }
}

const buyers = { event: { name: "bought", count: { gte: 2 }, within: "30d" } }

describe.each(["segment", "track-v2"] as const)("a forward to %s between two servers", (to) => {
  it(`leaves both equal after kills of both (INLET_TEST_SEED=${seed})`, async () => {
    const [from, at] = [await stableServer(), await stableServer()]
    let [sender, receiver] = [await from.start(), await at.start()]
    let source = await Tenant.create({}, sender)
    let target = await Tenant.create({}, receiver)
    const members = [
      await source.createSegment("buyers", buyers),
      await target.createSegment("buyers", buyers),
    ]
    const url = to === "segment" ? receiver.url : `${receiver.url}/api`
    const key =
      to === "segment"
        ? (await PipelinesSource.forWorkspace(receiver, target.workspace)).writeKey
        : `${target.siteId}:${target.apiKey}`
    const { forward_id } = await createForward(source, { name: "next", to, url, key })
    const next = randomCalls(seed)
    for (let kill = 0; kill <= kills; kill++) {
      const answer = await source.batch(Array.from({ length: batchSize }, () => next(Date.now())))
      expect([200, 207]).toContain(answer.status)
      if (kill === kills) break
      if (kill % 2 === 0) {
        await receiver.kill()
        receiver = await at.start()
        target = target.on(receiver)
      } else {
        await sender.kill()
        sender = await from.start()
        source = source.on(sender)
      }
    }
    await untilDone(source, forward_id)
    expect((await source.batch(erasingCalls)).status).toBe(200)
    await receiver.kill()
    receiver = await at.start()
    target = target.on(receiver)
    await untilDone(source, forward_id)
    const attempts = await forwardAttempts(source, forward_id)
    expect(attempts.filter(({ status }) => status === "failed")).toEqual([])
    expect(await shownWithout(target, to)).toEqual(await shownWithout(source, to))
    expect(await target.isSuppressed({ id: "p2" })).toBe(true)
    expect(await target.isSuppressed({ id: "p3" })).toBe(false)
    const expected = await source.segmentMembers(members[0] ?? 0)
    await eventually("the same members", async () => {
      const found = await target.segmentMembers(members[1] ?? 0)
      return JSON.stringify(found) === JSON.stringify(expected) ? true : undefined
    })
  })
})
