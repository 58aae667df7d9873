import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { ActivityDocument } from "../../api/documents.ts"
import { api } from "../../api/generated.ts"
import { useWorkspace } from "../../frame/useWorkspace.ts"
import { OutcomeBadge } from "../../shared/values/Outcome.tsx"
import { ClockTime } from "../../shared/time/Time.tsx"
import { titleText } from "../../shared/lists/titleText.ts"
import { useFirstOperations } from "./firstOperations.ts"

/** Waits for an event, and shows the event with what was decided about it. */
export const FirstEvent = () => {
  const w = useWorkspace()
  const found = useFirstOperations(w)
  const arrived = found?.arrived ?? []
  return (
    <div aria-live="polite" className="rounded-md border border-line">
      {arrived.length === 0 ? (
        <p className="flex h-12 items-center gap-3 px-3 text-sm text-muted">
          <span aria-hidden="true" className="size-2 animate-pulse rounded-full bg-blue" />
          {found?.hadOperations === true ? "Waiting for the next event…" : "Waiting for your first event…"}
        </p>
      ) : (
        <ul className="divide-y divide-line">
          {arrived.map((entry) => (
            <Arrived entry={entry} key={entry.operation_id} />
          ))}
        </ul>
      )}
      {arrived.length === 0 ? null : (
        <p className="border-t border-line px-3 py-2 text-sm text-muted">
          Everything that arrives is under{" "}
          <Link className="text-accent hover:underline" params={{ w }} to="/w/$w/live">
            Live
          </Link>
          . Open an operation to see why Inlet decided so.
        </p>
      )}
    </div>
  )
}

const Arrived = ({ entry }: { readonly entry: ActivityDocument }) => {
  const w = useWorkspace()
  const explanation = useQuery({
    queryKey: [w, "explanation", entry.operation_id],
    queryFn: ({ signal }) => api.activity.explanation(w, entry.operation_id, signal),
  })
  return (
    <li>
      <Link
        className="block space-y-1 px-3 py-2 text-sm hover:bg-hover"
        params={{ w, operationId: entry.operation_id }}
        to="/w/$w/live/$operationId"
      >
        <span className="flex items-center gap-3">
          <OutcomeBadge outcome={entry.outcome} />
          <span className="truncate">{titleText(entry)}</span>
          <span className="ml-auto shrink-0 font-mono text-xs text-muted">
            <ClockTime at={entry.received_at} />
          </span>
        </span>
        <span className="block min-h-5 break-words text-muted">{explanation.data?.summary}</span>
      </Link>
    </li>
  )
}
