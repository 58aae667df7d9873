import type { ActivityDocument } from "@inlethq/contract/activity/ActivityLog"
import type { ExplanationDocument } from "@inlethq/contract/activity/ExplanationDocument"

/** The largest number of values of which the summary gives both times. */
const valuesNamedMax = 5

/** Returns, for each value that came too late, its time, that of the stored value, and the operation that stored it. */
export const staleSentences = (
  { refused }: ActivityDocument,
  newerBefore: ExplanationDocument["overridden_by"],
): ReadonlyArray<string> =>
  refused
    .filter(({ rule }) => rule === "contract §6 stale")
    .slice(0, valuesNamedMax)
    .map(({ path, reason }) => {
      const setter = newerBefore.find((one) => one.path === path)
      return `${path}: ${reason}${setter === undefined ? "." : `. The operation ${setter.operation_id} set the stored value.`}`
    })
