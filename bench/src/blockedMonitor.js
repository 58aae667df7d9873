import { monitorEventLoopDelay } from "node:perf_hooks"
import { isMainThread } from "node:worker_threads"

/*
 * Preloaded into benchmarked servers with `--import`. Measures the longest time in which the main thread did not reach
 * its timers. A timer of libuv that fires every millisecond measures the gaps without running JavaScript.
 *
 * The file is JavaScript because a TypeScript file would add 17 MB to the measured memory.
 */

const periodMs = 1

/** A report waits this long, so that the timer has recorded work that ended just before the request for the report. */
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

// Worker threads load this file as well, but have no channel to the benchmark.
if (isMainThread && process.channel) {
  process.on("message", (message) => (message === "start" ? start() : setTimeout(report, settleMs)))
  // The channel must not prevent a graceful stop of the server.
  process.channel.unref()
}
