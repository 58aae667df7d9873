import type { CauseDocument } from "@inlethq/contract/types/EventTypes"
import type { ActivityDocument } from "../../api/documents.ts"
import { api } from "../../api/generated.ts"
import { boundsOf, type Period } from "../../shared/time/period.ts"
import { filterOfCause, isOfCause } from "./causes.ts"

/** The entries that are read at a time, and the longest time, in milliseconds, that reading takes. */
const pageItems = 1_000
const readMsMax = 60_000

/** Reads the operations of a cause in a period, newest first, and says whether there may be more than the limit. */
export const operationsOf = async (
  w: string,
  cause: CauseDocument,
  period: Period,
  operationsMax: number,
) => {
  const signal = AbortSignal.timeout(readMsMax)
  const query = { filter: filterOfCause(cause), ...boundsOf(period), limit: pageItems }
  const items: Array<ActivityDocument> = []
  let after: string | undefined
  do {
    const page = await api.activity.list(w, { ...query, after }, signal)
    items.push(...page.items.filter((entry) => isOfCause(entry, cause)))
    after = page.next ?? undefined
  } while (after !== undefined && items.length < operationsMax)
  return { items: items.slice(0, operationsMax), isCut: after !== undefined || items.length > operationsMax }
}
