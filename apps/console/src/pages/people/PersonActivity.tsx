import { useNavigate, useSearch } from "@tanstack/react-router"
import { api } from "../../api/generated.ts"
import { peopleListSearch } from "../../shared/values/search.ts"
import { ApiFailure } from "../../api/request.ts"
import { inputStyle } from "../../shared/fields/Field.tsx"
import { OperationsSection } from "../../shared/lists/OperationsSection.tsx"
import { boundsOf, periodIn, periodKey, type Period } from "../../shared/time/period.ts"
import { PeriodChooser } from "../../shared/time/PeriodChooser.tsx"
import { usePages } from "../../shared/lists/usePages.ts"

/** The number of operations that are loaded at a time. */
const pageItems = 20

interface PersonActivityProps {
  readonly w: string
  readonly personId: string
}

const kinds: ReadonlyArray<readonly [filter: string, label: string]> = [
  ["", "All operations"],
  ["kind:event,page,screen", "Events"],
  ["kind:identify,merge,delete,suppress,unsuppress", "Changes of the person"],
  ["kind:delivery_metric,unsubscribe", "Messages"],
  ["-outcome:applied,created", "Not applied"],
]

/**
 * Lists the operations of a person by day, newest first. The query parameters of the page contain the filter and the
 * period.
 */
export const PersonActivity = ({ personId, w }: PersonActivityProps) => {
  const navigate = useNavigate()
  const search = useSearch({ from: "/w/$w/people" })
  const { filter = "" } = search
  const period = periodIn(search)
  const pages = usePages(
    [w, "people", "one", personId, "activity", filter, periodKey(period)],
    (after, signal) =>
      api.people.activity(w, personId, { filter, ...boundsOf(period), after, limit: pageItems }, signal),
  )
  const show = (chosen: { readonly filter: string; readonly period: Period | undefined }): void => {
    const { against, position } = search
    const kept = {
      ...peopleListSearch(search),
      ...(position !== undefined && { position }),
      ...(against !== undefined && { against }),
    }
    void navigate({ to: ".", search: { ...kept, filter: chosen.filter, ...chosen.period }, replace: true })
  }
  return (
    <OperationsSection
      actions={
        <div className="flex min-w-0 gap-2">
          <select
            aria-label="Operations to show"
            className={inputStyle}
            onChange={(event) => show({ filter: event.target.value, period })}
            value={filter}
          >
            {kinds.some(([known]) => known === filter) ? null : <option value={filter}>{filter}</option>}
            {kinds.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
          <PeriodChooser onPeriod={(chosen) => show({ filter, period: chosen })} period={period} />
        </div>
      }
      pages={isGone(pages.problem) ? { ...pages, problem: null } : pages}
      w={w}
    />
  )
}

/**
 * Returns true if the server answered that the person does not exist. The person panel shows this error, so the list of
 * activity does not show it again.
 */
const isGone = (problem: Error | null): boolean => problem instanceof ApiFailure && problem.status === 404
