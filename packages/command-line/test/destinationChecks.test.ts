import type { DestinationDocument } from "@inlethq/contract/webhooks/Destinations"
import { describe, expect, it } from "vitest"
import { destinationChecks } from "../src/doctor/destinationChecks.ts"

const destinationOf = (over: Partial<DestinationDocument> = {}) => ({
  workspace: 2,
  destination: {
    kind: "forward" as const,
    destination_id: "f1",
    name: "hosted",
    url: "https://example.com",
    enabled: true,
    waiting: { operations: 0, entries: 0 },
    lag_seconds: 0,
    last_error: null,
    hours: [],
    ...over,
  },
})

const foundIn = (...all: ReadonlyArray<ReturnType<typeof destinationOf>>) =>
  destinationChecks(all).map(({ found, status }) => [status, found])

describe("what inlet doctor says about destinations", () => {
  it("says nothing if there are none, or if all are paused or Kafka's", () => {
    expect(foundIn()).toEqual([])
    const failing = { last_error: "503" }
    expect(
      foundIn(destinationOf({ enabled: false, ...failing }), destinationOf({ kind: "kafka", ...failing })),
    ).toEqual([])
  })

  it("counts those that send, although something waits for up to five minutes", () => {
    const waits = { waiting: { operations: 1, entries: 7 }, lag_seconds: 300 }
    expect(foundIn(destinationOf(), destinationOf(waits))).toEqual([["ok", "all 2 send"]])
  })

  it("names those that fail or are far behind, with their workspace", () => {
    const waiting = { operations: 1, entries: 7 }
    expect(
      foundIn(
        destinationOf(),
        destinationOf({ waiting, lag_seconds: 301 }),
        destinationOf({ kind: "webhook", name: "", waiting, lag_seconds: null }),
        destinationOf({ kind: "lake", name: "folder", last_error: "disk full" }),
      ),
    ).toEqual([
      [
        "warning",
        "forward hosted of workspace 2, 8 wait, for 301 s; webhook https://example.com of workspace 2, 8 wait; lake folder of workspace 2: disk full",
      ],
    ])
  })

  it("names five at most, and counts the others", () => {
    const all = Array.from({ length: 7 }, (_, n) => destinationOf({ name: `f${n}`, last_error: "503" }))
    const [[, found] = []] = foundIn(...all)
    expect(found).toMatch(/f4 of workspace 2: 503; 2 more$/)
  })
})
