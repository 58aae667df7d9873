import { skipToken, useQuery } from "@tanstack/react-query"
import { useEffect, useMemo, useState } from "react"
import { api } from "../../api/generated.ts"
import { ruleJsonIn, type RuleJson } from "./RuleJson.ts"

/** The milliseconds without a key press after which a rule is counted, and tried on the last days. */
const countAfterMs = 400
export const tryAfterMs = 1500

/** Returns a rule once it has not changed for a while, and undefined until then. */
export const useSettledRule = (
  rule: RuleJson | undefined,
  afterMs: number = countAfterMs,
): RuleJson | undefined => {
  const text = rule === undefined ? "" : JSON.stringify(rule)
  const [settled, setSettled] = useState("")
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), afterMs)
    return () => clearTimeout(timer)
  }, [afterMs, text])
  return useMemo(() => (text === settled ? ruleJsonIn(settled) : undefined), [settled, text])
}

/** Asks for how many people a rule holds now, with examples. Without a rule, nothing is asked. */
export const usePreview = (w: string, rule: RuleJson | undefined) =>
  useQuery({
    queryKey: [w, "tried rule", "preview", rule === undefined ? "" : JSON.stringify(rule)],
    queryFn:
      rule === undefined
        ? skipToken
        : ({ signal }: { readonly signal: AbortSignal }) => api.segmentRules.preview(w, { rule }, signal),
    retry: false,
  })
