// Measures how long the Live page takes to load. Then measures the memory and the frame times of the page while
// operations arrive, and prints whether the page shows all operations or a sample. Needs Linux, because the memory is
// read from `/proc`.
//
//   pnpm bench:console                              5,000 operations a second for 10 minutes
//   pnpm bench:console --minutes 2 --rate 1000
import { availableParallelism } from "node:os"
import { setTimeout as pause } from "node:timers/promises"
import { parseArgs } from "node:util"
import { launchBrowser } from "../browser.ts"
import { Inlet } from "../Inlet.ts"
import { sendSamples } from "./sampleData.ts"
import { buildConsole } from "./buildConsole.ts"
import { coldLoad } from "./coldLoad.ts"
import { ConsoleVisit } from "./ConsoleVisit.ts"
import { OperationLoad } from "./OperationLoad.ts"
import { PageMeter } from "./PageMeter.ts"

const { values } = parseArgs({
  // pnpm also passes the argument `--` to the program, which does not need it.
  args: process.argv.slice(2).filter((arg) => arg !== "--"),
  options: {
    minutes: { type: "string", default: "10" },
    rate: { type: "string", default: "5000" },
  },
})
const minutes = Number(values.minutes)
const rate = Number(values.rate)
if (!(minutes > 0) || !(rate > 0)) throw new Error("--minutes and --rate must be numbers above 0")

/** The number of loads with an empty cache. */
const coldLoads = 7

/** The number of times that one run reads the figures of the page. Each reading is printed as one line. */
const readings = 20

const quantile = (sorted: ReadonlyArray<number>, part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN

const framesText = (timesMs: ReadonlyArray<number>): string => {
  const sorted = timesMs.toSorted((a, b) => a - b)
  const perSecond = timesMs.length / (timesMs.reduce((sum, time) => sum + time, 0) / 1000)
  const [p50, p99, longest] = [0.5, 0.99, 1].map((part) => quantile(sorted, part).toFixed(1))
  return `${perSecond.toFixed(1)} frames/s, p50 ${p50} ms, p99 ${p99} ms, longest ${longest} ms`
}

const memoryText = (...megabytes: readonly [heap: number, own: number, resident: number]): string => {
  const [heap, own, resident] = megabytes.map((size) => size.toFixed(0))
  return `heap ${heap} MB, process ${own} MB private, ${resident} MB resident`
}

await buildConsole()
const inlet = await Inlet.start()
const browser = await launchBrowser({ optimizing: true })
const visit = await ConsoleVisit.open(browser, inlet)
await visit.signIn()
console.log(`${availableParallelism()} cores, ${browser.browserType().name()} ${browser.version()}, headless`)

await sendSamples(inlet)
for (let load = 1; load <= coldLoads; load++) {
  const { firstPaintMs, firstRowMs } = await coldLoad(browser, inlet, visit)
  console.log(
    `cold load: first text after ${firstPaintMs.toFixed(0)} ms, list after ${firstRowMs.toFixed(0)} ms`,
  )
}

await visit.go("/w/1/live")
await visit.page.getByRole("status").filter({ hasText: "Live" }).waitFor()
const meter = await PageMeter.start(browser, visit.page)
await meter.read()

const load = new OperationLoad(inlet, rate)
const from = performance.now()
const sending = load.run()
const frameTimesMs: Array<number> = []
const maximum = { heap: 0, private: 0, resident: 0 }
for (let reading = 1; reading <= readings; reading++) {
  const until = from + (reading / readings) * minutes * 60_000
  await Promise.race([pause(until - performance.now()), sending])
  const page = await meter.read()
  frameTimesMs.push(...page.frameTimesMs)
  maximum.heap = Math.max(maximum.heap, page.heapMegabytes)
  maximum.private = Math.max(maximum.private, page.privateMegabytes)
  maximum.resident = Math.max(maximum.resident, page.residentMegabytes)
  const seconds = (performance.now() - from) / 1000
  const sample = await visit.page.getByText(/showing 1 in \d+/).allTextContents()
  console.log(
    [
      `${seconds.toFixed(0)} s`,
      `${(load.acknowledged / seconds).toFixed(0)} operations/s`,
      sample.join("") || "all operations are shown",
      memoryText(page.heapMegabytes, page.privateMegabytes, page.residentMegabytes),
      framesText(page.frameTimesMs),
    ].join(" | "),
  )
}
load.stop()
await sending
console.log(`all: ${framesText(frameTimesMs)}`)
console.log(`maximum: ${memoryText(maximum.heap, maximum.private, maximum.resident)}`)
console.log(`errors of the page: ${visit.errors.length === 0 ? "none" : visit.errors.join("; ")}`)
await browser.close()
await inlet.stop()
