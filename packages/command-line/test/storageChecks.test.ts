import type { StorageDocument } from "@inlethq/contract/server/Server"
import { describe, expect, it } from "vitest"
import { checkStorage } from "../src/doctor/storageChecks.ts"

const growing: StorageDocument = {
  bytes: 5e9,
  free_bytes: 100e9,
  bytes_per_day: 2e9,
  measured_seconds: 6 * 3600,
  days_left: 50,
}

const checkOf = (changed: Partial<StorageDocument>) => {
  const [check] = checkStorage({ ...growing, ...changed })
  return check === undefined ? null : [check.status, check.found]
}

describe("the check of the growth of a store", () => {
  it("says how fast it grows and when its disk is full, and warns when that is soon", () => {
    const found = "5 GB, and 2 GB more a day, by the last 6 hours; the disk is full in"
    expect(checkOf({})).toEqual(["ok", `${found} 50 days`])
    expect(checkOf({ days_left: 29.9 })).toEqual(["warning", `${found} 29 days`])
    expect(checkOf({ days_left: 6.9 })).toEqual(["failed", `${found} 6 days`])
    expect(checkOf({ days_left: 1.5 })).toEqual(["failed", `${found} 1 day`])
    expect(checkOf({ days_left: 0.5 })).toEqual(["failed", `${found} less than a day`])
    expect(checkOf({ days_left: 1e9 })).toEqual(["ok", `${found} more than ten years`])
  })

  it("says on PostgreSQL that the free space is not known", () => {
    expect(checkOf({ free_bytes: null, days_left: null })).toEqual([
      "ok",
      "5 GB, and 2 GB more a day, by the last 6 hours; PostgreSQL does not tell how much space is free there",
    ])
  })

  it("says if the server runs too short, if the store does not grow, and nothing of a store in memory", () => {
    expect(checkOf({ bytes_per_day: null, days_left: null, measured_seconds: 60 })).toEqual([
      "ok",
      "5 GB; the server runs too short to say how fast it grows",
    ])
    expect(checkOf({ bytes_per_day: -5, days_left: null })).toEqual(["ok", "5 GB, and it does not grow"])
    expect(checkOf({ bytes: null })).toBeNull()
  })

  it("tells what to do", () => {
    expect(checkStorage({ ...growing, days_left: 2 })[0]).toMatchObject({
      advice: expect.stringContaining("--retention-days"),
    })
  })
})
