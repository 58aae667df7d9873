import type { ForwardDocument } from "@inlethq/contract/webhooks/Forwards"
import { useNavigate, useParams } from "@tanstack/react-router"
import { api } from "../../api/generated.ts"
import { useWorkspace } from "../../frame/useWorkspace.ts"
import { Facts, Section } from "../../shared/dialogs/Detail.tsx"
import { ExactTime } from "../../shared/time/Time.tsx"
import { CopyId } from "../../shared/values/CopyId.tsx"
import type { AttemptSource } from "../attempts/Attempts.tsx"
import { blockingFacts } from "../attempts/blockingFacts.tsx"
import { SendingPanel } from "../attempts/SendingPanel.tsx"
import { waitingText } from "../attempts/waitingText.ts"
import { DeleteForward } from "./DeleteForward.tsx"
import { DestinationState } from "./DestinationState.tsx"
import { ForwardActions } from "./ForwardActions.tsx"

/** One forward: its state, its settings, its attempts, and what an operator can do with it. */
export const ForwardPanel = () => {
  const w = useWorkspace()
  const navigate = useNavigate()
  const { forwardId } = useParams({ from: "/w/$w/destinations/$forwardId" })
  const close = (): void => void navigate({ to: "/w/$w/destinations", params: { w } })
  return (
    <SendingPanel<ForwardDocument>
      attempts={attemptsOf(w, forwardId)}
      deletion={(forward) => <DeleteForward forward={forward} onGone={close} w={w} />}
      id={forwardId}
      kind="forward"
      onClose={close}
      read={(signal) => api.forwards.get(w, forwardId, signal)}
      w={w}
    >
      {(forward) => (
        <>
          <ForwardActions forward={forward} w={w} />
          <Settings forward={forward} w={w} />
        </>
      )}
    </SendingPanel>
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
  const { blocked_by: blocking, last_error: error, waiting } = forward
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
          ...blockingFacts(w, "Sent again", blocking),
          ["Waiting", waitingText(waiting.operations, "operation", waiting.entries)],
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
