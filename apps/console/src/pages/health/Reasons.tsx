import type { ReasonsDocument } from "@inlethq/contract/activity/Reasons"
import { queryOptions, useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { api } from "../../api/generated.ts"
import { useWorkspace } from "../../frame/useWorkspace.ts"
import { ApiProblem } from "../../shared/dialogs/ApiProblem.tsx"
import { Section } from "../../shared/dialogs/Detail.tsx"
import { count, counted } from "../../shared/values/figures.ts"
import { KeyLink } from "../keys/KeyLink.tsx"
import { CodeText } from "../../shared/values/Markdown.tsx"
import { Outcome } from "../../shared/values/Outcome.tsx"
import { ExactTime, Time } from "../../shared/time/Time.tsx"

const reasonsShownMax = 10

const refreshMs = 30_000

type Reason = (typeof ReasonsDocument.Type)["items"][number]

export const reasonsQuery = (w: string) =>
  queryOptions({
    queryKey: [w, "reasons"],
    queryFn: ({ signal }) => api.stats.reasons(w, signal),
    refetchInterval: refreshMs,
  })

/** The most frequent causes why operations were not applied in full, by key and client, with an example of each. */
export const Reasons = () => {
  const w = useWorkspace()
  const found = useQuery(reasonsQuery(w))
  if (found.data === undefined) {
    return found.error === null ? null : (
      <ApiProblem
        onRetry={() => void found.refetch()}
        problem={found.error}
        what="The reasons could not be loaded."
      />
    )
  }
  const { counted: outcomes, items } = found.data
  const partly = outcomes.filter(({ counted_from }) => counted_from !== null)
  return (
    <Section title="Operations that were not applied in full, by cause, key and client">
      {items.length === 0 ? (
        <p className="text-sm text-muted">
          No operation in the log was rejected, dropped, ignored, or applied only in part.
        </p>
      ) : (
        <ul className="divide-y divide-line text-sm">
          {items.slice(0, reasonsShownMax).map((item) => (
            <Cause item={item} key={`${item.outcome} ${item.last_operation_id}`} w={w} />
          ))}
        </ul>
      )}
      {items.length > reasonsShownMax ? (
        <p className="pt-2 text-sm text-muted">
          The {reasonsShownMax} most frequent of {counted(items.length, "cause", "causes")}.
        </p>
      ) : null}
      {partly.length === 0 ? null : (
        <p className="pt-2 text-sm text-muted">
          Older operations were not counted:{" "}
          {partly.map(({ counted_from, entries, outcome }, index) => (
            <span key={outcome}>
              {index === 0 ? "" : ", "}
              the newest {count(entries)} {outcome} were, since{" "}
              {counted_from === null ? null : <ExactTime at={counted_from} />}
            </span>
          ))}
          .
        </p>
      )}
    </Section>
  )
}

/** A cause with the sender of its calls, its latest call as an example, and what the sender should do. */
const Cause = ({ item, w }: { readonly item: Reason; readonly w: string }) => {
  const { client, key, last_operation_id, last_received_at, outcome, reason, reasons } = item
  const explained = useQuery({
    queryKey: [w, "explanation", last_operation_id],
    queryFn: ({ signal }) => api.activity.explanation(w, last_operation_id, signal),
  })
  const advice = explained.data?.advice ?? null
  const codes = [...new Set(reasons.map(({ code }) => code))]
  const filter = [`outcome:${outcome}`, ...codes.map((code) => `reason:${code}`)].join(" ")
  return (
    <li className="grid grid-cols-[32px_minmax(0,1fr)] items-start gap-x-3 py-2 sm:grid-cols-[32px_96px_minmax(0,1fr)]">
      <span>{count(item.count)}</span>
      <Outcome outcome={outcome} />
      <div className="col-start-2 min-w-0 space-y-0.5 sm:col-start-auto">
        <p className="flex flex-wrap gap-x-3">
          <Link
            className="min-w-0 break-words hover:underline pointer-coarse:py-3"
            params={{ w }}
            search={{ filter }}
            to="/w/$w/live"
          >
            {reason ?? "without a reason"}
          </Link>
          <Link
            className="text-accent hover:underline pointer-coarse:py-3"
            params={{ w, operationId: last_operation_id }}
            to="/w/$w/operations/$operationId"
          >
            latest <Time at={last_received_at} />
          </Link>
        </p>
        {key === null && client === null ? null : (
          <p className="break-words text-muted">
            {key === null ? null : (
              <>
                key <KeyLink keyId={key.key_id} name={key.name} w={w} />
              </>
            )}
            {key === null || client === null ? null : ", "}
            {client}
          </p>
        )}
        {advice === null ? null : (
          <p className="text-muted">
            <CodeText text={advice} />
          </p>
        )}
      </div>
    </li>
  )
}
