import { mkdirSync, rmSync } from "node:fs"
import type { Bench } from "../Bench.ts"
import { insertRate } from "../insertRate.ts"
import { median, plainRow } from "../report.ts"

const commitSizes = [1, 100, 1000]
const rounds = 3

/**
 * The duration of a run, as a share of the option `--seconds`. A short run is enough, because insert rates are stable
 * from the beginning.
 */
const runShare = 0.25

/** The insert rates of SQLite without Inlet, in rows per second. The keys are the numbers of rows per transaction. */
export type RawRates = ReadonlyMap<number, number>

/** Measures the insert rate of SQLite on this disk. No durable store on SQLite can be faster. */
export const measureRaw = async (bench: Bench): Promise<RawRates> => {
  const directory = bench.path("raw")
  const runs = new Map(commitSizes.map((rows) => [rows, new Array<number>()]))
  for (let round = 0; round < rounds; round++) {
    for (const [rows, rates] of runs) {
      mkdirSync(directory)
      rates.push(await insertRate("sqlite", directory, rows, bench.options.seconds * runShare * 1000))
      rmSync(directory, { recursive: true })
    }
  }
  const rates = new Map([...runs].map(([rows, all]) => [rows, median(all)]))
  for (const [rows, rate] of rates) {
    bench.rows.push(plainRow(`raw SQLite inserts, ${rows} a commit`, { rate, unit: "rows" }))
  }
  return rates
}

/**
 * Returns a rate as a share of the insert rate without Inlet. Returns an empty record if that insert rate was not
 * measured.
 */
export const shareOfRaw = (raw: RawRates, rows: number, rate: number): Record<string, number> => {
  const most = raw.get(rows)
  return most === undefined ? {} : { [`raw ${rows}`]: rate / most }
}
