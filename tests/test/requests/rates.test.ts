import { describe, expect, it } from "vitest"
import { eventually } from "../../src/eventually.ts"
import { expectTrackSuccess, expectEntityFaults, expectSingleFault } from "../../src/expectAnswer.ts"
import { fresh } from "../../src/fresh.ts"
import type { Answer } from "../../src/http.ts"
import { Tenant } from "../../src/Tenant.ts"

const requests = 3
const limits = { rate_requests: requests, rate_window_seconds: 1 }

const sendEvents = (tenant: Tenant, count: number): Promise<ReadonlyArray<Answer>> =>
  Promise.all(Array.from({ length: count }, () => tenant.recordEvent(fresh("p"), { name: "e" })))

const statusesOf = (answers: ReadonlyArray<Answer>) => new Set(answers.map(({ status }) => status))

describe("the rate of a workspace", () => {
  it("track-api §8 request rate: every answer states the default limit of 3000 requests in 3 seconds", async () => {
    const answer = await (await Tenant.create()).identify(fresh("p"))
    expectTrackSuccess(answer)
    expect(answer.headers).toMatchObject({
      "ratelimit-limit": "3000",
      "ratelimit-remaining": "2999",
      "ratelimit-reset": "3",
      "ratelimit-policy": "3000;w=3",
    })
  })

  it("contract §15 observe: in the mode observe, requests over the rate are answered with 200, and a warning is added to the activity log", async () => {
    const tenant = await Tenant.create({ limits })
    const answers = await sendEvents(tenant, requests * 6)
    expect(statusesOf(answers)).toEqual(new Set([200]))
    expect(answers.some(({ headers }) => headers["ratelimit-remaining"] === "0")).toBe(true)
    const warning = await eventually("the activity log has a warning", async () =>
      (await tenant.activity({})).find(({ source }) => source === "system"),
    )
    expect(warning).toMatchObject({ kind: null, reason: expect.stringContaining(`${requests} are allowed`) })
    expect(Number.parseInt(warning.reason ?? "", 10)).toBeGreaterThan(requests + 1)
    expect((await tenant.activity({ kind: "event" })).length).toBe(requests * 6)
  })

  it("contract §15 throttle: requests get a 429 with Retry-After while the workspace exceeds its rate, and a 200 afterwards", async () => {
    const tenant = await Tenant.create({ limits, rate_limit: "throttle" })
    expect(statusesOf(await sendEvents(tenant, requests * 2))).toEqual(new Set([200]))
    const refused = await eventually("a v1 call gets a 429", async () =>
      (await sendEvents(tenant, requests * 3)).find(({ status }) => status === 429),
    )
    expectSingleFault(refused)
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0)
    expect(refused.headers["ratelimit-remaining"]).toBe("0")
    const v2 = await eventually("a v2 call gets a 429", async () => {
      const answers = await Promise.all(Array.from({ length: requests * 3 }, () => tenant.batch([])))
      return answers.find(({ status }) => status === 429)
    })
    expectEntityFaults(v2, { reason: "too_many" })
    await eventually("a call gets a 200", async () =>
      (await tenant.recordEvent("p", { name: "late" })).status === 200 ? true : undefined,
    )
    expect((await tenant.activity({ name: "late" })).length).toBe(1)
    expect((await tenant.activity({ outcome: "rejected" })).length).toBe(0)
  })

  it("a workspace over its rate does not throttle another workspace", async () => {
    const tenant = await Tenant.create({ limits, rate_limit: "throttle" })
    await sendEvents(tenant, requests * 4)
    expectTrackSuccess(await (await Tenant.create({ limits, rate_limit: "throttle" })).identify(fresh("p")))
  })
})
