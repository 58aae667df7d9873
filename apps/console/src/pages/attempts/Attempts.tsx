import type { EndpointName } from "@inlethq/contract/access/requirements"
import type { AttemptDocument } from "@inlethq/contract/webhooks/Webhooks"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useState, type ReactNode } from "react"
import type { PageOf } from "../../api/PageOf.ts"
import { useRefusal } from "../../session/useRefusal.ts"
import { ActionError } from "../../shared/dialogs/ActionError.tsx"
import { ApiProblem } from "../../shared/dialogs/ApiProblem.tsx"
import { Button } from "../../shared/buttons/Button.tsx"
import { Facts, Section } from "../../shared/dialogs/Detail.tsx"
import { duration } from "../../shared/values/figures.ts"
import { inputStyle } from "../../shared/fields/Field.tsx"
import { notify } from "../../shared/dialogs/notices.ts"
import { ExactTime, Time } from "../../shared/time/Time.tsx"
import { usePages } from "../../shared/lists/usePages.ts"
import { alertIdIn } from "./alertIdIn.ts"
import { AttemptAlert } from "./AttemptAlert.tsx"
import { OperationLink } from "./OperationLink.tsx"
import { attemptStatuses, statusLooks } from "./attemptStatus.ts"
import { Icon } from "../../shared/buttons/Icon.tsx"

/** The number of attempts that are loaded at a time. */
const pageItems = 50

/** The interval, in milliseconds, at which the attempts are read again. */
const refreshMs = 3_000

/** The request of an attempt, as it would be sent now. */
interface SentRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

interface AttemptQuery {
  readonly limit: number
  readonly status: AttemptDocument["status"] | undefined
  readonly after: string | undefined
}

/** Where the attempts of a webhook or a forward come from, and what can be done with them. */
export interface AttemptSource {
  /** The query key of the webhook or the forward. What is done with an attempt makes it outdated. */
  readonly key: ReadonlyArray<string>
  /** What is sent, such as "event". */
  readonly thing: string
  readonly list: (query: AttemptQuery, signal: AbortSignal) => Promise<PageOf<AttemptDocument>>
  readonly resend: (attemptId: string) => Promise<unknown>
  readonly skip: (attemptId: string) => Promise<unknown>
  readonly needs: { readonly resend: EndpointName; readonly skip: EndpointName }
  /** Reads the request of an attempt. Null if requests cannot be shown. */
  readonly request: ((attemptId: string, signal: AbortSignal) => Promise<SentRequest>) | null
}

interface AttemptsProps {
  readonly w: string
  readonly source: AttemptSource
}

/** Attempts, newest first. A click on an attempt shows the answer of the receiver, and its request where it can be shown. */
export const Attempts = ({ source, w }: AttemptsProps) => {
  const [status, setStatus] = useState<AttemptDocument["status"]>()
  const [open, setOpen] = useState<string>()
  const attempts = usePages(
    [...source.key, "attempts", status],
    (after, signal) => source.list({ limit: pageItems, status, after }, signal),
    refreshMs,
  )
  return (
    <Section
      actions={
        <div className="w-32">
          <select
            aria-label="Status of the attempts"
            className={inputStyle}
            onChange={(event) => setStatus(attemptStatuses.find((known) => known === event.target.value))}
            value={status ?? ""}
          >
            <option value="">All</option>
            {attemptStatuses.map((known) => (
              <option key={known} value={known}>
                {statusLooks[known].text}
              </option>
            ))}
          </select>
        </div>
      }
      title="Attempts"
    >
      {attempts.problem === null ? null : (
        <ApiProblem problem={attempts.problem} what="The attempts could not be loaded." />
      )}
      {attempts.items.length === 0 && !attempts.isLoading ? (
        <p className="text-sm text-muted">
          {attempts.hasMore
            ? "No attempt was found so far."
            : status === undefined
              ? `No attempts. The first ${source.thing} that is sent appears here.`
              : "No attempt that is kept has this status. Of those that succeeded at once, the newest 1,000 are kept."}
        </p>
      ) : null}
      <ul className="-mx-4">
        {attempts.items.map((attempt) => (
          <AttemptRow
            attempt={attempt}
            isOpen={open === attempt.attempt_id}
            key={attempt.attempt_id}
            onToggle={() => setOpen(open === attempt.attempt_id ? undefined : attempt.attempt_id)}
            source={source}
            w={w}
          />
        ))}
      </ul>
      {attempts.hasMore ? (
        <Button className="mt-2" disabled={attempts.isLoadingMore} onClick={attempts.loadMore}>
          Show older attempts
        </Button>
      ) : null}
    </Section>
  )
}

interface AttemptRowProps {
  readonly w: string
  readonly source: AttemptSource
  readonly attempt: AttemptDocument
  readonly isOpen: boolean
  readonly onToggle: () => void
}

const AttemptRow = ({ attempt, isOpen, onToggle, source, w }: AttemptRowProps) => {
  const { colour, icon, text } = statusLooks[attempt.status]
  return (
    <li className="border-t border-line">
      <button
        aria-expanded={isOpen}
        className="grid h-8 w-full grid-cols-[96px_72px_64px_minmax(0,1fr)] items-center gap-3 px-4 text-left text-sm hover:bg-hover pointer-coarse:h-11"
        onClick={onToggle}
        type="button"
      >
        <span className={`inline-flex items-center gap-1.5 ${colour}`}>
          <Icon className="size-3.5" name={icon} />
          {text}
        </span>
        {attempt.response_status === null ? (
          <span className="truncate text-muted">no answer</span>
        ) : (
          <span className="font-mono text-xs">{attempt.response_status}</span>
        )}
        <span className="text-muted">{duration(attempt.duration_ms)}</span>
        <span className="truncate text-right text-muted">
          <Time at={attempt.at} />
        </span>
      </button>
      {isOpen ? <AttemptDetail attempt={attempt} source={source} w={w} /> : null}
    </li>
  )
}

type AttemptDetailProps = Pick<AttemptRowProps, "attempt" | "source" | "w">

const AttemptDetail = ({ attempt, source, w }: AttemptDetailProps) => (
  <div className="space-y-3 bg-surface px-4 py-3">
    <Facts
      facts={[
        subjectFact(w, attempt),
        ["Attempt", `number ${attempt.number} of this ${source.thing}`],
        ["At", <ExactTime at={attempt.at} key="at" />],
        ["Next attempt", attempt.next_at === null ? null : <ExactTime at={attempt.next_at} key="next" />],
      ]}
    />
    {source.request === null ? null : (
      <AttemptRequest attempt={attempt} read={source.request} source={source} />
    )}
    <div>
      <h4 className="pb-1 text-xs font-medium text-faint">Answer</h4>
      {attempt.response_excerpt === null ? (
        <p className="text-sm text-muted">
          {attempt.response_status === null
            ? "No answer arrived."
            : `Status ${attempt.response_status}, without a body.`}
        </p>
      ) : (
        <pre aria-label="Answer of the receiver" className="overflow-x-auto font-mono text-xs" tabIndex={0}>
          {attempt.response_excerpt}
        </pre>
      )}
    </div>
    <AttemptActions attempt={attempt} source={source} w={w} />
  </div>
)

const subjectFact = (
  w: string,
  { event_id, operation_id }: AttemptDocument,
): readonly [string, ReactNode] => {
  const alertId = alertIdIn(event_id)
  return alertId === undefined
    ? ["Operation", <OperationLink id={operation_id} key="operation" w={w} />]
    : ["Alert", <AttemptAlert alertId={alertId} key="alert" w={w} />]
}

interface AttemptRequestProps extends Omit<AttemptDetailProps, "w"> {
  readonly read: NonNullable<AttemptSource["request"]>
}

/** The request of an attempt. It is made from the log, so it lacks what was erased since. */
const AttemptRequest = ({ attempt, read, source }: AttemptRequestProps) => {
  const request = useQuery({
    queryKey: [...source.key, "request", attempt.attempt_id],
    queryFn: ({ signal }) => read(attempt.attempt_id, signal),
    staleTime: Infinity,
  })
  return (
    <div>
      <h4 className="pb-1 text-xs font-medium text-faint">Request, without its signatures</h4>
      {request.error === null ? null : <p className="text-sm text-muted">{request.error.message}</p>}
      {request.data === undefined ? null : (
        <pre aria-label="Request" className="max-h-64 overflow-auto font-mono text-xs" tabIndex={0}>
          {requestText(request.data)}
        </pre>
      )}
    </div>
  )
}

const requestText = ({ body, headers, method, url }: SentRequest): string =>
  [
    `${method} ${url}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    "",
    JSON.stringify(JSON.parse(body), null, 2),
  ].join("\n")

const AttemptActions = ({ attempt, source, w }: AttemptDetailProps) => {
  const queries = useQueryClient()
  const onSettled = (): Promise<void> => queries.invalidateQueries({ queryKey: source.key })
  const resendRefusal = useRefusal(source.needs.resend)
  const skipRefusal = useRefusal(source.needs.skip)
  // An alert need not be about an operation.
  const isAlert = alertIdIn(attempt.event_id) !== undefined
  const link = isAlert ? undefined : { w, operationId: attempt.operation_id }
  const resend = useMutation({
    mutationFn: () => source.resend(attempt.attempt_id),
    onSuccess: () => notify(`The ${source.thing} is sent again.`, link),
    onSettled,
  })
  const skip = useMutation({
    mutationFn: () => source.skip(attempt.attempt_id),
    onSuccess: () => notify(`The ${source.thing} is skipped. Later ones go on.`, link),
    onSettled,
  })
  return (
    <>
      <ActionError error={resend.error ?? skip.error} />
      <div className="flex gap-2">
        <Button disabled={resend.isPending} onClick={() => resend.mutate()} refusal={resendRefusal}>
          Send again
        </Button>
        {attempt.next_at === null ? null : (
          <Button disabled={skip.isPending} onClick={() => skip.mutate()} refusal={skipRefusal}>
            Skip this {source.thing}
          </Button>
        )}
      </div>
    </>
  )
}
