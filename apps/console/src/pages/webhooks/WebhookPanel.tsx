import type { WebhookDocument } from "@inlethq/contract/webhooks/Webhooks"
import { useQuery } from "@tanstack/react-query"
import { Link, useNavigate, useParams } from "@tanstack/react-router"
import { api } from "../../api/generated.ts"
import { useWorkspace } from "../../frame/useWorkspace.ts"
import { ApiProblem } from "../../shared/dialogs/ApiProblem.tsx"
import { CopyId } from "../../shared/values/CopyId.tsx"
import { Detail, Facts, Section } from "../../shared/dialogs/Detail.tsx"
import { count, counted } from "../../shared/values/figures.ts"
import { Loading } from "../../shared/dialogs/Loading.tsx"
import { ExactTime } from "../../shared/time/Time.tsx"
import { Attempts, type AttemptSource } from "../attempts/Attempts.tsx"
import { DeleteWebhook } from "./DeleteWebhook.tsx"
import { WebhookActions } from "./WebhookActions.tsx"
import { WebhookState } from "./WebhookState.tsx"

/** The interval, in milliseconds, at which the open panel reads its webhook again. */
const refreshMs = 3_000

/** One webhook: its state, its settings, its attempts, and what an operator can do with it. */
export const WebhookPanel = () => {
  const w = useWorkspace()
  const navigate = useNavigate()
  const { webhookId } = useParams({ from: "/w/$w/webhooks/$webhookId" })
  const close = (): void => void navigate({ to: "/w/$w/webhooks", params: { w } })
  const webhook = useQuery({
    queryKey: [w, "webhooks", webhookId],
    queryFn: ({ signal }) => api.webhooks.get(w, webhookId, signal),
    refetchInterval: refreshMs,
  })
  return (
    <Detail
      actions={
        webhook.data === undefined ? null : <DeleteWebhook onGone={close} w={w} webhook={webhook.data} />
      }
      onClose={close}
      title={webhook.data?.name ?? webhookId}
    >
      {webhook.error === null ? null : (
        <ApiProblem
          onRetry={() => void webhook.refetch()}
          problem={webhook.error}
          what="The webhook could not be loaded."
        />
      )}
      {webhook.isPending ? <Loading /> : null}
      {webhook.data === undefined ? null : (
        <>
          <WebhookActions w={w} webhook={webhook.data} />
          <Settings w={w} webhook={webhook.data} />
          <Attempts source={attemptsOf(w, webhookId)} w={w} />
        </>
      )}
    </Detail>
  )
}

const attemptsOf = (w: string, id: string): AttemptSource => ({
  key: [w, "webhooks", id],
  thing: "event",
  list: (query, signal) => api.webhookAttempts.list(w, id, query, signal),
  resend: (attemptId) => api.webhookAttempts.resend(w, id, attemptId),
  skip: (attemptId) => api.webhookAttempts.skip(w, id, attemptId),
  needs: { resend: "webhookAttempts.resend", skip: "webhookAttempts.skip" },
  request: (attemptId, signal) => api.webhookAttempts.request(w, id, attemptId, signal),
})

interface SettingsProps {
  readonly w: string
  readonly webhook: WebhookDocument
}

const Settings = ({ w, webhook }: SettingsProps) => {
  const { blocked_by: blockedBy } = webhook
  return (
    <Section title="Webhook">
      <Facts
        facts={[
          ["State", <WebhookState key="state" webhook={webhook} />],
          [
            "Blocked by",
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
          ["Waiting", waitingText(webhook)],
          ["URL", <CopyId id={webhook.url} key="url" label="URL" />],
          ["Webhook id", <CopyId id={webhook.webhook_id} key="id" label="webhook id" />],
          ["Events", webhook.kind === "activity" ? null : webhook.events.join(", ")],
          ["Filter", webhook.kind === "activity" ? (webhook.filter ?? "all entries") : null],
          ["Order", orderText[webhook.ordering]],
          ["Retries", webhook.retry],
          ["Created", <ExactTime at={webhook.created_at} key="created" />],
        ]}
      />
    </Section>
  )
}

/** The number of waiting events up to which the server counts them. */
const countedMax = 250

const waitingText = ({ waiting: { entries, events } }: WebhookDocument): string => {
  if (events === 0 && entries === 0) return "nothing"
  const more = events >= countedMax ? " or more" : ""
  const retried = `${count(events)}${more} ${events === 1 ? "event" : "events"}`
  return entries === 0
    ? retried
    : `${retried}, and ${counted(entries, "entry", "entries")} of the log to read`
}

const orderText: Readonly<Record<WebhookDocument["ordering"], string>> = {
  strict: "strict",
  per_person: "per person",
  none: "none",
}
