import { useState } from "react"
import { api } from "../../api/api.ts"
import { ApiFailure } from "../../api/request.ts"
import { inputStyle } from "../../shared/Field.tsx"
import { OperationsSection } from "../../shared/OperationsSection.tsx"
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

/** Lists the operations of a person by day, newest first. */
export const PersonActivity = ({ personId, w }: PersonActivityProps) => {
  const [filter, setFilter] = useState("")
  const pages = usePages([w, "people", "one", personId, "activity", filter], (after, signal) =>
    api.people.activity(w, personId, { filter, after, limit: pageItems }, signal),
  )
  return (
    <OperationsSection
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
      pages={isGone(pages.problem) ? { ...pages, problem: null } : pages}
      w={w}
    />
  )
}

/**
 * Returns true if the person does not exist any more. The panel already shows this, so the list of activity does not
 * repeat it.
 */
const isGone = (problem: Error | null): boolean => problem instanceof ApiFailure && problem.status === 404
