import type { People } from "./LoadJob.ts"

/** Number of people that scenarios about known people choose from. */
export const knownPeople = 10_000

/** Numbers of newcomers begin here, with a separate range for each job. */
const newcomersFrom = 1_000_000_000
const newcomersPerJob = 20_000_000

/** Returns `knownPeople` people, spread evenly over `people` that are numbered from 0. */
export const knownOf = (people: number): People => ({
  kind: "any",
  first: 0,
  count: knownPeople,
  stride: Math.max(1, Math.floor(people / knownPeople)),
})

/** Returns people that only this job uses. */
export const newcomersOf = (job: number): People => ({
  kind: "each",
  first: newcomersFrom + job * newcomersPerJob,
})
