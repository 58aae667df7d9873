import { mkdirSync } from "node:fs"
import { batchConnections, singleConnections, smallBatchConnections, type Bench } from "../Bench.ts"
import { knownOf } from "../people.ts"
import { counting, createRules, joinAll } from "./rules.ts"
import { readProfiles, type Times } from "../cpuProfile.ts"
import { whole } from "../report.ts"
import { scenarios, type ScenarioName } from "../scenarios.ts"

const functionsShown = 30
const linesShown = 30

/** Groups, functions and lines with a smaller share of the thread's time are not printed. */
const shareMin = 0.002

/** The calls that are profiled, on servers with so many rules that count each event of the load. */
const profiled: ReadonlyArray<{
  readonly scenario: ScenarioName
  readonly connections: number
  readonly rules: number
}> = [
  { scenario: "event", connections: singleConnections, rules: 0 },
  { scenario: "batch", connections: batchConnections, rules: 0 },
  { scenario: "browserEvents", connections: smallBatchConnections, rules: 0 },
  { scenario: "event", connections: singleConnections, rules: 3 },
  { scenario: "batch", connections: batchConnections, rules: 3 },
]

/** Runs each scenario on a server with the CPU profiler, and prints where the server spent its time. */
export const profile = async (bench: Bench): Promise<void> => {
  for (const { connections, rules, scenario } of profiled) {
    const store = bench.newStore(`profile-${scenario}-${rules}-rules`)
    const directory = bench.path(`profiles-${scenario}-${rules}-rules`)
    mkdirSync(directory)
    const flags = ["--cpu-prof", `--cpu-prof-dir=${directory}`, "--cpu-prof-interval=500"]
    const inlet = await bench.startInlet(store, { flags })
    await createRules(
      inlet,
      Array.from({ length: rules }, (_, n) => counting(n)),
    )
    await bench.addPeople(inlet, store, bench.options.people)
    if (rules > 0) await joinAll(bench, { server: inlet, store }, bench.options.people)
    const run = await bench.load(inlet, store, {
      scenario,
      people: knownOf(bench.options.people),
      connections,
      extent: bench.timed(3),
    })
    await inlet.stop()
    const { unit, units } = scenarios[scenario]
    console.log(
      `\n${scenario}, ${rules} rules: ${whole(run.unitsPerSecond)} ${unit}/s while profiling; µs are thread time for one of them`,
    )
    for (const times of readProfiles(directory, run.from, run.to)) print(times, run.requests * units)
  }
}

const print = ({ busy, functions, groups, lines, total }: Times, units: number): void => {
  console.log(`thread, busy ${((busy / total) * 100).toFixed(0)} % of the time`)
  const show = (title: string, times: Times["groups"]) => {
    console.log(`  ${title}`)
    for (const [name, micros] of times) {
      if (micros / total < shareMin) break
      const share = ((micros / total) * 100).toFixed(1).padStart(5)
      console.log(`  ${share} %  ${(micros / units).toFixed(2).padStart(7)} µs  ${name}`)
    }
  }
  show("by group", groups)
  show("by function", functions.slice(0, functionsShown))
  show("by line", lines.slice(0, linesShown))
}
