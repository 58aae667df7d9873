import { operationTitle } from "@inlethq/log/explanation/operationTitle"
import type { ExplanationDocument } from "@inlethq/contract/activity/ExplanationDocument"
import { useQuery } from "@tanstack/react-query"
import { Link, useRouter } from "@tanstack/react-router"
import type { OperationDocument } from "../../api/documents.ts"
import { api } from "../../api/generated.ts"
import { useWorkspace } from "../../frame/useWorkspace.ts"
import { ApiProblem } from "../../shared/dialogs/ApiProblem.tsx"
import { CopyButton } from "../../shared/buttons/Button.tsx"
import { Section } from "../../shared/dialogs/Detail.tsx"
import { FieldChanges } from "../../shared/values/FieldChanges.tsx"
import { JsonView } from "../../shared/values/JsonView.tsx"
import { Loading } from "../../shared/dialogs/Loading.tsx"
import { CodeText } from "../../shared/values/Markdown.tsx"
import { OutcomeBadge } from "../../shared/values/Outcome.tsx"
import { ClockTime, Time } from "../../shared/time/Time.tsx"
import { CameFrom } from "./CameFrom.tsx"
import { curlOf } from "./curlOf.ts"
import { Neighbours } from "./Neighbours.tsx"
import { OperationFacts } from "./OperationFacts.tsx"
import { PlanViolated } from "./PlanViolated.tsx"
import { ReadOtherwise } from "./ReadOtherwise.tsx"
import { Refused } from "./Refused.tsx"
import { Resend } from "./Resend.tsx"
import { Rule } from "./Rule.tsx"
import { SubjectLink } from "./SubjectLink.tsx"
import { UndoOperation } from "./UndoOperation.tsx"

interface OperationViewProps {
  readonly operationId: string
  readonly onNeighbour: (operationId: string) => void
  /** True if the view has the width of a page. */
  readonly isWide?: boolean
}

/** Explains an operation: what was decided, why, what changed, and what its sender should do. */
export const OperationView = ({ isWide = false, onNeighbour, operationId }: OperationViewProps) => {
  const w = useWorkspace()
  const entry = useQuery({
    queryKey: [w, "operation", operationId],
    queryFn: ({ signal }) => api.activity.operation(w, operationId, signal),
  })
  if (entry.error !== null) {
    return (
      <ApiProblem
        onRetry={() => void entry.refetch()}
        problem={entry.error}
        what={`Operation ${operationId} could not be loaded.`}
      />
    )
  }
  if (entry.data === undefined) return <Loading />
  const { data: shown } = entry
  const { explanation } = shown
  return (
    <div className={isWide ? "gap-x-12 xl:grid xl:grid-cols-2" : ""}>
      <div className="min-w-0">
        <Summary entry={shown} />
        <Section title="What to do">
          <p className="text-sm">
            <CodeText text={explanation.advice} />
          </p>
        </Section>
        <CameFrom entry={shown} />
        {shown.refused.length === 0 ? null : (
          <Section title="What was left out">
            <Refused explanation={explanation} refused={shown.refused} />
          </Section>
        )}
        <PlanViolated entry={shown} />
        {shown.kept_as.length === 0 ? null : (
          <Section title="What was read otherwise">
            <ReadOtherwise kept={shown.kept_as} />
          </Section>
        )}
        <Section title="What changed">
          <FieldChanges changes={shown.changes} none="No field of a person or an object changed." />
        </Section>
        {explanation.overridden_by.length === 0 ? null : (
          <OverriddenBy overriding={explanation.overridden_by} />
        )}
        <Section
          title={shown.refused.length === 0 ? "What was sent" : "What was sent, without what was left out"}
        >
          {shown.data === null ? (
            <p className="text-sm text-muted">Inlet does not store the data of this operation.</p>
          ) : (
            <JsonView label="Data that was sent" value={shown.data} />
          )}
        </Section>
        <TheCall entry={shown} />
      </div>
      <div className="min-w-0">
        {explanation.rule === null ? null : <Rule rule={explanation.rule} />}
        <Section title="Details">
          <OperationFacts entry={shown} />
        </Section>
        <Neighbours onOpen={onNeighbour} operationId={operationId} />
      </div>
    </div>
  )
}

interface SummaryProps {
  readonly entry: OperationDocument
}

const Summary = ({ entry }: SummaryProps) => {
  const w = useWorkspace()
  const router = useRouter()
  const { href } = router.buildLocation({
    to: "/w/$w/operations/$operationId",
    params: { w, operationId: entry.operation_id },
  })
  const link = new URL(href, location.origin).href
  return (
    <div className="space-y-3 border-b border-line px-4 py-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
        <OutcomeBadge outcome={entry.outcome} />
        <span className="font-mono text-xs">{operationTitle(entry).kind}</span>
        <ClockTime at={entry.received_at} />
        <Time at={entry.received_at} />
      </div>
      <p className="text-base break-words">{entry.explanation.summary}</p>
      <SubjectLink entry={entry} />
      <div className="flex flex-wrap gap-2">
        {entry.call === null ? null : (
          <CopyButton label="Copy as curl" text={curlOf(entry.call, location.origin)} />
        )}
        <CopyButton label="Copy as JSON" text={JSON.stringify(entry, null, 2)} />
        <CopyButton label="Copy link" text={link} />
        {entry.call === null ? null : <Resend call={entry.call} />}
        <UndoOperation entry={entry} w={w} />
      </div>
    </div>
  )
}

/** Shows the call that makes the operation again, and what the sender of a rejected one was answered. */
const TheCall = ({ entry: { answer, call, call_reason } }: SummaryProps) => (
  <>
    <Section title="The call">
      {call === null ? (
        <p className="text-sm text-muted">
          It cannot be sent again: {call_reason?.reason ?? "the log does not have it"}.
        </p>
      ) : (
        <>
          <p className="mb-2 font-mono text-xs break-all">
            {call.method} {call.path}
          </p>
          {call.body === null ? null : <JsonView label="Body of the call" value={call.body} />}
        </>
      )}
    </Section>
    {answer === null ? null : (
      <Section title={`The answer: ${answer.status}`}>
        <JsonView label="Answer to the call" value={answer.body} />
      </Section>
    )}
  </>
)

interface OverriddenByProps {
  readonly overriding: ExplanationDocument["overridden_by"]
}

const OverriddenBy = ({ overriding }: OverriddenByProps) => {
  const w = useWorkspace()
  return (
    <Section title="Overridden by">
      <ul className="space-y-1 text-sm">
        {overriding.map(({ operation_id, path }) => (
          <li className="flex flex-wrap gap-x-3" key={`${path} ${operation_id}`}>
            <span className="font-mono text-xs leading-5">{path}</span>
            <Link
              className="font-mono text-xs leading-5 text-accent hover:underline"
              params={{ w, operationId: operation_id }}
              to="/w/$w/operations/$operationId"
            >
              {operation_id}
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  )
}
