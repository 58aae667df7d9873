import { afterAll, describe, expect, it } from "vitest"
import { fresh } from "../src/fresh.ts"
import { send } from "../src/http.ts"
import { identify } from "../src/ingestion.ts"
import { Inlet } from "../src/Inlet.ts"

const inlet = await Inlet.start()
afterAll(() => inlet.stop())

/** Returns the value of each series, by its name and labels. */
const scrape = async (): Promise<ReadonlyMap<string, number>> => {
  const { text } = await send(inlet.url, { method: "GET", path: "/metrics" })
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"))
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.split(" ").at(-1))]))
}

const fromTheStart = [
  ...["applied", "created", "duplicate", "ignored", "dropped", "partial", "rejected", "pending"].map(
    (outcome) => `inlet_operations_total{outcome="${outcome}"}`,
  ),
  ...["delivered", "retrying", "failed", "skipped"].map(
    (status) => `inlet_webhook_attempts_total{status="${status}"}`,
  ),
  'inlet_http_answers_total{protocol="track-v1",status="503"}',
  'inlet_http_answers_total{protocol="track-v2",status="207"}',
  'inlet_http_answers_total{protocol="pipelines",status="500"}',
  "inlet_wrong_tokens_total",
  "inlet_rate_excesses_total",
  "inlet_unauthorized_calls_total",
  "inlet_unapplied_unsubscribes_total",
  "inlet_client_metric_reports_total",
  "inlet_commit_duration_seconds_count",
  "inlet_http_answer_duration_seconds_count",
  "inlet_webhook_attempt_duration_seconds_count",
  'nodejs_gc_duration_seconds_count{kind="weakcb"}',
]

describe("the metrics", () => {
  it("counters are exported from the start with 0, and then count", async () => {
    const before = await scrape()
    for (const series of fromTheStart)
      expect([series, before.get(series)]).toEqual([series, expect.any(Number)])
    const created = 'inlet_operations_total{outcome="created"}'
    expect(before.get(created)).toBe(0)
    await identify(inlet, fresh("p"), {})
    expect((await scrape()).get(created)).toBe(1)
  })

  it("the process, the runtime, the queue, the store and the version are exported", async () => {
    const series = await scrape()
    const now = Date.now() / 1000
    expect(series.get("process_start_time_seconds")).toBeGreaterThan(now - 24 * 3600)
    expect(series.get("process_start_time_seconds")).toBeLessThanOrEqual(now)
    for (const name of [
      "process_cpu_seconds_total",
      "process_resident_memory_bytes",
      "nodejs_heap_size_used_bytes",
      "nodejs_heap_size_total_bytes",
      "nodejs_external_memory_bytes",
      "inlet_store_bytes",
      "inlet_data_free_bytes",
    ]) {
      expect([name, series.get(name)]).toEqual([name, expect.any(Number)])
      expect(series.get(name)).toBeGreaterThan(0)
    }
    for (const of of ["mean", "p50", "p99", "max"]) {
      expect(series.get(`nodejs_eventloop_lag_${of}_seconds`)).toBeGreaterThanOrEqual(0)
    }
    expect(series.get("inlet_waiting_operations")).toBe(0)
    expect(series.get("inlet_oldest_waiting_seconds")).toBe(0)
    const [build = "", ...others] = [...series.keys()].filter((name) => name.startsWith("inlet_build_info{"))
    expect(others).toEqual([])
    expect(build).toMatch(/node="26\./)
    expect(build).toMatch(/store="sqlite"/)
    expect(build).toMatch(/version="\d+\./)
    expect(series.get(build)).toBe(1)
  })

  it("CPU time does not go back between two reads", async () => {
    const before = (await scrape()).get("process_cpu_seconds_total") ?? Number.NaN
    expect((await scrape()).get("process_cpu_seconds_total")).toBeGreaterThanOrEqual(before)
  })
})
