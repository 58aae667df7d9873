import { parseArgs } from "node:util"
import { knownPeople } from "./people.ts"

export const phaseNames = [
  "raw",
  "single",
  "slow-disk",
  "batch",
  "context",
  "clients",
  "merge",
  "readers",
  "pages",
  "backup",
  "webhooks",
  "forwards",
  "lake",
  "rules",
  "rule-builds",
  "rule-timers",
  "history",
  "postgres",
  "postgres-history",
  "postgres-nodes",
  "sdk",
] as const
export type PhaseName = (typeof phaseNames)[number]

/** The phases whose scenes `--against` can measure on two builds. */
const comparedPhaseNames: ReadonlyArray<PhaseName> = [
  "single",
  "slow-disk",
  "batch",
  "context",
  "clients",
  "readers",
  "postgres",
]

export interface Options {
  /** The commit whose build is compared with that of this working tree, or null for the usual phases. */
  readonly against: string | null
  readonly phases: ReadonlySet<PhaseName>
  /**
   * The number of rounds of the scenarios with single events. One round measures each server once. In the slow-disk
   * scenario, one round measures each sync delay once.
   */
  readonly rounds: number
  /**
   * The delays that the slow-disk scenario adds to each sync, in milliseconds. The scenario measures each delay
   * separately.
   */
  readonly syncDelaysMs: ReadonlyArray<number>
  /** The measured duration of each run in seconds, without its warm-up. */
  readonly seconds: number
  /** The number of people in the large stores of the `history` and `rule-builds` phases, and in the stores of `--profile`. */
  readonly people: number
  /** The number of log entries that the `lake` phase writes. */
  readonly entries: number
  readonly profile: boolean
  /** True if the rows of each phase become the figures that the documentation shows. */
  readonly record: boolean
  /**
   * The parent of the servers' data directories. The directory should be on a disk and not in memory, because commits
   * must wait for real syncs.
   */
  readonly directory: string
}

const defaults = {
  rounds: "5",
  seconds: "3",
  syncDelay: "2ms,5ms",
  people: "300000",
  entries: "300000",
  directory: `${import.meta.dirname}/../.data`,
}

const fullPeople = 1_000_000
const fullEntries = 10_000_000

const help = `Usage: pnpm bench [flags]

Measures Inlet on this machine against a bare node:http server and bare SQLite, and writes bench/results/latest.json.

  --against REF      build the commit REF too and measure both builds in turns (phases ${comparedPhaseNames.join(",")})
  --only LIST        phases to run, of ${phaseNames.join(",")} (all)
  --rounds N         alternating rounds of the scenarios with single events (${defaults.rounds})
  --seconds N        measured seconds of each run (${defaults.seconds})
  --sync-delay LIST  time by which the slow-disk phase lengthens each fsync, such as 2ms (${defaults.syncDelay})
  --people N         people in the stores with a history and of builds of rules (${defaults.people})
  --entries N        log entries that the lake phase writes (${defaults.entries})
  --full             the same as --people ${fullPeople} --entries ${fullEntries}
  --directory DIR    directory for the data of the benchmark (bench/.data)
  --record           write each phase's figures to bench/figures, from which pnpm generate makes docs/figures.md
  --profile          profile the server on a store of --people (${knownPeople}) instead, and print where its time is spent
  --help             this text
`

/** Parses the command line. For `--help` or an invalid flag, prints the help and exits. */
export const readOptions = (args: ReadonlyArray<string>): Options => {
  try {
    return parse(args)
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error))
    console.error(help)
    return process.exit(2)
  }
}

const parse = (args: ReadonlyArray<string>): Options => {
  const { values } = parseArgs({
    // pnpm also passes the argument `--` to the program, which does not need it.
    args: args.filter((arg) => arg !== "--"),
    options: {
      against: { type: "string" },
      only: { type: "string" },
      rounds: { type: "string", default: defaults.rounds },
      seconds: { type: "string", default: defaults.seconds },
      "sync-delay": { type: "string", default: defaults.syncDelay },
      people: { type: "string" },
      entries: { type: "string", default: defaults.entries },
      directory: { type: "string", default: defaults.directory },
      full: { type: "boolean", default: false },
      profile: { type: "boolean", default: false },
      record: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  })
  if (values.help) {
    console.log(help)
    process.exit(0)
  }
  return {
    against: values.against ?? null,
    phases: phasesOf(values),
    rounds: atLeast(1, "rounds", values.rounds),
    seconds: atLeast(0.1, "seconds", values.seconds),
    syncDelaysMs: values["sync-delay"].split(",").map(syncDelayMs),
    people: peopleOf(values),
    entries: values.full ? fullEntries : atLeast(1, "entries", values.entries),
    profile: values.profile,
    record: values.record,
    directory: values.directory,
  }
}

const phasesOf = ({ against, only }: { against?: string; only?: string }): ReadonlySet<PhaseName> => {
  const known = against === undefined ? phaseNames : comparedPhaseNames
  if (only === undefined) return new Set(known)
  const chosen = only.split(",").map(phase)
  const wrong = chosen.find((name) => !known.includes(name))
  if (wrong !== undefined)
    throw new Error(`--against cannot measure the phase "${wrong}": expected ${known.join(", ")}`)
  return new Set(chosen)
}

const peopleOf = ({ full, people, profile }: { full: boolean; people?: string; profile: boolean }) => {
  if (full) return fullPeople
  return atLeast(knownPeople, "people", people ?? (profile ? String(knownPeople) : defaults.people))
}

const phase = (text: string): PhaseName => {
  const found = phaseNames.find((name) => name === text)
  if (found === undefined)
    throw new Error(`unknown phase "${text}" in --only: expected ${phaseNames.join(", ")}`)
  return found
}

/** The longest delay that `--sync-delay` accepts. */
const syncDelayMaxMs = 1000

const syncDelayMs = (text: string): number => {
  const milliseconds = Number(/^(\d+(?:\.\d+)?)ms$/.exec(text)?.[1] ?? Number.NaN)
  if (!(milliseconds <= syncDelayMaxMs))
    throw new Error(
      `invalid delay "${text}" in --sync-delay: expected milliseconds such as 2ms, at most ${syncDelayMaxMs}ms`,
    )
  return milliseconds
}

const atLeast = (min: number, name: string, text: string): number => {
  const value = Number(text)
  if (!(value >= min)) throw new Error(`--${name} must be a number, ${min} or more`)
  return value
}
