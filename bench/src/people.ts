import type { People } from "./LoadJob.ts"

/** The number of people that scenarios about known people choose from. */
export const knownPeople = 10_000

/** The first number of people who are new to the store. Each job has a range of numbers above it. */
const newcomersFrom = 1_000_000_000
const newcomersPerJob = 20_000_000

/** Returns `knownPeople` people. They are spread evenly over `people` people that are numbered from 0. */
export const knownOf = (people: number): People => ({
  kind: "any",
  first: 0,
  count: knownPeople,
  stride: Math.max(1, Math.floor(people / knownPeople)),
})

/** Returns people that no other job uses. */
export const newcomersOf = (job: number): People => ({
  kind: "each",
  first: newcomersFrom + job * newcomersPerJob,
})
