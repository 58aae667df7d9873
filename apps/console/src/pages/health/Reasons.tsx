import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { ActivityDocument } from "../../api/documents.ts"
import { api } from "../../api/generated.ts"
import { useWorkspace } from "../../frame/useWorkspace.ts"
import { ApiProblem } from "../../shared/ApiProblem.tsx"
import { Section } from "../../shared/Detail.tsx"
import { exactly } from "../../shared/exactly.ts"
import { count } from "../../shared/figures.ts"
import { Outcome, type OutcomeName } from "../../shared/Outcome.tsx"

/** The largest number of operations whose reasons are counted, beginning with the newest. */
const operationsMax = 500

const reasonsShownMax = 10

const refreshMs = 30_000

interface CountedReason {
  readonly outcome: OutcomeName
  readonly reason: string
  readonly operations: number
}

/** The most frequent reasons why operations were not applied in full. */
export const Reasons = () => {
  const w = useWorkspace()
  const found = useQuery({
    queryKey: [w, "reasons"],
    queryFn: ({ signal }) => api.activity.list(w, { filter: "reason:*", limit: operationsMax }, signal),
    refetchInterval: refreshMs,
  })
  if (found.data === undefined) {
    return found.error === null ? null : (
      <ApiProblem
        onRetry={() => void found.refetch()}
        problem={found.error}
        what="The reasons could not be loaded."
      />
    )
  }
  const reasons = countReasons(found.data.items)
  return (
    <Section title={`Reasons of the last ${operationsMax} operations that have a reason`}>
      {reasons.length === 0 ? (
        <p className="text-sm text-muted">Every recent operation was applied in full.</p>
      ) : (
        <ul className="divide-y divide-line text-sm">
          {reasons.map(({ operations, outcome, reason }) => (
            <li key={`${outcome} ${reason}`}>
              <Link
                className="grid grid-cols-[56px_96px_minmax(0,1fr)] gap-3 py-1.5 hover:bg-hover"
                params={{ w }}
                search={{ filter: `outcome:${outcome} reason:${exactly(reason)}` }}
                to="/w/$w/live"
              >
                <span className="text-right">{count(operations)}</span>
                <Outcome outcome={outcome} />
                <span className="truncate text-muted">{reason}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

const countReasons = (entries: ReadonlyArray<ActivityDocument>): ReadonlyArray<CountedReason> => {
  const counts = new Map<string, CountedReason>()
  for (const { outcome, reason } of entries) {
    if (reason === null) continue
    const key = `${outcome} ${reason}`
    counts.set(key, { outcome, reason, operations: (counts.get(key)?.operations ?? 0) + 1 })
  }
  return [...counts.values()].toSorted((a, b) => b.operations - a.operations).slice(0, reasonsShownMax)
}
