import { Section } from "../../shared/dialogs/Detail.tsx"
import { count, rate } from "../../shared/values/figures.ts"
import { changeText, type DayStats } from "./dayStats.ts"

const daySeconds = 86_400

/** Stands for what cannot be compared. */
const none = "–"

interface DaysProps {
  readonly day: DayStats
}

/** The operations of the last 24 hours by outcome, beside those of the 24 hours before. */
export const Days = ({ day: { before, countedFrom, groups, now } }: DaysProps) => (
  <Section title="Last 24 hours, and the 24 hours before">
    <table className="w-full text-sm">
      <thead className="text-xs text-faint">
        <tr className="border-b border-line">
          <th className="py-1 text-left font-medium" scope="col">
            Outcome
          </th>
          <th className="py-1 text-right font-medium" scope="col">
            Last 24 h
          </th>
          <th className="py-1 text-right font-medium" scope="col">
            Before
          </th>
          <th className="w-28 py-1 text-right font-medium" scope="col">
            Change
          </th>
        </tr>
      </thead>
      <tbody>
        {[{ name: "all", now: now.total, before: before?.total ?? 0 }, ...groups].map((group) => (
          <tr className="border-b border-line" key={group.name}>
            <th
              className={`py-1.5 text-left ${group.name === "all" ? "font-medium" : "font-normal"}`}
              scope="row"
            >
              {group.name}
            </th>
            <td className="py-1.5 text-right">{count(group.now)}</td>
            <td className="py-1.5 text-right text-muted">
              {before === undefined ? "–" : count(group.before)}
            </td>
            <td className="py-1.5 text-right text-muted">
              {before === undefined || before.total === 0 ? none : changeText(group.now, group.before)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
    <p className="pt-2 text-sm text-muted">
      {rate(now.total / daySeconds)} on average.
      {before === undefined ? " Older operations were not counted, so there is nothing to compare with." : ""}
      {countedFrom === undefined ? "" : ` Counted since ${countedFrom.slice(11, 16)} UTC.`}
    </p>
  </Section>
)
