import { openSync, readSync } from "node:fs"
import { isMainThread } from "node:worker_threads"

/*
 * Preloaded into benchmarked servers with `--import`. Measures for how long the main thread was blocked: the longest time
 * between two firings of a timer of one millisecond, the longest such time without waits for a core, and the most CPU time.
 *
 * The file is JavaScript because a TypeScript file would add 17 MB to the measured memory.
 */

const periodMs = 1

/**
 * The time from a request for a report to the report. The timer needs this time to record that the main thread was
 * blocked just before the request.
 */
const settleMs = 5

/** More bytes than Linux writes into a `schedstat`. */
const schedstatBytes = 96

/** Returns a function that returns for how long this thread has waited for a core, in ms, or NaN where only Linux knows. */
const waitClock = () => {
  if (process.platform !== "linux") return () => Number.NaN
  const file = openSync("/proc/thread-self/schedstat", "r")
  const bytes = Buffer.alloc(schedstatBytes)
  return () => {
    const length = readSync(file, bytes, 0, bytes.length, 0)
    // Three numbers: nanoseconds on a core, nanoseconds of waiting for one, and how often it got one.
    return Number(bytes.toString("latin1", 0, length).split(" ")[1]) / 1e6
  }
}

const monitor = () => {
  const waitedMs = waitClock()

  const clocks = () => {
    const { system, user } = process.threadCpuUsage()
    return { at: performance.now(), waited: waitedMs(), worked: (system + user) / 1000 }
  }

  /** @type {NodeJS.Timeout | undefined} */
  let timer
  let last = clocks()
  let longest = { blockedMs: 0, ownMs: 0, workedMs: 0 }

  const look = () => {
    const now = clocks()
    const blockedMs = now.at - last.at - periodMs
    longest = {
      blockedMs: Math.max(longest.blockedMs, blockedMs),
      ownMs: Math.max(longest.ownMs, blockedMs - (now.waited - last.waited)),
      workedMs: Math.max(longest.workedMs, now.worked - last.worked),
    }
    last = now
  }

  const start = () => {
    clearInterval(timer)
    last = clocks()
    longest = { blockedMs: 0, ownMs: 0, workedMs: 0 }
    timer = setInterval(look, periodMs)
    timer.unref()
  }

  const report = () => {
    clearInterval(timer)
    process.send?.(longest)
  }

  return { start, report }
}

// Worker threads also load this file, but they have no channel to the benchmark.
if (isMainThread && process.channel) {
  const { report, start } = monitor()
  process.on("message", (message) => (message === "start" ? start() : setTimeout(report, settleMs)))
  // The channel must not prevent a graceful stop of the server.
  process.channel.unref()
}
