import type { WebhookDocument } from "@inlethq/contract/webhooks/Webhooks"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { api } from "../../api/generated.ts"
import { useRefusal } from "../../session/useRefusal.ts"
import { Button } from "../../shared/buttons/Button.tsx"
import { Section } from "../../shared/dialogs/Detail.tsx"
import { duration } from "../../shared/values/figures.ts"
import { notify } from "../../shared/dialogs/notices.ts"
import { RecoverDialog } from "../attempts/RecoverDialog.tsx"
import { EditWebhookDialog } from "./EditWebhookDialog.tsx"
import { RotateSecretDialog } from "./RotateSecretDialog.tsx"

interface WebhookActionsProps {
  readonly w: string
  readonly webhook: WebhookDocument
}

type DialogName = "edit" | "recover" | "rotate"

/** The actions on a webhook. The result of a test is shown below the buttons. */
export const WebhookActions = ({ w, webhook }: WebhookActionsProps) => {
  const queries = useQueryClient()
  const [dialog, setDialog] = useState<DialogName>()
  const id = webhook.webhook_id
  const updateRefusal = useRefusal("webhooks.update")
  const rotateRefusal = useRefusal("webhooks.rotateSecret")
  const testRefusal = useRefusal("webhookAttempts.test")
  const recoverRefusal = useRefusal("webhookAttempts.recover")
  const reload = (): Promise<void> => queries.invalidateQueries({ queryKey: [w, "webhooks"] })
  const toggle = useMutation({
    mutationFn: () => api.webhooks.update(w, id, { enabled: !webhook.enabled }),
    onSuccess: ({ enabled, name }) => notify(`The webhook ${name} was ${enabled ? "resumed" : "paused"}.`),
    onSettled: reload,
  })
  const test = useMutation({ mutationFn: () => api.webhookAttempts.test(w, id) })
  const problem = toggle.error ?? test.error
  const close = (): void => setDialog(undefined)
  return (
    <Section title="Actions">
      <div className="flex flex-wrap gap-2">
        <Button disabled={test.isPending} onClick={() => test.mutate()} refusal={testRefusal}>
          Send a sample
        </Button>
        <Button disabled={toggle.isPending} onClick={() => toggle.mutate()} refusal={updateRefusal}>
          {webhook.enabled ? "Pause" : "Resume"}
        </Button>
        <Button onClick={() => setDialog("edit")} refusal={updateRefusal}>
          Edit
        </Button>
        <Button onClick={() => setDialog("recover")} refusal={recoverRefusal}>
          Recover
        </Button>
        <Button onClick={() => setDialog("rotate")} refusal={rotateRefusal}>
          Replace secret
        </Button>
      </div>
      <p aria-live="polite" className={`pt-2 text-sm ${problem === null ? "text-muted" : "text-red"}`}>
        {problem?.message ?? (test.data === undefined ? "" : testText(test.data))}
      </p>
      {dialog === "edit" ? <EditWebhookDialog onClose={close} w={w} webhook={webhook} /> : null}
      {dialog === "recover" ? (
        <RecoverDialog
          onClose={close}
          outdates={[w, "webhooks"]}
          recover={async (since) => (await api.webhookAttempts.recover(w, id, { since })).events}
          thing="event"
        />
      ) : null}
      {dialog === "rotate" ? <RotateSecretDialog onClose={close} w={w} webhook={webhook} /> : null}
    </Section>
  )
}

type TestResult = Awaited<ReturnType<typeof api.webhookAttempts.test>>

const testText = ({ duration_ms, response_excerpt, response_status, status }: TestResult): string => {
  const answer = response_status === null ? (response_excerpt ?? "no answer") : `status ${response_status}`
  const after = `after ${duration(duration_ms)}`
  return status === "delivered"
    ? `Your server accepted the sample with ${answer} ${after}.`
    : `Your server did not accept the sample: ${answer} ${after}.`
}
