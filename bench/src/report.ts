import type { Measurement } from "./LoadJob.ts"
import type { Verified } from "./verify.ts"

export interface Target {
  readonly text: string
  readonly met: boolean
}

/** One row of the result table. Values that were not measured are null. */
export interface Row {
  readonly scenario: string
  /** True if the row measures a server with which Inlet is compared. */
  readonly isBaseline: boolean
  readonly rate: number | null
  readonly unit: string
  /** The rate divided by other rates. The keys name the other rates. */
  readonly ratios: Readonly<Record<string, number>>
  readonly p50Ms: number | null
  readonly p99Ms: number | null
  /** The CPU time of all servers for each request, entity or event (see `unit`), in microseconds. */
  readonly cpuMicros: number | null
  /** The CPU time of PostgreSQL for each request, entity or event (see `unit`), in microseconds. */
  readonly databaseMicros: number | null
  /** The average number of CPU cores that the servers used together. */
  readonly serverCores: number | null
  /** See `Blocked`. */
  readonly blockedMs: number | null
  readonly ownMs: number | null
  readonly workedMs: number | null
  readonly rssMegabytes: number | null
  /** The average number of CPU cores that the load generator used. */
  readonly loadCpu: number | null
  /** The average number of CPU cores that everything else on the machine used. */
  readonly othersCpu: number | null
  readonly target: Target | null
  readonly failures: Readonly<Record<string, number>>
}

export const median = (values: ReadonlyArray<number>): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  const [low, high] = [sorted[Math.ceil(middle) - 1] ?? Number.NaN, sorted[Math.floor(middle)] ?? Number.NaN]
  return (low + high) / 2
}

/**
 * Compares a figure of two servers that ran alternately. Each pair of runs gives a ratio, so slow changes in
 * the machine's speed cancel out. Returns the median ratio.
 */
export const medianRatio = (
  runs: ReadonlyArray<Measurement>,
  others: ReadonlyArray<Measurement>,
  figure: (run: Measurement) => number,
): number =>
  median(
    runs.flatMap((run, i) => {
      const other = others[i]
      return other === undefined ? [] : [figure(run) / figure(other)]
    }),
  )

/**
 * Builds a row from runs of the same scenario. Memory and blocked times are maxima over the runs, and all other figures
 * are medians.
 */
export const rowOf = (
  scenario: string,
  unit: string,
  runs: ReadonlyArray<Measurement>,
  more: Partial<Pick<Row, "isBaseline" | "ratios" | "target">> = {},
): Row => {
  const of = (figure: (run: Measurement) => number) => median(runs.map(figure))
  return {
    ...plainRow(scenario, more),
    rate: of((run) => run.unitsPerSecond),
    unit,
    p50Ms: of((run) => run.p50Ms),
    p99Ms: of((run) => run.p99Ms),
    cpuMicros: of((run) => run.cpuMicrosPerUnit),
    databaseMicros: runs.some((run) => run.databaseMicrosPerUnit === null)
      ? null
      : of((run) => run.databaseMicrosPerUnit ?? Number.NaN),
    rssMegabytes: Math.max(...runs.map((run) => run.rssMegabytes)),
    blockedMs: Math.max(...runs.map((run) => run.blockedMs)),
    ownMs: Math.max(...runs.map((run) => run.ownMs)),
    workedMs: Math.max(...runs.map((run) => run.workedMs)),
    serverCores: of((run) => run.serverCores),
    loadCpu: of((run) => run.loadCpu),
    othersCpu: of((run) => run.othersCpu),
    failures: sum(runs.map((run) => run.failures)),
  }
}

/** Builds a row of the result table from the given figures. All other figures are null or empty. */
export const plainRow = (scenario: string, figures: Partial<Row>): Row => ({
  scenario,
  isBaseline: false,
  rate: null,
  unit: "",
  ratios: {},
  p50Ms: null,
  p99Ms: null,
  blockedMs: null,
  ownMs: null,
  workedMs: null,
  cpuMicros: null,
  databaseMicros: null,
  serverCores: null,
  rssMegabytes: null,
  loadCpu: null,
  othersCpu: null,
  target: null,
  failures: {},
  ...figures,
})

const sum = (counts: ReadonlyArray<Readonly<Record<string, number>>>): Record<string, number> => {
  const total: Record<string, number> = {}
  for (const count of counts) {
    for (const [name, n] of Object.entries(count)) total[name] = (total[name] ?? 0) + n
  }
  return total
}

const legend = `
blocked ms is the longest time in which the server's main thread did not reach its timers, for whatever reason. own ms leaves out the
time for which it waited for a core, which others used. worked ms is the most CPU time between two firings; what own ms has more is
calls of the system that wait, such as a sync. CPU µs is the CPU time of all Inlet nodes for one request or entity, DB µs that of PostgreSQL.
cores is the CPU time of the nodes divided by the elapsed time, RSS the peak memory of the largest node. load is the CPU use of the load generator and others that of everything else on this
machine, as a share of one core. If others is high, trust only ratios. A ratio by CPU compares CPU time per unit. Other processes
do not distort it, but it does not include waiting.`

/** The columns of the result table. */
export const columns = [
  "scenario",
  "rate",
  "ratio",
  "p50 ms",
  "p99 ms",
  "blocked ms",
  "own ms",
  "worked ms",
  "CPU µs",
  "DB µs",
  "cores",
  "RSS MB",
  "load",
  "others",
  "target",
  "",
]

export const printTable = (rows: ReadonlyArray<Row>): void => {
  const lines = [columns, ...rows.map(cells)]
  const widths = columns.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  for (const [index, line] of lines.entries()) {
    console.log(
      line
        .map((cell, column) => pad(cell, widths[column] ?? 0, column))
        .join("  ")
        .trimEnd(),
    )
    if (index === 0) console.log(widths.map((width) => "-".repeat(width)).join("  "))
  }
  console.log(legend)
}

const textColumns = new Set(["scenario", "ratio", "target", ""])

const pad = (cell: string, width: number, column: number) =>
  textColumns.has(columns[column] ?? "") ? cell.padEnd(width) : cell.padStart(width)

/** Returns the cells of a row, one for each column. */
export const cells = (row: Row): ReadonlyArray<string> => [
  row.scenario,
  row.rate === null ? "" : `${whole(row.rate)} ${row.unit}/s`,
  Object.entries(row.ratios)
    .map(([name, ratio]) => `${ratio.toFixed(2)} of ${name}`)
    .join(", "),
  figure(row.p50Ms, 1),
  figure(row.p99Ms, 1),
  figure(row.blockedMs, 1),
  figure(row.ownMs, 1),
  figure(row.workedMs, 1),
  figure(row.cpuMicros, 1),
  figure(row.databaseMicros, 1),
  figure(row.serverCores, 2),
  figure(row.rssMegabytes, 0),
  percent(row.loadCpu),
  percent(row.othersCpu),
  row.target?.text ?? "",
  verdict(row),
]

/** The CPU use of other processes, as a share of one core, above which the table marks a row as disturbed. */
const disturbance = 0.25

const isDisturbed = ({ othersCpu }: Row): boolean => (othersCpu ?? 0) > disturbance

const verdict = (row: Row): string => {
  const { failures, target } = row
  const failed = Object.entries(failures).map(([what, count]) => `${count} x ${what}`)
  const held =
    target === null ? [] : [`${target.met ? "ok" : "MISSED"}${isDisturbed(row) ? " (disturbed)" : ""}`]
  return [...held, ...failed].join(", ")
}

export const whole = (value: number): string => Math.round(value).toLocaleString("en-US")

const percent = (value: number | null) =>
  value === null || Number.isNaN(value) ? "" : `${(value * 100).toFixed(0)} %`

const figure = (value: number | null, digits: number) =>
  value === null || Number.isNaN(value) ? "" : value.toFixed(digits)

/** Prints which targets were met, and whether all events were stored. */
export const printSummary = (rows: ReadonlyArray<Row>, verified: ReadonlyArray<Verified>): void => {
  const held = rows.filter((row) => row.target !== null)
  const missed = held.filter((row) => row.target?.met === false)
  const busy = rows.filter((row) => (row.loadCpu ?? 0) > 0.9)
  if (held.length > 0) console.log(`\n${held.length - missed.length} of ${held.length} targets met.`)
  for (const row of missed) {
    console.log(
      `  missed: ${row.scenario} (${row.target?.text})${isDisturbed(row) ? " (other processes used the CPU)" : ""}`,
    )
  }
  for (const row of busy)
    console.log(`  the load generator was the bottleneck, so the server may be faster: ${row.scenario}`)
  for (const { acknowledged, distinct, exactlyOnce, stored } of verified) {
    const counts = `${whole(acknowledged)} acknowledged, ${whole(stored)} stored, ${whole(distinct)} distinct`
    console.log(
      `  events after killing the server: ${counts}: ${exactlyOnce ? "each once" : "LOST OR DUPLICATED"}`,
    )
  }
}
