import { skipToken, useQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import { api } from "../../api/generated.ts"
import { useSettledText } from "../../shared/fields/useSettledText.ts"
import { ruleJsonIn, type RuleJson } from "./RuleJson.ts"

/** The milliseconds without a key press after which a rule is counted, and tried on the last days. */
export const countAfterMs = 400
export const tryAfterMs = 1500

/** Returns a rule once it has not changed for a while, and undefined until then. */
export const useSettledRule = (
  rule: RuleJson | undefined,
  afterMs: number = countAfterMs,
): RuleJson | undefined => {
  const settled = useSettledText(rule === undefined ? "" : JSON.stringify(rule), afterMs)
  return useMemo(() => (settled === undefined ? undefined : ruleJsonIn(settled)), [settled])
}

/** The time, in milliseconds, for which a count is not asked for again. */
const countedMs = 10_000

/** Asks for how many people a rule holds now, with examples. Without a rule, nothing is asked. */
export const usePreview = (w: string, rule: RuleJson | undefined) =>
  useQuery({
    queryKey: [w, "tried rule", "preview", rule === undefined ? "" : JSON.stringify(rule)],
    queryFn:
      rule === undefined
        ? skipToken
        : ({ signal }: { readonly signal: AbortSignal }) => api.segmentRules.preview(w, { rule }, signal),
    staleTime: countedMs,
    // Every row has a count. They must not all be asked for again whenever the window is looked at.
    refetchOnWindowFocus: false,
    retry: false,
  })
