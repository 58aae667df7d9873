import type { People } from "./LoadJob.ts"

/** People that every scenario about known people chooses from. */
export const knownPeople = 10_000

/** Newcomers get numbers from here on, and each job so many of its own. */
const newcomersFrom = 1_000_000_000
const newcomersPerJob = 20_000_000

/** As many known people, spread evenly over so many that are numbered from 0. */
export const knownOf = (people: number): People => ({
  kind: "any",
  first: 0,
  count: knownPeople,
  stride: Math.max(1, Math.floor(people / knownPeople)),
})

/** People that only this job names, by the number of the job. */
export const newcomersOf = (job: number): People => ({
  kind: "each",
  first: newcomersFrom + job * newcomersPerJob,
})
