import type { EventTypeDocument } from "@inlethq/contract/types/EventTypes"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { ApiProblem } from "../../shared/dialogs/ApiProblem.tsx"
import { Section } from "../../shared/dialogs/Detail.tsx"
import { rollingPeriods, type RollingName } from "../../shared/time/period.ts"
import { ExactTime, Time } from "../../shared/time/Time.tsx"
import { count, counted } from "../../shared/values/figures.ts"
import { Outcome } from "../../shared/values/Outcome.tsx"
import { clientText } from "../../shared/values/senderText.ts"
import { misfitsIn } from "./misfitsIn.ts"
import { isMisfitOf, misfitFilter, misfitsQuery } from "./misfitsQuery.ts"
import type { PlanOf } from "./plans.ts"
import { violationsSince } from "./violations.ts"

/** The milliseconds between two reads, and between those of a name of which nothing is known that does not fit. */
const refreshMs = 15_000
const quietRefreshMs = 60_000

interface MisfitsProps {
  readonly w: string
  readonly of: PlanOf
  /** What was counted of the name. Null if nothing was. */
  readonly type: EventTypeDocument | null
  readonly since: RollingName
}

/** What did not fit the plan of a name in the shown period: by path and clause, with who sent it last and an example. */
export const Misfits = ({ of, since, type, w }: MisfitsProps) => {
  const filter = misfitFilter(of)
  const total = violationsSince(type?.violations, Date.now() - rollingPeriods[since].ms)
  const mayBe = type === null || total.count > 0
  const found = useQuery({
    ...misfitsQuery(w, filter, since),
    refetchInterval: mayBe ? refreshMs : quietRefreshMs,
  })
  const items = (found.data?.items ?? []).filter((entry) => isMisfitOf(of, entry))
  const rows = misfitsIn(items)
  const searchedTo = found.data?.searchedTo ?? null
  if (found.error === null && rows.length === 0 && (searchedTo === null || !mayBe)) return null
  return (
    <Section
      actions={
        <Link
          className="text-sm text-accent hover:underline pointer-coarse:min-w-11 pointer-coarse:py-3"
          params={{ w }}
          search={{ filter, last: since }}
          to="/w/$w/live"
        >
          Show them in Live
        </Link>
      }
      title={`What does not fit, ${rollingPeriods[since].label.toLowerCase()}`}
    >
      {found.error === null ? null : (
        <ApiProblem
          onRetry={() => void found.refetch()}
          problem={found.error}
          what="The operations that do not fit could not be loaded."
        />
      )}
      <ul className="divide-y divide-line text-sm">
        {rows.map(({ example, key, number, path, text }) => (
          <li className="grid grid-cols-[48px_minmax(0,1fr)_auto] gap-x-3 py-2" key={key}>
            <span>{count(number)}</span>
            <div className="min-w-0 space-y-0.5">
              <p className="break-words">
                <span className="font-mono text-xs">{path}</span> {text}
              </p>
              <p className="flex flex-wrap gap-x-2 text-muted">
                <span className="break-words">{clientText(example.sender) || "unknown client"}</span>
                <Outcome outcome={example.outcome} />
              </p>
            </div>
            <Link
              className="text-accent hover:underline pointer-coarse:min-w-11 pointer-coarse:py-3"
              params={{ w, operationId: example.operation_id }}
              to="/w/$w/operations/$operationId"
            >
              <Time at={example.received_at} />
            </Link>
          </li>
        ))}
      </ul>
      {searchedTo === null ? null : (
        <p className="pt-2 text-xs text-muted">
          By path from the newest {counted(items.length, "operation", "operations")}
          {total.count > items.length ? ` of ${total.isExact ? "" : "about "}${count(total.count)}` : ""},
          back to <ExactTime at={searchedTo} />.
        </p>
      )}
    </Section>
  )
}
