import type { Measurement } from "../LoadJob.ts"
import { median } from "../report.ts"

/** Runs of one load on two builds. The runs with the same index were measured one after the other. */
export interface Comparison {
  readonly name: string
  readonly other: ReadonlyArray<Measurement>
  readonly own: ReadonlyArray<Measurement>
}

const figures: ReadonlyArray<{
  readonly name: string
  readonly digits: number
  readonly of: (run: Measurement) => number
}> = [
  { name: "rate /s", digits: 0, of: (run) => run.unitsPerSecond },
  { name: "p50 ms", digits: 2, of: (run) => run.p50Ms },
  { name: "p99 ms", digits: 2, of: (run) => run.p99Ms },
  { name: "main thread µs", digits: 2, of: (run) => run.mainThreadMicrosPerUnit },
  { name: "all threads µs", digits: 2, of: (run) => run.cpuMicrosPerUnit },
  { name: "database µs", digits: 2, of: (run) => run.databaseMicrosPerUnit ?? Number.NaN },
  { name: "peak MB", digits: 0, of: (run) => run.rssMegabytes },
]

/** One figure of both builds: medians, the median of the ratios of all rounds, and the smallest and largest ratio. */
export interface ComparedFigure {
  readonly figure: string
  readonly digits: number
  readonly other: number
  readonly own: number
  readonly ratio: number
  readonly ratioMin: number
  readonly ratioMax: number
}

export const comparedFigures = ({ other, own }: Comparison): ReadonlyArray<ComparedFigure> =>
  figures.flatMap(({ digits, name, of }) => {
    if (own.every((run) => Number.isNaN(of(run)))) return []
    const ratios = own.flatMap((run, round) => {
      const before = other[round]
      return before === undefined ? [] : [of(run) / of(before)]
    })
    return [
      {
        figure: name,
        digits,
        other: median(other.map(of)),
        own: median(own.map(of)),
        ratio: median(ratios),
        ratioMin: Math.min(...ratios),
        ratioMax: Math.max(...ratios),
      },
    ]
  })

export const printComparisons = (commit: string, comparisons: ReadonlyArray<Comparison>): void => {
  for (const comparison of comparisons) {
    const failed = [...comparison.other, ...comparison.own].flatMap((run) => Object.entries(run.failures))
    console.log(`\n${comparison.name}`)
    console.log(row(["", commit, "this", "ratio", "spread"]))
    for (const { digits, figure, other, own, ratio, ratioMax, ratioMin } of comparedFigures(comparison)) {
      const spread = `${ratioMin.toFixed(2)}–${ratioMax.toFixed(2)}`
      console.log(row([figure, other.toFixed(digits), own.toFixed(digits), ratio.toFixed(3), spread]))
    }
    for (const [what, count] of failed) console.log(`  ${count} x ${what}`)
  }
}

const row = ([name = "", ...values]: ReadonlyArray<string>): string =>
  `  ${name.padEnd(16)}${values.map((value) => value.padStart(12)).join("")}`
