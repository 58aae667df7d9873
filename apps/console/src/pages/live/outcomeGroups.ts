import type { StatsDocument } from "@inlethq/contract/activity/Stats"
import type { OutcomeName } from "../../shared/values/Outcome.tsx"

/** Outcomes that share a colour on the chart, from the bottom of a bar to its top. */
export const outcomeGroups = [
  { name: "applied", colour: "--green", isProblem: false, outcomes: ["applied", "created"] },
  { name: "pending", colour: "--blue", isProblem: false, outcomes: ["pending"] },
  {
    name: "left out",
    colour: "--line-strong",
    isProblem: false,
    outcomes: ["duplicate", "ignored", "dropped"],
  },
  { name: "partial", colour: "--amber", isProblem: true, outcomes: ["partial"] },
  { name: "rejected", colour: "--red", isProblem: true, outcomes: ["rejected"] },
] as const satisfies ReadonlyArray<{
  readonly name: string
  readonly isProblem: boolean
  readonly colour: string
  readonly outcomes: ReadonlyArray<OutcomeName>
}>

/** Returns a list for each group of outcomes, with one count of operations for each period of the chart. */
export const countsByGroup = ({ steps }: StatsDocument): ReadonlyArray<ReadonlyArray<number>> =>
  outcomeGroups.map(({ outcomes }) =>
    steps.map(({ counts }) =>
      counts
        .filter(({ outcome }) => outcomes.some((known) => known === outcome))
        .reduce((sum, { count }) => sum + count, 0),
    ),
  )

/**
 * For each step of the chart, adds up the counts from the lowest group to the highest, so that the bars of the groups
 * are stacked.
 */
export const stacked = (counts: ReadonlyArray<ReadonlyArray<number>>): Array<Array<number>> => {
  const below: Array<number> = []
  return counts.map((group) =>
    group.map((count, step) => {
      const top = (below[step] ?? 0) + count
      below[step] = top
      return top
    }),
  )
}

/**
 * Raises the counts of problems to at least a share of the highest bar, so that one rejected operation among a million
 * has a bar that can be seen.
 */
export const withVisibleProblems = (
  counts: ReadonlyArray<ReadonlyArray<number>>,
  share: number,
): ReadonlyArray<ReadonlyArray<number>> => {
  const totals = counts[0]?.map((_, step) => counts.reduce((sum, group) => sum + (group[step] ?? 0), 0)) ?? []
  const least = Math.max(0, ...totals) * share
  return counts.map((group, index) =>
    outcomeGroups[index]?.isProblem === true
      ? group.map((count) => (count === 0 ? 0 : Math.max(count, least)))
      : group,
  )
}
