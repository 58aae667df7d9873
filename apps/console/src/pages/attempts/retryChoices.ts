import type { WebhookDocument } from "@inlethq/contract/webhooks/Webhooks"
import type { Choice } from "../../shared/fields/ChoiceField.tsx"

/** The schedules of retries that webhooks and forwards have in common. */
export const retryChoices: ReadonlyArray<Choice<WebhookDocument["retry"]>> = [
  { value: "hosted", label: "Hosted", help: "The schedule of the hosted service, for 7 days." },
  { value: "standard", label: "Standard", help: "The schedule of Standard Webhooks, for 7 days." },
]
