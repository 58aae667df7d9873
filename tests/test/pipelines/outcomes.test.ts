import { describe, expect, it } from "vitest"
import { fresh, freshEmail, textOfBytes } from "../../src/fresh.ts"
import type { Answer } from "../../src/http.ts"
import { strict } from "../../src/ingestion.ts"
import { Inlet } from "../../src/Inlet.ts"
import { PipelinesSource } from "../../src/PipelinesSource.ts"

/** Returns the newest log entries in the format of `outcomes` in a response to a request with `?outcomes=true`. */
const recorded = async (source: PipelinesSource, indices: ReadonlyArray<number | null>) =>
  (await source.log()).slice(-indices.length).map(({ operation_id, outcome, reason, reasons, rule }, at) => ({
    index: indices[at],
    operation_id,
    outcome,
    code: reasons[0]?.code ?? null,
    reason,
    rule,
  }))

const outcomesOf = ({ json }: Answer): unknown =>
  typeof json === "object" && json !== null && "outcomes" in json ? json.outcomes : undefined

describe("outcomes in answers", () => {
  it.concurrent("contract §13 outcomes: the answer to a batch lists the outcome, reason and rule of each entry in order", async () => {
    const source = await PipelinesSource.create()
    const [email, messageId] = [freshEmail(), fresh("message")]
    const batch = [
      { type: "identify", userId: "ada", traits: { email } },
      { type: "identify", userId: "bob", traits: { email, plan: "pro" } },
      { type: "track", userId: "ada", event: "signed_up", messageId },
      { type: "track", userId: "ada", event: "signed_up", messageId },
      { type: "track", userId: "ada", event: "" },
      { type: "trak", userId: "ada" },
      { type: "track", userId: "svc_unknown", event: "seen" },
      { type: "track", anonymousId: "visitor", event: "seen" },
    ]
    const answer = await source.post("batch?outcomes=true", { batch })
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual({ success: true, outcomes: await recorded(source, [...batch.keys()]) })
    expect(outcomesOf(answer)).toMatchObject([
      { index: 0, outcome: "created", reason: null, rule: "track-api §2.1 rule 1" },
      { index: 1, outcome: "partial", reason: "email: email belongs to another person" },
      { index: 2, outcome: "applied" },
      { index: 3, outcome: "duplicate", rule: "contract §8 deduplication" },
      { index: 4, outcome: "rejected", rule: "contract §4 recorded refusals" },
      { index: 5, outcome: "rejected", reason: expect.stringContaining('unknown type "trak"') },
      { index: 6, outcome: "dropped" },
      { index: 7, outcome: "pending", rule: "contract §7 unattached events" },
    ])
  })

  it.concurrent("the 400 for a strict batch with an invalid call lists the outcome of every call", async () => {
    const source = await PipelinesSource.create()
    const batch = [
      { type: "track", userId: "ada", event: "ok" },
      { type: "track", userId: "ada" },
    ]
    const answer = await source.post("batch?outcomes=true", { batch }, strict)
    expect(answer.status).toBe(400)
    expect(outcomesOf(answer)).toEqual(await recorded(source, [0, 1]))
    expect(outcomesOf(answer)).toMatchObject([{ outcome: "rejected" }, { outcome: "rejected" }])
  })

  it.concurrent.each<readonly [string, string, string | object]>([
    ["a single call", "track", { userId: "ada", event: "signed_up" }],
    ["a single call that is rejected", "track", { userId: "ada" }],
    ["a batch that is not JSON", "batch", "{"],
    ["a batch without calls in a list", "batch", { batch: 1 }],
    ["a batch that is too large", "batch", textOfBytes(1024 * 1024 + 1)],
  ])("the answer to %s lists one outcome without an index", async (_name, path, payload) => {
    const source = await PipelinesSource.create()
    const answer = await source.post(`${path}?outcomes=true`, payload)
    expect(answer.json).toEqual({ success: true, outcomes: await recorded(source, [null]) })
  })

  it.concurrent("the answer to an empty Pipelines batch has no outcomes", async () => {
    const source = await PipelinesSource.create()
    const answer = await source.post("batch?outcomes=true", { batch: [] })
    expect(answer.json).toEqual({ success: true, outcomes: [] })
  })

  it.concurrent("the answer to a Pipelines batch with its write key in the body lists outcomes", async () => {
    const source = await PipelinesSource.create()
    const batch = [{ type: "track", userId: "ada", event: "signed_up" }]
    const answer = await source.postAsBrowser("batch?outcomes=true", { batch })
    expect(outcomesOf(answer)).toEqual(await recorded(source, [0]))
  })

  it.concurrent("a Pipelines request with an unknown write key is answered with one rejected outcome", async () => {
    const source = await PipelinesSource.create()
    const batch = [{ type: "track", userId: "ada", event: "signed_up" }]
    const answer = await source.post("batch?outcomes=true", { batch }, { authorization: "Basic d3Jvbmc6" })
    expect(answer.json).toEqual({
      success: true,
      outcomes: [
        {
          index: null,
          operation_id: null,
          outcome: "rejected",
          code: "pipelines_unknown_key",
          reason: "unknown write key",
          rule: "contract §3 unauthorized calls",
        },
      ],
    })
    expect(await source.log()).toEqual([])
  })

  it.concurrent("the answer to a Pipelines request that does not ask for outcomes has no outcomes", async () => {
    const source = await PipelinesSource.create()
    const batch = [{ type: "track", userId: "ada", event: "signed_up" }]
    for (const path of ["batch", "batch?outcomes=false", "batch?other=true"]) {
      expect((await source.post(path, { batch })).text).toBe('{"success":true}\n')
    }
  })

  it("contract §1 written brand: the reasons of log entries name fields with the prefix that INLET_BRAND sets", async () => {
    const inlet = await Inlet.start({ env: { INLET_STORE: "memory", INLET_BRAND: "cio" } })
    const source = await PipelinesSource.create({}, inlet)
    const answer = await source.post("track?outcomes=true", { userId: "svc_unknown", event: "seen" })
    expect(outcomesOf(answer)).toMatchObject([
      { outcome: "dropped", reason: expect.stringContaining("cio_id") },
    ])
    expect(outcomesOf(answer)).toEqual(await recorded(source, [null]))
  })
})

describe("INLET_OUTCOMES=off", () => {
  it("contract §13 outcomes off: INLET_OUTCOMES=off leaves the outcomes out of every answer", async () => {
    const inlet = await Inlet.start({ env: { INLET_STORE: "memory", INLET_OUTCOMES: "off" } })
    const source = await PipelinesSource.create({}, inlet)
    const batch = [{ type: "track", userId: "ada", event: "signed_up" }]
    expect((await source.post("batch?outcomes=true", { batch })).text).toBe('{"success":true}\n')
    const wrongKey = { authorization: "Basic d3Jvbmc6" }
    expect((await source.post("batch?outcomes=true", { batch }, wrongKey)).text).toBe('{"success":true}\n')
  })
})
