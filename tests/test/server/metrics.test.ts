import { PostgresServer } from "@inlethq/postgres-server/PostgresServer"
import { Schema } from "effect"
import { parse } from "yaml"
import { freshDirectory } from "../../src/cleanup.ts"
import { readDocument } from "../../src/documents/documents.ts"
import { eventually } from "../../src/eventually.ts"
import { Management } from "../../src/Management.ts"
import { afterAll, describe, expect, it } from "vitest"
import { fresh } from "../../src/fresh.ts"
import { send } from "../../src/http.ts"
import { identify } from "../../src/ingestion.ts"
import { Inlet } from "../../src/Inlet.ts"

const inlet = await Inlet.start()
afterAll(() => inlet.stop())

/** Returns the value of each series, by its name and labels. */
const scrape = async (from: Inlet = inlet): Promise<ReadonlyMap<string, number>> => {
  const { text } = await send(from.url, { method: "GET", path: "/metrics" })
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
  'inlet_refused_calls_total{reason="unknown_key"}',
  'inlet_audited_requests_total{outcome="refused"}',
  "inlet_rate_excesses_total",
  "inlet_unauthorized_calls_total",
  "inlet_unapplied_unsubscribes_total",
  "inlet_client_metric_reports_total",
  "inlet_commit_duration_seconds_count",
  "inlet_sync_duration_seconds_count",
  "inlet_http_answer_duration_seconds_count",
  "inlet_webhook_attempt_duration_seconds_count",
  'nodejs_gc_duration_seconds_count{kind="weakcb"}',
]

/** Returns the names of metrics in texts. */
const namesIn = (texts: ReadonlyArray<string>): ReadonlySet<string> =>
  new Set(texts.flatMap((text) => text.match(/\b(?:inlet|process|nodejs)_\w+/g) ?? []))

describe("the dashboard and the alerts", () => {
  const Dashboard = Schema.fromJsonString(
    Schema.Struct({
      panels: Schema.Array(
        Schema.Struct({
          title: Schema.String,
          targets: Schema.Array(Schema.Struct({ expr: Schema.String })),
        }),
      ),
    }),
  )
  const Alerts = Schema.Struct({
    groups: Schema.Array(
      Schema.Struct({
        rules: Schema.Array(
          Schema.Struct({
            alert: Schema.String,
            expr: Schema.String,
            annotations: Schema.Struct({ summary: Schema.String, description: Schema.String }),
          }),
        ),
      }),
    ),
  })
  const { panels } = Schema.decodeUnknownSync(Dashboard)(readDocument("deploy/grafana/inlet.json"))
  const { groups } = Schema.decodeUnknownSync(Alerts)(parse(readDocument("deploy/prometheus/alerts.yaml")))
  const wanted = namesIn([
    ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ...groups.flatMap(({ rules }) => rules.map(({ expr }) => expr)),
  ])

  it("every metric in the dashboard and in the alerts is exported by a server", async () => {
    const database = await PostgresServer.start()
    const other = await Inlet.start({
      env: {
        INLET_STORE: database.url(await database.createDatabase()),
        INLET_SECRET: "s".repeat(32),
        INLET_WEBHOOK_ALLOW: "127.0.0.0/8",
        INLET_KAFKA: "127.0.0.1:1",
      },
    })
    try {
      const management = new Management(other)
      const webhook = { name: "w", url: "http://127.0.0.1:1/", kind: "activity", events: ["*"] }
      await management.call("POST", management.pathOf("/webhooks"), webhook)
      const forward = { name: "f", to: "segment", url: "http://127.0.0.1:1", key: "k" }
      await management.call("POST", management.pathOf("/forwards"), forward)
      const lake = { target: "folder", url: freshDirectory() }
      await management.call("PATCH", "/workspaces/1", { kafka: { topic: "activity" }, lake })
      await identify(other, fresh("p"), {})
      const missing = await eventually("every metric is exported", async () => {
        const exported = namesIn([...(await scrape()).keys(), ...(await scrape(other)).keys()])
        const absent = [...wanted].filter((name) => !exported.has(name))
        return absent.length === 0 ? absent : undefined
      })
      expect(missing).toEqual([])
    } finally {
      await other.stop()
      await database.remove()
    }
  })

  it("the titles of panels and the names of alerts are unique", () => {
    const titles = panels.map(({ title }) => title)
    const alerts = groups.flatMap(({ rules }) => rules.map(({ alert }) => alert))
    for (const names of [titles, alerts]) expect(new Set(names).size).toBe(names.length)
  })
})

describe("the metrics", () => {
  it("counters are exported from the start with 0, and then count", async () => {
    const before = await scrape()
    for (const series of fromTheStart)
      expect([series, before.get(series)]).toEqual([series, expect.any(Number)])
    const created = 'inlet_operations_total{outcome="created"}'
    expect(before.get(created)).toBe(0)
    await identify(inlet, fresh("p"), {})
    const after = await scrape()
    expect(after.get(created)).toBe(1)
    const syncs = "inlet_sync_duration_seconds_count"
    expect(after.get(syncs)).toBeGreaterThan(before.get(syncs) ?? Infinity)
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
