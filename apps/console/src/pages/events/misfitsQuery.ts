import { queryOptions } from "@tanstack/react-query"
import type { ActivityDocument } from "../../api/documents.ts"
import { api } from "../../api/generated.ts"
import { newestEntries } from "../../shared/lists/newestEntries.ts"
import { boundsOf, type RollingName } from "../../shared/time/period.ts"
import { filterStart } from "../../shared/values/filterValue.ts"
import { objectPrefix } from "../../shared/values/typeTitle.ts"
import { isNamed, namedFilter } from "./eventTypes.ts"
import type { PlanOf } from "./plans.ts"

/** The most operations that are looked at for what does not fit. */
const operationsMax = 200

/** The newest operations that a filter finds in the shown period. */
export const misfitsQuery = (w: string, filter: string, since: RollingName) =>
  queryOptions({
    queryKey: [w, "misfits", filter, since],
    queryFn: ({ signal }) => {
      const bounds = boundsOf({ last: since })
      return newestEntries(
        (after, limit) => api.activity.list(w, { filter, ...bounds, after, limit }, signal),
        operationsMax,
      )
    },
  })

/** Finds what plans, and the setting for events without one, rejected. */
export const rejectedFilter = "plan:violated outcome:rejected"

/** Returns the filter that finds the operations of a name that did not fit its plan. */
export const misfitFilter = ({ kind, name }: PlanOf): string => {
  if (isNamed(kind)) return `plan:violated ${namedFilter({ kind, name })}`
  return kind.startsWith(objectPrefix)
    ? `plan:violated kind:object_identify object:${filterStart(`${kind.slice(objectPrefix.length)}/`)}`
    : "plan:violated kind:identify"
}

/** Whether an operation that the filter finds is of the kind: the filter also finds objects whose ids begin like the type of another. */
export const isMisfitOf = (
  { kind }: PlanOf,
  { plan, subject }: Pick<ActivityDocument, "plan" | "subject">,
): boolean =>
  plan != null && (!kind.startsWith(objectPrefix) || `${objectPrefix}${subject.object_type_id}` === kind)
