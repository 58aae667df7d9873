import { Clock, Context, Duration, Effect, Layer, Metric, Option, Schedule } from "effect"
import { constants, monitorEventLoopDelay, performance, PerformanceObserver } from "node:perf_hooks"
import { Ingest } from "@inlethq/engine/commits/Ingest"
import { Store } from "@inlethq/core/ports/Store"
import manifest from "../package.json" with { type: "json" }
import { readFreeBytes } from "./readFreeBytes.ts"
import { Settings } from "./Settings.ts"

/** The period over which the lag of the event loop is measured. */
const lagPeriod = Duration.seconds(15)

/** The interval, in milliseconds, at which the lag of the event loop is sampled. */
const lagResolutionMs = 20

const gauge = (name: string, description: string) => Metric.gauge(name, { description })
const lagOf = (of: string, text: string) =>
  gauge(`nodejs_eventloop_lag_${of}_seconds`, `${text} of the event loop's lag in the last 15 seconds`)

const cpuSeconds = Metric.counter("process_cpu_seconds_total", {
  description: "CPU time that the process has used",
  incremental: true,
})
const residentBytes = gauge("process_resident_memory_bytes", "Memory of the process")
const startTime = gauge("process_start_time_seconds", "Start of the process, in seconds since 1970")
const heapUsed = gauge("nodejs_heap_size_used_bytes", "Memory that JavaScript objects use")
const heapTotal = gauge("nodejs_heap_size_total_bytes", "Memory that is reserved for JavaScript objects")
const externalBytes = gauge("nodejs_external_memory_bytes", "Memory outside the heap that objects hold")
const lag = {
  mean: lagOf("mean", "Mean"),
  p50: lagOf("p50", "Median"),
  p99: lagOf("p99", "99th percentile"),
  max: lagOf("max", "Maximum"),
}
const waitingOperations = gauge("inlet_waiting_operations", "Operations that wait for a commit")
const oldestWaiting = gauge(
  "inlet_oldest_waiting_seconds",
  "Age of the oldest operation that waits for a commit",
)
const storeBytes = gauge("inlet_store_bytes", "Size of the store on disk")
const freeBytes = gauge("inlet_data_free_bytes", "Free space on the disk of the data directory")

const gcSeconds = Metric.histogram("nodejs_gc_duration_seconds", {
  description: "Duration of garbage collections, by kind",
  boundaries: Metric.exponentialBoundaries({ start: 0.001, factor: 4, count: 6 }),
})
const gcOf = (kind: string) => Metric.withAttributes(gcSeconds, { kind })
const gcKinds: ReadonlyMap<unknown, Metric.Histogram<number>> = new Map([
  [constants.NODE_PERFORMANCE_GC_MAJOR, gcOf("major")],
  [constants.NODE_PERFORMANCE_GC_MINOR, gcOf("minor")],
  [constants.NODE_PERFORMANCE_GC_MINOR_MARK_SWEEP, gcOf("minor_mark_sweep")],
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL, gcOf("incremental")],
  [constants.NODE_PERFORMANCE_GC_WEAKCB, gcOf("weakcb")],
])

/** Measures the process while the scope is open: its CPU time, memory, garbage collections, queue and disk. */
export class ProcessMetrics extends Context.Service<
  ProcessMetrics,
  {
    /** Brings the metrics up to date, except for the lag of the event loop, which is measured in periods. */
    readonly sample: Effect.Effect<void>
  }
>()("@inlethq/runtime/ProcessMetrics") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const { dataDirectory, store } = yield* Settings
      const ingest = yield* Ingest
      const { size } = yield* Store
      const [node, kind] = [process.versions.node, store.kind]
      const buildInfo = gauge(
        "inlet_build_info",
        "Always 1, with the version, Node's version and the store as labels",
      )
      yield* Metric.update(
        Metric.withAttributes(buildInfo, { version: manifest.version, node, store: kind }),
        1,
      )
      yield* Metric.update(startTime, performance.timeOrigin / 1000)
      yield* Effect.forEach(gcKinds.values(), (metric) => Metric.value(metric))
      yield* measureGc
      yield* measureLag
      const sampleStore = Effect.gen(function* () {
        const { oldestWaitingAt, waitingCommands } = yield* ingest.status
        const now = yield* Clock.currentTimeMillis
        yield* Metric.update(waitingOperations, waitingCommands)
        yield* Metric.update(oldestWaiting, oldestWaitingAt === null ? 0 : (now - oldestWaitingAt) / 1000)
        const bytes = yield* Effect.option(size)
        if (Option.isSome(bytes) && bytes.value !== null) yield* Metric.update(storeBytes, bytes.value)
        if (kind === "sqlite") yield* sampleDisk(dataDirectory)
      })
      return ProcessMetrics.of({ sample: Effect.andThen(sampleProcess, sampleStore) })
    }),
  )
}

let countedCpuSeconds = 0

const sampleProcess = Effect.gen(function* () {
  const { system, user } = process.cpuUsage()
  const used = (system + user) / 1e6
  yield* Metric.update(cpuSeconds, used - countedCpuSeconds)
  countedCpuSeconds = used
  const { external, heapTotal: reserved, heapUsed: inUse, rss } = process.memoryUsage()
  yield* Metric.update(residentBytes, rss)
  yield* Metric.update(heapUsed, inUse)
  yield* Metric.update(heapTotal, reserved)
  yield* Metric.update(externalBytes, external)
})

const sampleDisk = (directory: string) =>
  Effect.flatMap(readFreeBytes(directory), (free) =>
    free === null ? Effect.void : Metric.update(freeBytes, free),
  )

const measureGc = Effect.acquireRelease(
  Effect.map(Effect.context<never>(), (context) => {
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const detail: unknown = Reflect.get(entry, "detail")
        const kind: unknown = Reflect.get(Object(detail), "kind")
        gcKinds.get(kind)?.updateUnsafe(entry.duration / 1000, context)
      }
    })
    observer.observe({ entryTypes: ["gc"] })
    return observer
  }),
  (observer) => Effect.sync(() => observer.disconnect()),
)

/** The histogram measures the time between two samples, so an idle loop shows the resolution. */
const lagSeconds = (nanos: number): number =>
  Math.max(0, (Number.isFinite(nanos) ? nanos : 0) / 1e9 - lagResolutionMs / 1000)

const measureLag = Effect.gen(function* () {
  const delays = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const histogram = monitorEventLoopDelay({ resolution: lagResolutionMs })
      histogram.enable()
      return histogram
    }),
    (histogram) => Effect.sync(() => histogram.disable()),
  )
  const publish = Effect.gen(function* () {
    yield* Metric.update(lag.mean, lagSeconds(delays.mean))
    yield* Metric.update(lag.p50, lagSeconds(delays.percentile(50)))
    yield* Metric.update(lag.p99, lagSeconds(delays.percentile(99)))
    yield* Metric.update(lag.max, lagSeconds(delays.max))
    delays.reset()
  })
  yield* Effect.forkScoped(Effect.repeat(publish, Schedule.spaced(lagPeriod)))
})
