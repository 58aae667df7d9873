import { describe, expect, it } from "vitest"
import { Sampler } from "../src/pages/live/Sampler.ts"

/** Sends operations at a steady rate for some seconds and returns how many were shown in the last second. */
const shownInLastSecond = (sampler: Sampler, rate: number, seconds: number): number => {
  let shown = 0
  for (let index = 0; index < rate * seconds; index++) {
    const isShown = sampler.take((index * 1_000) / rate)
    if (isShown && index >= rate * (seconds - 1)) shown++
  }
  return shown
}

describe("Sampler", () => {
  it("the list on the page Live shows every operation at 200 operations a second", () => {
    const sampler = new Sampler()
    expect(shownInLastSecond(sampler, 200, 5)).toBe(200)
    expect(sampler.oneIn).toBe(1)
  })

  it("the list on the page Live shows one in 40 operations at 5,000 operations a second", () => {
    const sampler = new Sampler()
    expect(shownInLastSecond(sampler, 5_000, 5)).toBe(125)
    expect(sampler.oneIn).toBe(40)
  })

  it("the list on the page Live begins to show only a sample of the operations within the first second of a burst", () => {
    const sampler = new Sampler()
    const shown = Array.from({ length: 10_000 }, () => sampler.take(0)).filter(Boolean)
    expect(shown.length).toBeLessThan(1_000)
  })

  it("the list on the page Live stops sampling some seconds after a burst and shows every new operation", () => {
    const sampler = new Sampler()
    shownInLastSecond(sampler, 5_000, 5)
    for (let second = 6; second < 26; second++) sampler.idle(second * 1_000)
    expect(sampler.oneIn).toBe(1)
  })
})
