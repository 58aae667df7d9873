import { Icon } from "../../shared/buttons/Icon.tsx"
import { counted } from "../../shared/values/figures.ts"
import { percent } from "../events/shapeRows.ts"
import { FindingLink } from "./FindingLink.tsx"
import { findingsOf, verdictText, type Finding, type HomeFacts } from "./findingsOf.ts"

interface VerdictProps {
  readonly w: string
  readonly facts: HomeFacts
  /** The names of what could not be read. */
  readonly unread: ReadonlyArray<string>
}

/** Says in a line whether all is well, and otherwise what is not, with a link to where it can be seen. */
export const Verdict = ({ facts, unread, w }: VerdictProps) => {
  const findings = findingsOf(facts)
  const isKnown = unread.length === 0
  const look = lookOf(findings, isKnown)
  return (
    <section aria-label="Verdict" className="px-4 pt-1 pb-4">
      <h2 className={`flex items-center gap-2 text-xl font-semibold ${look.colour}`}>
        <Icon className="size-5" name={look.icon} />
        {findings.length === 0 && !isKnown ? "Not everything could be read" : verdictText(findings)}
      </h2>
      {findings.length === 0 ? (
        <p className="pt-1 text-sm text-muted">{dayText(facts)}</p>
      ) : (
        <ul className="space-y-1 pt-2 text-sm">
          {findings.map((finding) => (
            <li className="flex items-start gap-2" key={finding.key}>
              <Icon
                className={`mt-0.5 ${finding.isNow ? "text-red" : "text-amber"}`}
                name={finding.isNow ? "rejected" : "partial"}
              />
              <span className="min-w-0 break-words">
                {finding.isNow ? <span className="sr-only">Wrong now: </span> : null}
                {finding.text} <FindingLink link={finding.link} w={w} />
              </span>
            </li>
          ))}
        </ul>
      )}
      {isKnown ? null : (
        <p className="pt-2 text-sm text-amber" role="alert">
          Could not be read: {unread.join(", ")}. The page tries again every 10 seconds.
        </p>
      )}
    </section>
  )
}

const lookOf = (findings: ReadonlyArray<Finding>, isKnown: boolean) => {
  if (findings.some(({ isNow }) => isNow)) return { icon: "rejected", colour: "text-red" } as const
  return findings.length > 0 || !isKnown
    ? ({ icon: "partial", colour: "text-amber" } as const)
    : ({ icon: "check", colour: "text-green" } as const)
}

const dayText = ({ day }: HomeFacts): string => {
  if (day === undefined) return ""
  const { faulty, total } = day.now
  const refused = faulty === 0 ? "none" : percent(faulty / total)
  return total === 0
    ? "Nothing arrived in the last 24 hours."
    : `${counted(total, "operation", "operations")} in the last 24 hours, ${refused} of them rejected or applied in part.`
}
