import type { StatsDocument } from "@inlet/api/management/Stats"
import type { OutcomeName } from "../../shared/Outcome.tsx"

/** Outcomes that share a colour on the chart, from the bottom of a bar to its top. */
export const outcomeGroups = [
  { name: "applied", colour: "--green", outcomes: ["applied", "created"] },
  { name: "pending", colour: "--blue", outcomes: ["pending"] },
  { name: "left out", colour: "--line-strong", outcomes: ["duplicate", "ignored", "dropped"] },
  { name: "partial", colour: "--amber", outcomes: ["partial"] },
  { name: "rejected", colour: "--red", outcomes: ["rejected"] },
] as const satisfies ReadonlyArray<{
  readonly name: string
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
