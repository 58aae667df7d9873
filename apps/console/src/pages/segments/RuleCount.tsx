import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useEffect, useState } from "react"
import { api } from "../../api/generated.ts"
import { count, counted } from "../../shared/figures.ts"
import type { RuleJson } from "./ruleRows.ts"

/** The milliseconds without a key press after which a rule is counted. */
const countAfterMs = 400

interface RuleCountProps {
  readonly w: string
  /** What is counted, for screen readers. */
  readonly label: string
  /** Undefined while the rule is incomplete. */
  readonly rule: RuleJson | undefined
}

/** Says for how many people a rule holds now, and keeps up while it is edited. */
export const RuleCount = ({ label, rule, w }: RuleCountProps) => {
  const settled = useSettled(rule === undefined ? "" : JSON.stringify(rule))
  const preview = useQuery({
    queryKey: [w, "segments", "preview", settled],
    queryFn: ({ signal }) => api.segmentRules.preview(w, { rule: JSON.parse(settled) }, signal),
    enabled: settled !== "",
    placeholderData: keepPreviousData,
    retry: false,
  })
  const text =
    rule === undefined
      ? "Not complete"
      : preview.error !== null
        ? preview.error.message
        : preview.data === undefined
          ? "Counting…"
          : countText(preview.data)
  return (
    <p
      aria-label={`${label}: ${text}`}
      className={`text-xs ${rule !== undefined && preview.error !== null ? "text-red" : "text-muted"}`}
      role="status"
    >
      {text}
    </p>
  )
}

const countText = ({
  checked,
  complete,
  matches,
}: {
  readonly matches: number
  readonly checked: number
  readonly complete: boolean
}): string =>
  complete
    ? `Holds for ${count(matches)} of ${counted(checked, "person", "people")}`
    : `Holds for ${count(matches)} of a random ${counted(checked, "person", "people")}`

/** Returns a text once it has not changed for a while. */
const useSettled = (text: string): string => {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), countAfterMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
