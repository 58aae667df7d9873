import type { ActivityDocument } from "@inlethq/contract/activity/ActivityLog"
import { tookEffect } from "@inlethq/core/log/Outcome"

const timeNames: ReadonlySet<string> = new Set(["timestamp", "_timestamp", "originalTimestamp", "sentAt"])

/** Says which time an operation counts at, unless that is its receipt and nothing else was sent. */
export const timeSentences = (entry: ActivityDocument): ReadonlyArray<string> => {
  const { at, original_timestamp: sent, outcome, received_at, refused } = entry
  if (!tookEffect(outcome)) return []
  const instead = sent === null || sent === at ? "" : ` instead of ${sent}`
  if (at !== received_at) return [`Its time is ${at}${instead}.`]
  const isRefused = refused.some(({ path }) => timeNames.has(path.slice(path.lastIndexOf(".") + 1)))
  return isRefused || instead !== "" ? [`Its time is that of receipt, ${at}${instead}.`] : []
}
