import type { PlanViolationsDocument } from "@inlethq/contract/types/EventTypes"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { ActivityDocument } from "../../api/documents.ts"
import { api } from "../../api/generated.ts"
import { ApiProblem } from "../../shared/dialogs/ApiProblem.tsx"
import { Section } from "../../shared/dialogs/Detail.tsx"
import { rollingPeriods, type RollingName } from "../../shared/time/period.ts"
import { Time } from "../../shared/time/Time.tsx"
import { Badge } from "../../shared/values/Badge.tsx"
import { count, counted } from "../../shared/values/figures.ts"
import { Outcome } from "../../shared/values/Outcome.tsx"
import { clientText } from "../../shared/values/senderText.ts"
import { misfitFilter, type PlanOf } from "./plans.ts"
import { violationsSince } from "./violations.ts"

/** The most operations that are looked at for what does not fit. */
const operationsMax = 200

/** The milliseconds between two reads. */
const refreshMs = 15_000

interface MisfitsProps {
  readonly w: string
  readonly of: PlanOf
  /** What was counted of the name. Undefined if nothing was. */
  readonly violations: PlanViolationsDocument | undefined
  readonly since: RollingName
}

/** What did not fit the plan of a name in the shown period: by path and clause, with who sent it last and an example. */
export const Misfits = ({ of, since, violations, w }: MisfitsProps) => {
  const filter = misfitFilter(of)
  const found = useQuery({
    queryKey: [w, "misfits", filter, since],
    queryFn: ({ signal }) => {
      const from = new Date(Date.now() - rollingPeriods[since].ms).toISOString()
      return api.activity.list(w, { filter, since: from, limit: operationsMax }, signal)
    },
    refetchInterval: refreshMs,
  })
  const items = (found.data?.items ?? []).filter(({ plan }) => plan != null)
  const rows = misfitsIn(items)
  if (found.error === null && rows.length === 0) return null
  const total = violationsSince(violations, Date.now() - rollingPeriods[since].ms)
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
        {rows.map(({ clause, example, got, number, path }) => (
          <li className="grid grid-cols-[48px_minmax(0,1fr)_auto] gap-x-3 py-2" key={`${clause} ${path}`}>
            <span>{count(number)}</span>
            <div className="min-w-0 space-y-0.5">
              <p className="break-words">
                <span className="font-mono text-xs">{path === "" ? "the whole" : path}</span>{" "}
                <Badge tone="red">{clauseText(clause)}</Badge>{" "}
                <span className="text-muted">came as {got}</span>
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
      {found.data?.next == null ? null : (
        <p className="pt-2 text-xs text-muted">
          By path from the newest {counted(items.length, "operation", "operations")}
          {total.count > items.length ? ` of ${total.isExact ? "" : "about "}${count(total.count)}` : ""}.
        </p>
      )}
    </Section>
  )
}

const clauseText = (clause: string): string => (clause === "unknown_events" ? "no plan" : clause)

interface Misfit {
  readonly path: string
  readonly clause: string
  /** What came, by type and length, in the newest of them. */
  readonly got: string
  readonly number: number
  readonly example: ActivityDocument
}

/** Counts violations by path and clause, most frequent first. Places in lists are not told apart. */
const misfitsIn = (entries: ReadonlyArray<ActivityDocument>): ReadonlyArray<Misfit> => {
  const all = entries.flatMap((example) =>
    (example.plan?.violations ?? []).map(({ clause, got, path }) => ({
      clause,
      got,
      example,
      path: path.replaceAll(/\.\d+(?=\.|$)/g, "[]"),
    })),
  )
  const groups = Map.groupBy(all, ({ clause, path }) => `${clause} ${path}`)
  return Array.from(groups.values(), ([newest, ...others]) =>
    newest === undefined ? [] : [{ ...newest, number: others.length + 1 }],
  )
    .flat()
    .toSorted((a, b) => b.number - a.number)
}
