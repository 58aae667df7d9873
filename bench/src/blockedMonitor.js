import { monitorEventLoopDelay } from "node:perf_hooks"
import { isMainThread } from "node:worker_threads"

/*
 * Preloaded into benchmarked servers with `--import`. Measures the longest time for which the main thread was blocked. A
 * timer of libuv that fires every millisecond measures this time without running JavaScript.
 *
 * The file is JavaScript because a TypeScript file would add 17 MB to the measured memory.
 */

const periodMs = 1

/**
 * The time from a request for a report to the report. The timer needs this time to record that the main thread was
 * blocked just before the request.
 */
const settleMs = 5

const delays = monitorEventLoopDelay({ resolution: periodMs })

const start = () => {
  delays.reset()
  delays.enable()
}

const report = () => {
  delays.disable()
  process.send?.(Math.max(0, delays.max / 1e6 - periodMs))
}

// Worker threads also load this file, but they have no channel to the benchmark.
if (isMainThread && process.channel) {
  process.on("message", (message) => (message === "start" ? start() : setTimeout(report, settleMs)))
  // The channel must not prevent a graceful stop of the server.
  process.channel.unref()
}
