import { mkdirSync, writeFileSync } from "node:fs"
import { cpus } from "node:os"
import { join } from "node:path"
import { compareBuilds } from "./against/compareBuilds.ts"
import { comparedFigures, printComparisons } from "./against/comparisonTable.ts"
import { Bench } from "./Bench.ts"
import { readOptions, type PhaseName } from "./options.ts"
import { overallRows } from "./overall.ts"
import { measureBackup } from "./phases/backup.ts"
import { measureBatches } from "./phases/batch.ts"
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
import { printSummary, printTable, whole } from "./report.ts"
import { killAll } from "./Server.ts"

const measure = async (bench: Bench): Promise<void> => {
  const { people, phases } = bench.options
  const wants = (phase: PhaseName, what: string) => {
    if (phases.has(phase)) console.error(`measuring ${what} …`)
    return phases.has(phase)
  }
  const raw: RawRates = wants("raw", "bare SQLite") ? await measureRaw(bench) : new Map()
  if (wants("single", "single events, in alternation with a bare server")) await measureSingle(bench, raw)
  if (wants("slow-disk", "single events while each sync takes longer")) await measureSlowDisk(bench)
  if (wants("batch", "batches")) await measureBatches(bench, raw)
  if (wants("merge", "a merge of a person with a million events")) await measureMerge(bench)
  if (wants("readers", "single events while a million entries are read")) await measureReaders(bench)
  if (wants("pages", `pages of ${whole(people)} people on both databases`)) await measurePages(bench)
  if (wants("backup", "single events beside inlet backup")) await measureBackup(bench)
  if (wants("webhooks", "deliveries of a webhook, and single events beside them"))
    await measureWebhooks(bench)
  if (wants("lake", `a lake of ${whole(bench.options.entries)} entries, and single events beside it`))
    await measureLake(bench)
  if (wants("rules", "segments by rule, in alternation with a server without rules"))
    await measureRules(bench)
  if (wants("rule-builds", `builds of rules over ${whole(people)} people, beside single events`))
    await measureRuleBuilds(bench)
  if (wants("rule-timers", "people who leave a segment at the same time, beside single events"))
    await measureRuleTimers(bench)
  if (wants("history", `a store of ${whole(people)} people, in alternation with an empty one`))
    await measureHistory(bench)
  if (wants("postgres", "batches and single events on PostgreSQL")) await measurePostgres(bench)
  if (
    wants(
      "postgres-history",
      `a PostgreSQL database of ${whole(people)} people, in alternation with an empty one`,
    )
  )
    await measurePostgresHistory(bench)
  if (wants("postgres-nodes", "three nodes on one PostgreSQL database, in alternation with one"))
    await measurePostgresNodes(bench)
  if (wants("sdk", "a program that sends calls with the SDK")) await measureSdk(bench)
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
  const fault = await measure(bench).then(
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
