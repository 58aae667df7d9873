import { useState } from "react"
import type { CauseDocument } from "@inlethq/contract/types/EventTypes"
import { useQuery } from "@tanstack/react-query"
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router"
import type { OperationDocument } from "../../api/documents.ts"
import { api } from "../../api/generated.ts"
import { useWorkspace } from "../../frame/useWorkspace.ts"
import { ApiProblem } from "../../shared/dialogs/ApiProblem.tsx"
import { Detail, Section } from "../../shared/dialogs/Detail.tsx"
import { Loading } from "../../shared/dialogs/Loading.tsx"
import { periodText, type Period } from "../../shared/time/period.ts"
import { useZone } from "../../shared/time/zone.ts"
import { Badge } from "../../shared/values/Badge.tsx"
import { Code } from "../../shared/values/Code.tsx"
import { counted } from "../../shared/values/figures.ts"
import { JsonView } from "../../shared/values/JsonView.tsx"
import { CodeText } from "../../shared/values/Markdown.tsx"
import { OutcomeBadge } from "../../shared/values/Outcome.tsx"
import { Trend } from "../../shared/values/Trend.tsx"
import { trendOf } from "../../shared/values/trendOf.ts"
import { useRefusal } from "../../session/useRefusal.ts"
import { Button } from "../../shared/buttons/Button.tsx"
import { SuppressionDialog } from "../people/SuppressionDialog.tsx"
import { Resend } from "../operation/Resend.tsx"
import { Rule } from "../operation/Rule.tsx"
import { CauseFacts } from "./CauseFacts.tsx"
import { ResendAll } from "./ResendAll.tsx"
import { CauseExport } from "./CauseExport.tsx"
import { causeId, causeText, countText, errorsPeriod, filterOfCause, useCauses } from "./causes.ts"

/** The panel beside the list of causes that explains one of them. */
export const CausePanel = () => {
  const w = useWorkspace()
  const navigate = useNavigate()
  const { causeId: id } = useParams({ from: "/w/$w/errors/$causeId" })
  const search = useSearch({ from: "/w/$w/errors" })
  const pages = useCauses(w, search)
  const cause = pages.items.find((one) => causeId(one) === id)
  return (
    <Detail onClose={() => void navigate({ to: "/w/$w/errors", params: { w }, search })} title="Cause">
      {cause !== undefined ? (
        <CauseView cause={cause} key={id} others={pages.items} period={errorsPeriod(search)} w={w} />
      ) : pages.isLoading ? (
        <Loading />
      ) : (
        <p className="p-4 text-sm text-muted">
          No operation of this period has this cause.{" "}
          <Link
            className="text-accent underline"
            from="/w/$w/errors/$causeId"
            search={{ last: "30d" }}
            to="."
          >
            Look at the last 30 days
          </Link>
        </p>
      )}
    </Detail>
  )
}

interface CauseViewProps {
  readonly w: string
  readonly cause: CauseDocument
  readonly others: ReadonlyArray<CauseDocument>
  readonly period: Period
}

const CauseView = ({ cause, others, period, w }: CauseViewProps) => {
  const example = useQuery({
    queryKey: [w, "operation", cause.last.operation_id],
    queryFn: ({ signal }) => api.activity.operation(w, cause.last.operation_id, signal),
  })
  return (
    <>
      <Summary call={example.data?.call ?? null} cause={cause} period={period} w={w} />
      {example.data === undefined ? null : (
        <Section title="What to do">
          <p className="text-sm">
            <CodeText text={example.data.explanation.advice} />
          </p>
        </Section>
      )}
      {example.error === null ? null : (
        <ApiProblem
          onRetry={() => void example.refetch()}
          problem={example.error}
          what="The last operation could not be loaded."
        />
      )}
      {example.data === undefined ? (
        example.isPending ? (
          <Loading />
        ) : null
      ) : (
        <Example entry={example.data} w={w} />
      )}
      <Clause rule={cause.rule} />
      <CauseFacts cause={cause} others={others} w={w} />
    </>
  )
}

interface SummaryProps extends Pick<CauseViewProps, "cause" | "period" | "w"> {
  readonly call: OperationDocument["call"]
}

const Summary = ({ call, cause, period, w }: SummaryProps) => {
  const zone = useZone()
  const now = Date.now()
  return (
    <div className="space-y-3 border-b border-line px-4 py-4">
      <div className="flex flex-wrap items-center gap-2 text-sm text-muted">
        <OutcomeBadge outcome={cause.outcome} />
        {cause.new ? <Badge title="The first came within the last 24 hours">new</Badge> : null}
        <span className="font-mono text-xs">{cause.kind}</span>
      </div>
      <p className="text-base break-words">{causeText(cause)}</p>
      <p className="text-sm text-muted">
        {periodText(period, zone)}: {countText(cause)} {cause.count === 1 ? "operation" : "operations"}.{" "}
        {totalText(cause)}
      </p>
      <div>
        <Trend bars={trendOf(cause, now - 7 * 86_400_000, now)} className="h-10 w-full" />
        <p className="flex justify-between pt-1 text-xs text-faint">
          <span>7 days ago</span>
          <span>now</span>
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        {call === null ? null : (
          <>
            <Resend call={call} />
            <ResendAll cause={cause} period={period} w={w} />
          </>
        )}
        <CauseExport cause={cause} period={period} w={w} />
        {isOfSuppressed(cause) ? <Unsuppress w={w} /> : null}
        <Link
          className="px-1 text-sm text-accent hover:underline pointer-coarse:min-w-11 pointer-coarse:py-3"
          params={{ w }}
          search={{ filter: filterOfCause(cause), ...period }}
          to="/w/$w/live"
        >
          Show the operations in Live
        </Link>
      </div>
    </div>
  )
}

/** Returns whether the calls of a cause were ignored because whom they name is suppressed. */
const isOfSuppressed = ({ outcome, reason }: CauseDocument): boolean =>
  outcome === "ignored" && reason?.includes("suppressed") === true

/** The log does not keep whom an ignored call named, so the operator says whom to look up. */
const Unsuppress = ({ w }: { readonly w: string }) => {
  const [isOpen, setOpen] = useState(false)
  const refusal = useRefusal("activity.apply")
  return (
    <>
      <Button onClick={() => setOpen(true)} refusal={refusal}>
        Unsuppress…
      </Button>
      {isOpen ? <SuppressionDialog onClose={() => setOpen(false)} w={w} /> : null}
    </>
  )
}

const totalText = ({ affected, total }: CauseDocument): string =>
  `In all ${counted(total, "operation", "operations")}${affected === 0 ? "" : `, about ${counted(affected, "person or object", "people and objects")}`}.`

interface ExampleProps {
  readonly w: string
  readonly entry: OperationDocument
}

/** What the client of the last operation was answered, and what it had sent. */
const Example = ({ entry, w }: ExampleProps) => {
  const { answer, call, call_reason, data, explanation, operation_id, outcome } = entry
  return (
    <>
      <Section
        title={answer === null ? "The answer the client got" : `The answer the client got: ${answer.status}`}
      >
        {answer === null ? (
          <p className="text-sm text-muted">
            {outcome === "rejected"
              ? "The log does not have it, because the call did not arrive over HTTP on its own."
              : "Only a rejected call is answered with an error. Otherwise the client is told that the call arrived, and the outcome stands in the log alone."}
          </p>
        ) : (
          <Code label="Answer to the last call" text={JSON.stringify(answer.body, null, 2)} />
        )}
      </Section>
      <Section
        actions={
          <Link
            className="text-sm text-accent hover:underline pointer-coarse:min-w-11 pointer-coarse:py-3"
            params={{ w, operationId: operation_id }}
            to="/w/$w/operations/$operationId"
          >
            Open the operation
          </Link>
        }
        title="The last call"
      >
        <p className="mb-2 text-sm break-words">{explanation.summary}</p>
        {call === null ? (
          <p className="mb-2 text-sm text-muted">
            It cannot be sent again: {call_reason?.reason ?? "the log does not have it"}.
          </p>
        ) : (
          <p className="mb-2 font-mono text-xs break-all">
            {call.method} {call.path}
          </p>
        )}
        {call?.body == null && data === null ? null : (
          <div className="max-h-72 overflow-y-auto">
            <JsonView label="What the last call sent" value={call?.body ?? data} />
          </div>
        )}
      </Section>
    </>
  )
}

/** The clause that the operations broke, in words. */
const Clause = ({ rule }: Pick<CauseDocument, "rule">) => {
  const clause = useQuery({
    queryKey: ["rules", rule],
    queryFn: ({ signal }) => api.rules.get(rule ?? "", signal),
    enabled: rule !== null,
    staleTime: Infinity,
    retry: false,
  })
  if (rule === null) return null
  if (clause.data !== undefined) return <Rule rule={clause.data} title="The clause that decided" />
  return (
    <Section title="The clause that decided">
      <p className="font-mono text-xs">{rule}</p>
    </Section>
  )
}
