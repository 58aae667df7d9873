import { api } from "../../api/generated.ts"
import { useWorkspace } from "../../frame/useWorkspace.ts"
import { ApiProblem } from "../../shared/dialogs/ApiProblem.tsx"
import { Button } from "../../shared/buttons/Button.tsx"
import { Section } from "../../shared/dialogs/Detail.tsx"
import { Outcome } from "../../shared/values/Outcome.tsx"
import { titleText } from "../../shared/lists/titleText.ts"
import { usePages } from "../../shared/lists/usePages.ts"

/** The number of operations that are loaded at once. */
const pageItems = 20

interface NeighboursProps {
  readonly operationId: string
  readonly onOpen: (operationId: string) => void
}

/** Lists the operations of the same batch request. Shows nothing for an operation that is not part of a batch. */
export const Neighbours = ({ onOpen, operationId }: NeighboursProps) => {
  const w = useWorkspace()
  const [batch = ""] = operationId.split("-")
  const pages = usePages([w, "request", batch], (after, signal) =>
    api.activity.request(w, operationId, { limit: pageItems, after }, signal),
  )
  if (pages.items.length < 2 && pages.problem === null) return null
  return (
    <Section title="Of the same request">
      {pages.problem === null ? null : (
        <ApiProblem
          onRetry={pages.reload}
          problem={pages.problem}
          what="The operations of the same request could not be loaded."
        />
      )}
      <ul className="-mx-2">
        {pages.items.map((entry) => (
          <li key={entry.operation_id}>
            <button
              aria-current={entry.operation_id === operationId}
              className={`flex h-8 w-full items-center gap-3 rounded-md px-2 text-left text-sm pointer-coarse:h-11 ${entry.operation_id === operationId ? "bg-selected" : "hover:bg-hover"}`}
              onClick={() => onOpen(entry.operation_id)}
              type="button"
            >
              <span className="w-8 shrink-0 text-right font-mono text-xs text-faint">
                {entry.operation_id.split("-")[1]}
              </span>
              <span className="truncate">{titleText(entry)}</span>
              <span className="ml-auto text-xs">
                <Outcome outcome={entry.outcome} />
              </span>
            </button>
          </li>
        ))}
      </ul>
      {pages.hasMore ? (
        <Button className="mt-2" onClick={pages.loadMore}>
          Show more
        </Button>
      ) : null}
    </Section>
  )
}
