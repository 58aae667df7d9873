import type { ForwardDocument } from "@inlethq/contract/webhooks/Forwards"
import { useQuery } from "@tanstack/react-query"
import { Link, useNavigate, useParams } from "@tanstack/react-router"
import { api } from "../../api/generated.ts"
import { useWorkspace } from "../../frame/useWorkspace.ts"
import { Attempts, type AttemptSource } from "../attempts/Attempts.tsx"
import { ApiProblem } from "../../shared/dialogs/ApiProblem.tsx"
import { Detail, Facts, Section } from "../../shared/dialogs/Detail.tsx"
import { Loading } from "../../shared/dialogs/Loading.tsx"
import { ExactTime } from "../../shared/time/Time.tsx"
import { CopyId } from "../../shared/values/CopyId.tsx"
import { count, counted } from "../../shared/values/figures.ts"
import { DeleteForward } from "./DeleteForward.tsx"
import { DestinationState } from "./DestinationState.tsx"
import { ForwardActions } from "./ForwardActions.tsx"

/** The interval, in milliseconds, at which the open panel reads its forward again. */
const refreshMs = 3_000

/** One forward: its state, its settings, its attempts, and what an operator can do with it. */
export const ForwardPanel = () => {
  const w = useWorkspace()
  const navigate = useNavigate()
  const { forwardId } = useParams({ from: "/w/$w/destinations/$forwardId" })
  const close = (): void => void navigate({ to: "/w/$w/destinations", params: { w } })
  const forward = useQuery({
    queryKey: [w, "destinations", forwardId],
    queryFn: ({ signal }) => api.forwards.get(w, forwardId, signal),
    refetchInterval: refreshMs,
  })
  return (
    <Detail
      actions={
        forward.data === undefined ? null : <DeleteForward forward={forward.data} onGone={close} w={w} />
      }
      onClose={close}
      title={forward.data?.name ?? forwardId}
    >
      {forward.error === null ? null : (
        <ApiProblem
          onRetry={() => void forward.refetch()}
          problem={forward.error}
          what="The forward could not be loaded."
        />
      )}
      {forward.isPending ? <Loading /> : null}
      {forward.data === undefined ? null : (
        <>
          <ForwardActions forward={forward.data} w={w} />
          <Settings forward={forward.data} w={w} />
          <Attempts source={attemptsOf(w, forwardId)} w={w} />
        </>
      )}
    </Detail>
  )
}

const attemptsOf = (w: string, id: string): AttemptSource => ({
  key: [w, "destinations", id],
  thing: "operation",
  list: (query, signal) => api.forwardAttempts.list(w, id, query, signal),
  resend: (attemptId) => api.forwardAttempts.resend(w, id, attemptId),
  skip: (attemptId) => api.forwardAttempts.skip(w, id, attemptId),
  needs: { resend: "forwardAttempts.resend", skip: "forwardAttempts.skip" },
  request: null,
})

interface SettingsProps {
  readonly w: string
  readonly forward: ForwardDocument
}

const Settings = ({ forward, w }: SettingsProps) => {
  const { blocked_by: blockedBy, last_error: error } = forward
  return (
    <Section title="Forward">
      <Facts
        facts={[
          ["State", <DestinationState key="state" of={{ ...forward, lag_seconds: 0 }} />],
          [
            "Last error",
            error === null ? null : (
              <span className="break-words text-red" key="error">
                {error}
              </span>
            ),
          ],
          [
            "Sent again",
            blockedBy === null ? null : (
              <Link
                className="font-mono text-xs text-accent hover:underline"
                key="blocked"
                params={{ w, operationId: blockedBy.operation_id }}
                to="/w/$w/operations/$operationId"
              >
                {blockedBy.operation_id}
              </Link>
            ),
          ],
          ["Attempts", blockedBy === null ? null : count(blockedBy.attempts)],
          ["Next attempt", blockedBy === null ? null : <ExactTime at={blockedBy.next_at} key="next" />],
          ["Waiting", waitingText(forward)],
          ["Sends to", shapeText[forward.to]],
          ["URL", <CopyId id={forward.url} key="url" label="URL" />],
          ["Forward id", <CopyId id={forward.forward_id} key="id" label="forward id" />],
          ["Filter", forward.filter ?? "all entries"],
          ["Values", forward.as === "decided" ? "as decided" : "as sent"],
          ["Retries", forward.retry],
          ["Created", <ExactTime at={forward.created_at} key="created" />],
        ]}
      />
    </Section>
  )
}

const shapeText: Readonly<Record<ForwardDocument["to"], string>> = {
  "track-v2": "the Track API v2",
  segment: "an API of the shape of Segment",
}

const waitingText = ({ waiting: { entries, operations } }: ForwardDocument): string => {
  if (operations === 0 && entries === 0) return "nothing"
  const retried = counted(operations, "operation", "operations")
  return entries === 0
    ? retried
    : `${retried}, and ${counted(entries, "entry", "entries")} of the log to read`
}
