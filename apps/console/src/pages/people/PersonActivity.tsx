import { useState } from "react"
import { api } from "../../api/api.ts"
import { ApiFailure } from "../../api/request.ts"
import { ApiProblem } from "../../shared/ApiProblem.tsx"
import { Button } from "../../shared/Button.tsx"
import { Section } from "../../shared/Detail.tsx"
import { inputStyle } from "../../shared/Field.tsx"
import { OperationRows } from "../../shared/OperationRows.tsx"
import { usePages } from "../../shared/usePages.ts"

/** The number of operations that are loaded at a time. */
const pageItems = 20

interface PersonActivityProps {
  readonly w: string
  readonly personId: string
}

const kinds = [
  ["", "All operations"],
  ["kind:event,page,screen", "Events"],
  ["kind:identify,merge,delete,suppress,unsuppress", "Changes of the person"],
  ["kind:delivery_metric,unsubscribe", "Messages"],
  ["-outcome:applied,created", "Not applied"],
] as const

/** The operations on a person by day, newest first. */
export const PersonActivity = ({ personId, w }: PersonActivityProps) => {
  const [filter, setFilter] = useState("")
  const pages = usePages([w, "people", "one", personId, "activity", filter], (after, signal) =>
    api.people.activity(w, personId, { filter, after, limit: pageItems }, signal),
  )
  return (
    <Section
      actions={
        <div className="w-44">
          <select
            aria-label="Operations to show"
            className={inputStyle}
            onChange={(event) => setFilter(event.target.value)}
            value={filter}
          >
            {kinds.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </div>
      }
      title="Activity"
    >
      {pages.problem === null || isGone(pages.problem) ? null : (
        <ApiProblem problem={pages.problem} what="The activity could not be loaded." />
      )}
      {pages.items.length === 0 && !pages.isLoading ? (
        <p className="text-sm text-muted">No operations.</p>
      ) : (
        <OperationRows entries={pages.items} w={w} />
      )}
      {pages.hasMore ? (
        <Button className="mt-2" disabled={pages.isLoadingMore} onClick={pages.loadMore}>
          Show older operations
        </Button>
      ) : null}
    </Section>
  )
}

/**
 * Returns whether the person does not exist any more. The panel already shows this, so the list of activity does not
 * repeat it.
 */
const isGone = (problem: Error): boolean => problem instanceof ApiFailure && problem.status === 404
