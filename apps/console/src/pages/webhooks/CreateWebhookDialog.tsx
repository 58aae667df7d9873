import type { WebhookDocument } from "@inlethq/contract/webhooks/Webhooks"
import { useState } from "react"
import { api } from "../../api/generated.ts"
import { ChoiceField, type Choice } from "../../shared/fields/ChoiceField.tsx"
import { FormDialog } from "../../shared/dialogs/FormDialog.tsx"
import { ResultDialog } from "../../shared/dialogs/ResultDialog.tsx"
import { SigningSecret } from "./SigningSecret.tsx"
import { settingsOf, WebhookFields, type WebhookDraft } from "./WebhookFields.tsx"
import { useChange } from "../../shared/dialogs/useChange.ts"

const kinds: ReadonlyArray<Choice<WebhookDocument["kind"]>> = [
  { value: "reporting", label: "Reports", help: "Metrics of messages, and changes of subscriptions." },
  { value: "activity", label: "Activity", help: "Entries of the activity log: what became of each call." },
  {
    value: "types",
    label: "Changes",
    help: "What is new or missing in the data of events, and what became silent.",
  },
  {
    value: "alerts",
    label: "Alerts",
    help: "When something begins to be wrong, and when it is well again: new causes of refusals, many refusals, what lags, and silent events.",
  },
]

const emptyDraft: WebhookDraft = {
  name: "",
  url: "",
  kind: "reporting",
  events: "*",
  filter: "",
  ordering: "strict",
  retry: "hosted",
  firstOnly: false,
  bodyContent: false,
}

interface CreateWebhookDialogProps {
  readonly w: string
  readonly onCreated: (webhookId: string) => void
  readonly onClose: () => void
}

/** Creates a webhook, then shows its signing secret until the dialog is closed. */
export const CreateWebhookDialog = ({ onClose, onCreated, w }: CreateWebhookDialogProps) => {
  const [draft, setDraft] = useState(emptyDraft)
  const create = useChange({
    call: () => api.webhooks.create(w, { kind: draft.kind, ...settingsOf(draft) }),
    outdates: [w, "webhooks"],
  })
  const issued = create.data
  if (issued !== undefined) {
    const finish = (): void => {
      onClose()
      onCreated(issued.webhook_id)
    }
    return (
      <ResultDialog onClose={finish} title="The webhook is ready">
        <SigningSecret secret={issued.signing_secret} />
      </ResultDialog>
    )
  }
  return (
    <FormDialog action={create} onClose={onClose} submit="Create webhook" title="Create webhook">
      <ChoiceField
        choices={kinds}
        label="Sends"
        onChange={(kind) => setDraft({ ...draft, kind })}
        value={draft.kind}
      />
      <WebhookFields draft={draft} onChange={(part) => setDraft({ ...draft, ...part })} />
    </FormDialog>
  )
}
