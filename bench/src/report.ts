import type { LoadResult } from "./LoadJob.ts"
import type { Verified } from "./verify.ts"

/** What a row is held against. */
export interface Target {
  readonly text: string
  readonly met: boolean
}

/** One line of the table; what was not measured is null. */
export interface Row {
  readonly scenario: string
  readonly rate: number | null
  readonly unit: string
  /** The rate as a share of others, by their names. */
  readonly ratios: Readonly<Record<string, number>>
  readonly p50Ms: number | null
  readonly p99Ms: number | null
  /** Of the server, for one unit. */
  readonly cpuMicros: number | null
  readonly rssMegabytes: number | null
  /** Share of one core that the load generator took. */
  readonly loadCpu: number | null
  /** Share of one core that anything else on the machine took meanwhile. */
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

/** How a figure compares in runs that were made in turns: the median of the ratios, so that drift cancels. */
export const ofPairs = (
  runs: ReadonlyArray<LoadResult>,
  others: ReadonlyArray<LoadResult>,
  figure: (run: LoadResult) => number,
): number =>
  median(
    runs.flatMap((run, i) => {
      const other = others[i]
      return other === undefined ? [] : [figure(run) / figure(other)]
    }),
  )

/** A row from one or more runs of the same scenario: the median of each figure. */
export const rowOf = (
  scenario: string,
  unit: string,
  runs: ReadonlyArray<LoadResult>,
  more: Partial<Pick<Row, "ratios" | "rssMegabytes" | "target">> = {},
): Row => {
  const of = (figure: (run: LoadResult) => number) => median(runs.map(figure))
  return {
    ...plainRow(scenario, more),
    rate: of((run) => run.unitsPerSecond),
    unit,
    p50Ms: of((run) => run.p50Ms),
    p99Ms: of((run) => run.p99Ms),
    cpuMicros: of((run) => run.cpuMicrosPerUnit),
    loadCpu: of((run) => run.loadCpu),
    othersCpu: of((run) => run.othersCpu),
    failures: sum(runs.map((run) => run.failures)),
  }
}

/** A row of which only some figures exist. */
export const plainRow = (scenario: string, figures: Partial<Row>): Row => ({
  scenario,
  rate: null,
  unit: "",
  ratios: {},
  p50Ms: null,
  p99Ms: null,
  cpuMicros: null,
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
CPU µs is the server's for one request or entity, RSS its peak. load is the load generator's share of a core, others that
of everything else on this machine: where it is much more than nothing, trust ratios only. A ratio by CPU compares what a
unit costs the server, whatever else runs; it knows nothing of waiting.`

const columns = [
  "scenario",
  "rate",
  "ratio",
  "p50 ms",
  "p99 ms",
  "CPU µs",
  "RSS MB",
  "load",
  "others",
  "target",
  "",
]

/** Prints all rows. */
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

const textColumns = new Set([0, 2, 9, 10])

const pad = (cell: string, width: number, column: number) =>
  textColumns.has(column) ? cell.padEnd(width) : cell.padStart(width)

const cells = (row: Row): Array<string> => [
  row.scenario,
  row.rate === null ? "" : `${whole(row.rate)} ${row.unit}/s`,
  Object.entries(row.ratios)
    .map(([name, ratio]) => `${ratio.toFixed(2)} of ${name}`)
    .join(", "),
  figure(row.p50Ms, 1),
  figure(row.p99Ms, 1),
  figure(row.cpuMicros, 1),
  figure(row.rssMegabytes, 0),
  percent(row.loadCpu),
  percent(row.othersCpu),
  row.target?.text ?? "",
  verdict(row),
]

/** Share of a core above which others may be why a target was missed. */
const disturbance = 0.25

const isDisturbed = ({ othersCpu }: Row): boolean => (othersCpu ?? 0) > disturbance

const verdict = (row: Row): string => {
  const { failures, target } = row
  const failed = Object.entries(failures).map(([what, count]) => `${count} x ${what}`)
  const held = target === null ? [] : [target.met ? "ok" : isDisturbed(row) ? "BELOW (disturbed)" : "BELOW"]
  return [...held, ...failed].join(", ")
}

export const whole = (value: number): string => Math.round(value).toLocaleString("en-US")

const percent = (value: number | null) =>
  value === null || Number.isNaN(value) ? "" : `${(value * 100).toFixed(0)} %`

const figure = (value: number | null, digits: number) =>
  value === null || Number.isNaN(value) ? "" : value.toFixed(digits)

/** Says in words what the table's verdicts come to. */
export const printSummary = (rows: ReadonlyArray<Row>, verified: ReadonlyArray<Verified>): void => {
  const held = rows.filter((row) => row.target !== null)
  const missed = held.filter((row) => row.target?.met === false)
  const busy = rows.filter((row) => (row.loadCpu ?? 0) > 0.9)
  if (held.length > 0) console.log(`\n${held.length - missed.length} of ${held.length} targets met.`)
  for (const row of missed) {
    console.log(
      `  below: ${row.scenario} (${row.target?.text})${isDisturbed(row) ? ", while others took the CPU" : ""}`,
    )
  }
  for (const row of busy)
    console.log(`  the load generator was busy all the time, so more may be possible: ${row.scenario}`)
  for (const { acknowledged, distinct, exactlyOnce, stored } of verified) {
    const counts = `${whole(acknowledged)} acknowledged, ${whole(stored)} stored, ${whole(distinct)} different`
    console.log(
      `  events after killing the server: ${counts}: ${exactlyOnce ? "each once" : "NOT EACH ONCE"}`,
    )
  }
}
