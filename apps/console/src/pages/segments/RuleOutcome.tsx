import { Link } from "@tanstack/react-router"
import type { SegmentDocument } from "../../api/documents.ts"
import { Section } from "../../shared/dialogs/Detail.tsx"
import { Loading } from "../../shared/dialogs/Loading.tsx"
import { WhatIf } from "../../shared/dialogs/WhatIf.tsx"
import { personName } from "../../shared/values/personName.ts"
import { Crossings, daysShown } from "./LastDays.tsx"
import { RuleCount } from "./RuleCount.tsx"
import type { RuleJson } from "./RuleJson.ts"
import { SizeLine } from "./SizeLine.tsx"
import { tryAfterMs, usePreview, useSettledRule } from "./useSettledRule.ts"

interface RuleOutcomeProps {
  readonly w: string
  /** Undefined while the rule is incomplete. */
  readonly rule: RuleJson | undefined
  /** The segment that has the rule, unless it is new. */
  readonly segment: SegmentDocument | undefined
  /** Whether the segment does not have the rule yet. */
  readonly isNewRule: boolean
}

/** Who a rule would have in its segment, now and in the last days. */
export const RuleOutcome = ({ isNewRule, rule, segment, w }: RuleOutcomeProps) => {
  const settled = useSettledRule(rule)
  const tried = useSettledRule(rule, tryAfterMs)
  return (
    <>
      <Section title="Now">
        <RuleCount label="The whole rule" rule={rule} w={w} />
        {settled === undefined ? null : <Examples rule={settled} w={w} />}
      </Section>
      <Section title={`Last ${daysShown} days, by this rule`}>
        {rule === undefined ? (
          <p className="text-xs text-muted">
            Once every row is complete, this shows how many people would have entered and left on each day.
          </p>
        ) : tried === undefined ? (
          <Loading />
        ) : (
          <Crossings rule={tried} size={segment?.size ?? 0} w={w} />
        )}
      </Section>
      {segment === undefined ? null : (
        <Section title="People by day, until now">
          <SizeLine days={daysShown + 1} segment={segment} w={w} />
        </Section>
      )}
      {settled === undefined || !isNewRule ? null : (
        <Section title="Before it is saved">
          <WhatIf change={{ rule: { rule: settled } }} w={w} />
        </Section>
      )}
    </>
  )
}

interface ExamplesProps {
  readonly w: string
  readonly rule: RuleJson
}

/** People for whom a rule holds. */
const Examples = ({ rule, w }: ExamplesProps) => {
  const { data } = usePreview(w, rule)
  if (data === undefined || data.examples.length === 0) return null
  return (
    <ul aria-label="People for whom the rule holds" className="pt-2">
      {data.examples.map((person) => (
        <li className="flex min-h-7 items-center text-sm pointer-coarse:min-h-11" key={person.svc_id}>
          <Link
            className="min-w-0 truncate text-accent hover:underline pointer-coarse:py-3"
            params={{ w, personId: person.svc_id }}
            rel="noopener"
            target="_blank"
            to="/w/$w/people/$personId"
          >
            {personName(person)}
          </Link>
        </li>
      ))}
    </ul>
  )
}
