import { assert, describe, it } from "@effect/vitest"
import { Syncs } from "../src/engine/Syncs.ts"

/**
 * Makes a `Syncs` with a simulated clock. Each call of `run` makes `times` commits, and ends the sync of each commit
 * after `ms` milliseconds.
 */
const timedSyncs = () => {
  let now = 0
  let frames = 0
  const measured: Array<number> = []
  const running: Array<(error: Error | null) => void> = []
  const syncs = new Syncs(
    (_slot, done) => running.push(done),
    1,
    { round: 0, frames },
    () => undefined,
    (ms) => measured.push(ms),
    () => now,
  )
  const run = (ms: number, times = 1): void => {
    for (let i = 0; i < times; i++) {
      syncs.committed({ round: 0, frames: ++frames })
      now += ms
      running.pop()?.(null)
    }
  }
  return { measured, run, syncs }
}

describe("the time of a sync", () => {
  it("measures each sync", () => {
    const { measured, run } = timedSyncs()
    run(3)
    run(0.5, 2)
    assert.deepStrictEqual(measured, [3, 0.5, 0.5])
  })

  it("the store counts syncs as slow after 16 syncs of at least 1 ms each", () => {
    const { run, syncs } = timedSyncs()
    run(1, 15)
    assert.isFalse(syncs.areSlow)
    run(1)
    assert.isTrue(syncs.areSlow)
  })

  it("the store does not count syncs as slow if one of the last 16 syncs was fast, because a busy thread noticed the ends of the others late", () => {
    const { run, syncs } = timedSyncs()
    run(5, 100)
    run(0.2)
    assert.isFalse(syncs.areSlow)
    run(5, 15)
    assert.isFalse(syncs.areSlow)
    run(5)
    assert.isTrue(syncs.areSlow)
  })
})
