import type { People } from "./LoadJob.ts"

/** The number of different people in the requests of a scenario that uses existing people. */
export const knownPeople = 10_000

/** New people have person numbers from here on. Each job has its own range of `newcomersPerJob` numbers. */
const newcomersFrom = 1_000_000_000
const newcomersPerJob = 20_000_000

/** Returns `knownPeople` people, with numbers that are evenly spaced from 0 to `people - 1`. */
export const knownOf = (people: number): People => ({
  kind: "any",
  first: 0,
  count: knownPeople,
  stride: Math.max(1, Math.floor(people / knownPeople)),
})

/** Returns people who are new to every store and are used by this job only. */
export const newcomersOf = (job: number): People => ({
  kind: "each",
  first: newcomersFrom + job * newcomersPerJob,
})
