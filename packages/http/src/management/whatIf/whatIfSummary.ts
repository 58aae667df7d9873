import type { WhatIfJob } from "./WhatIfJobs.ts"

/** Says in a sentence what a trial has found so far. */
export const whatIfSummary = (job: WhatIfJob): string => {
  const { backtest, plan, status, tally } = job
  if (plan.rule !== null) {
    if (backtest === null) return "The rule is being tried."
    const { entered, left, members } = backtest
    return `${people(entered)} would have entered, ${people(left)} would have left, and ${people(members)} would be in the segment now.`
  }
  if (plan.range === null) return "The log has no operations in this time."
  const so = status === "running" ? " so far" : ""
  const decided = `${operations(tally.decided)} decided again${so}`
  const undecided =
    tally.undecided === 0 ? "" : ` Of ${count(tally.undecided)} more the log does not say enough.`
  if (job.mergesLast && status !== "running") {
    return `The two people are both there only after the last operation: ${decided}, and none follows their merge.${undecided}`
  }
  if (!job.isApplied && status !== "running") {
    return tally.undecided === 0
      ? `The change never applies: ${decided}, and none of them differs.`
      : `Of ${decided}, the change applies to none.${undecided}`
  }
  if (tally.operations === 0) return `${decided}: none would be different.${undecided}`
  const who = tally.peopleCount === 0 ? "" : `, about ${people(tally.peopleCount)}`
  return `${decided}: ${count(tally.operations)} would be different${who}.${undecided}`
}

const count = (n: number): string => n.toLocaleString("en-US")

const operations = (n: number): string => (n === 1 ? "1 operation" : `${count(n)} operations`)

const people = (n: number): string => (n === 1 ? "1 person" : `${count(n)} people`)
