import { count, counted } from "../../shared/values/figures.ts"
import type { RuleJson } from "./RuleJson.ts"
import { usePreview, useSettledRule } from "./useSettledRule.ts"

interface RuleCountProps {
  readonly w: string
  /** What is counted, for screen readers. */
  readonly label: string
  /** Undefined while the rule is incomplete. */
  readonly rule: RuleJson | undefined
}

/** Says for how many people a rule holds now, and keeps up while it is edited. */
export const RuleCount = ({ label, rule, w }: RuleCountProps) => {
  const settled = useSettledRule(rule)
  const preview = usePreview(w, settled)
  // Until the answer is to the rule as it is now, the number would be wrong.
  const isCounting = rule !== undefined && (settled === undefined || preview.isPending)
  const problem = rule === undefined || isCounting ? null : preview.error
  const text =
    rule === undefined
      ? "Not complete"
      : (problem?.message ?? countText(isCounting ? undefined : preview.data))
  return (
    <p
      aria-busy={isCounting}
      aria-label={`${label}: ${text}`}
      className={`text-xs ${problem === null ? "text-muted" : "text-red"}`}
      role="status"
    >
      {text}
    </p>
  )
}

interface RuleCounted {
  readonly matches: number
  readonly checked: number
  readonly complete: boolean
}

const countText = (found: RuleCounted | undefined): string => {
  if (found === undefined) return "Counting…"
  const people = counted(found.checked, "person", "people")
  return found.complete
    ? `Holds for ${count(found.matches)} of ${people}`
    : `Holds for ${count(found.matches)} of ${people} who were looked at: not all, or not all that they did`
}
