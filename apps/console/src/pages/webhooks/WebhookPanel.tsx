import type { WebhookDocument } from "@inlethq/contract/webhooks/Webhooks"
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
import { DeleteWebhook } from "./DeleteWebhook.tsx"
import { WebhookActions } from "./WebhookActions.tsx"
import { WebhookState } from "./WebhookState.tsx"

/** One webhook: its state, its settings, its attempts, and what an operator can do with it. */
export const WebhookPanel = () => {
  const w = useWorkspace()
  const navigate = useNavigate()
  const { webhookId } = useParams({ from: "/w/$w/webhooks/$webhookId" })
  const close = (): void => void navigate({ to: "/w/$w/webhooks", params: { w } })
  return (
    <SendingPanel<WebhookDocument>
      attempts={attemptsOf(w, webhookId)}
      deletion={(webhook) => <DeleteWebhook onGone={close} w={w} webhook={webhook} />}
      id={webhookId}
      kind="webhook"
      onClose={close}
      read={(signal) => api.webhooks.get(w, webhookId, signal)}
      w={w}
    >
      {(webhook) => (
        <>
          <WebhookActions w={w} webhook={webhook} />
          <Settings w={w} webhook={webhook} />
        </>
      )}
    </SendingPanel>
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

const Settings = ({ w, webhook }: SettingsProps) => (
  <Section title="Webhook">
    <Facts
      facts={[
        ["State", <WebhookState key="state" webhook={webhook} />],
        ...blockingFacts(w, "Blocked by", webhook.blocked_by, webhook.kind === "alerts"),
        ["Waiting", waitingText(webhook.waiting.events, "event", webhook.waiting.entries)],
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

const orderText: Readonly<Record<WebhookDocument["ordering"], string>> = {
  strict: "strict",
  per_person: "per person",
  none: "none",
}
