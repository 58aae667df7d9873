import { mkdirSync, writeFileSync } from "node:fs"
import { cpus } from "node:os"
import { join } from "node:path"
import { compareBuilds } from "./against/compareBuilds.ts"
import { comparedFigures, printComparisons } from "./against/comparisonTable.ts"
import { Bench } from "./Bench.ts"
import { phaseNames, readOptions, type Options, type PhaseName } from "./options.ts"
import { overallRows } from "./overall.ts"
import { measureBackup } from "./phases/backup.ts"
import { measureBatches } from "./phases/batch.ts"
import { measureClients, measureContexts } from "./phases/context.ts"
import { measureForwards } from "./phases/forwards.ts"
import { measureHistory } from "./phases/history.ts"
import { measureLake } from "./phases/lake.ts"
import { measureMerge } from "./phases/merge.ts"
import { measurePages } from "./phases/pages.ts"
import { measurePostgres } from "./phases/postgres.ts"
import { measurePostgresHistory } from "./phases/postgresHistory.ts"
import { measurePostgresNodes } from "./phases/postgresNodes.ts"
import { profile } from "./phases/profile.ts"
import { measureRaw, type RawRates } from "./phases/raw.ts"
import { measureReaders } from "./phases/readers.ts"
import { measureRuleBuilds, measureRules, measureRuleTimers } from "./phases/rules.ts"
import { measureSdk } from "./phases/sdk.ts"
import { measureSingle } from "./phases/single.ts"
import { measureSlowDisk } from "./phases/slowDisk.ts"
import { measureWebhooks } from "./phases/webhooks.ts"
import { recordPhase } from "./recordPhase.ts"
import { printSummary, printTable, whole, type Row } from "./report.ts"
import { killAll } from "./Server.ts"

interface Phase {
  readonly what: (options: Options) => string
  /** Measures the phase. `raw` has the rates of the phase `raw`, if it has run. */
  readonly measure: (bench: Bench, raw: RawRates) => Promise<void>
}

const phases: Readonly<Record<Exclude<PhaseName, "raw">, Phase>> = {
  single: { what: () => "single events, in alternation with a bare server", measure: measureSingle },
  "slow-disk": { what: () => "single events while each sync takes longer", measure: measureSlowDisk },
  batch: { what: () => "batches", measure: measureBatches },
  context: {
    what: () => "Pipelines events with contexts, in alternation with those without",
    measure: measureContexts,
  },
  clients: {
    what: () => "single events as client libraries send them, on both APIs",
    measure: measureClients,
  },
  merge: { what: () => "a merge of a person with a million events", measure: measureMerge },
  readers: { what: () => "single events while a million entries are read", measure: measureReaders },
  pages: {
    what: ({ people }) => `pages of ${whole(people)} people on both databases`,
    measure: measurePages,
  },
  backup: { what: () => "single events beside inlet backup", measure: measureBackup },
  webhooks: {
    what: () => "deliveries of a webhook, and single events beside them",
    measure: measureWebhooks,
  },
  forwards: {
    what: () => "events that a forward sends, and single events beside it",
    measure: measureForwards,
  },
  lake: {
    what: ({ entries }) => `a lake of ${whole(entries)} entries, and single events beside it`,
    measure: measureLake,
  },
  rules: {
    what: () => "segments by rule, in alternation with a server without rules",
    measure: measureRules,
  },
  "rule-builds": {
    what: ({ people }) => `builds of rules over ${whole(people)} people, beside single events`,
    measure: measureRuleBuilds,
  },
  "rule-timers": {
    what: () => "people who leave a segment at the same time, beside single events",
    measure: measureRuleTimers,
  },
  history: {
    what: ({ people }) => `a store of ${whole(people)} people, in alternation with an empty one`,
    measure: measureHistory,
  },
  postgres: { what: () => "batches and single events on PostgreSQL", measure: measurePostgres },
  "postgres-history": {
    what: ({ people }) =>
      `a PostgreSQL database of ${whole(people)} people, in alternation with an empty one`,
    measure: measurePostgresHistory,
  },
  "postgres-nodes": {
    what: () => "three nodes on one PostgreSQL database, in alternation with one",
    measure: measurePostgresNodes,
  },
  sdk: { what: () => "a program that sends calls with the SDK", measure: measureSdk },
}

/** Measures the chosen phases in the order of their names, and hands each one's rows to `ended`. */
const measure = async (
  bench: Bench,
  ended: (phase: PhaseName, what: string, rows: ReadonlyArray<Row>) => void,
): Promise<void> => {
  const { options } = bench
  let raw: RawRates = new Map()
  for (const name of phaseNames.filter((phase) => options.phases.has(phase))) {
    const from = bench.rows.length
    const what = name === "raw" ? "inserts into SQLite without Inlet" : phases[name].what(options)
    console.error(`measuring ${what} …`)
    if (name === "raw") raw = await measureRaw(bench)
    else await phases[name].measure(bench, raw)
    ended(name, what, bench.rows.slice(from))
  }
  if (bench.peakMegabytes > 0) bench.rows.push(...overallRows(bench.rows, bench.peakMegabytes))
}

const write = (bench: Bench, file: string, figures: object): void => {
  const directory = join(import.meta.dirname, "../results")
  mkdirSync(directory, { recursive: true })
  const { directory: _, phases, ...options } = bench.options
  const result = {
    at: new Date().toISOString(),
    node: process.version,
    cpu: cpus()[0]?.model,
    cores: cpus().length,
    options: { ...options, phases: [...phases] },
    ...figures,
    verified: bench.verified,
  }
  writeFileSync(join(directory, file), `${JSON.stringify(result, null, 2)}\n`)
}

const compare = async (bench: Bench, ref: string): Promise<void> => {
  const { commit, comparisons } = await compareBuilds(bench, ref)
  printComparisons(commit, comparisons)
  printSummary([], bench.verified)
  const figures = comparisons.map((comparison) => ({
    name: comparison.name,
    figures: comparedFigures(comparison),
  }))
  write(bench, "against.json", { commit, comparisons: figures })
}

const run = async (bench: Bench): Promise<void> => {
  const { against } = bench.options
  if (bench.options.profile) return profile(bench)
  if (against !== null) {
    await compare(bench, against)
    return failIfLost(bench)
  }
  const from = performance.now()
  const ended = bench.options.record ? recordPhase : () => undefined
  const fault = await measure(bench, ended).then(
    () => undefined,
    (error: unknown) => ({ error }),
  )
  const seconds = (performance.now() - from) / 1000
  console.log(`\nNode ${process.version}, ${cpus().length} cores, ${seconds.toFixed(0)} s\n`)
  printTable(bench.rows)
  printSummary(bench.rows, bench.verified)
  write(bench, "latest.json", { seconds, rows: bench.rows })
  if (fault !== undefined) throw fault.error
  failIfLost(bench)
}

/** A missed target is a normal result of the benchmark. A lost or duplicated event is an error. */
const failIfLost = (bench: Bench): void => {
  if (bench.verified.some(({ exactlyOnce }) => !exactlyOnce)) process.exitCode = 1
}

const bench = new Bench(readOptions(process.argv.slice(2)))
process.once("exit", () => {
  killAll()
  bench.close()
})
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130))

run(bench).then(
  () => process.exit(),
  (error: unknown) => {
    console.error(error)
    process.exit(1)
  },
)
