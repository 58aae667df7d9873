import type { WebhookDocument } from "@inlethq/contract/webhooks/Webhooks"
import { CheckField } from "../../shared/fields/CheckField.tsx"
import { ChoiceField, type Choice } from "../../shared/fields/ChoiceField.tsx"
import { Field } from "../../shared/fields/Field.tsx"
import { NameField } from "../../shared/fields/NameField.tsx"
import { FilterField, filterTyped } from "../attempts/FilterField.tsx"
import { retryChoices } from "../attempts/retryChoices.ts"

/** The settings of a webhook that an operator edits. */
export interface WebhookDraft {
  readonly name: string
  readonly url: string
  readonly kind: WebhookDocument["kind"]
  /** The names of events, separated by commas. */
  readonly events: string
  readonly filter: string
  readonly ordering: WebhookDocument["ordering"]
  readonly retry: WebhookDocument["retry"]
  readonly firstOnly: boolean
  readonly bodyContent: boolean
}

const orderings: ReadonlyArray<Choice<WebhookDocument["ordering"]>> = [
  {
    value: "strict",
    label: "Strict",
    help: "Each event waits for all earlier events. An event that your server rejects holds up all later events.",
  },
  {
    value: "per_person",
    label: "Per person",
    help: "Each event waits only for earlier events of the same person or object.",
  },
  { value: "none", label: "None", help: "No event waits for another event." },
]

const eventsHelp = {
  alerts: "Names separated by commas: new_cause, error_rate, lag, silent. An asterisk stands for all alerts.",
  reporting:
    "Names separated by commas, such as email_opened, email_clicked. An asterisk stands for all events.",
  types:
    "Names separated by commas: new_name, similar_name, new_path, widened_type, presence_fell, silent. An asterisk stands for all changes.",
}

const eventsLabels = { alerts: "Alerts", reporting: "Events", types: "Changes" }

interface WebhookFieldsProps {
  readonly draft: WebhookDraft
  readonly onChange: (part: Partial<WebhookDraft>) => void
}

/** The form fields of a new webhook and of an existing webhook. */
export const WebhookFields = ({ draft, onChange }: WebhookFieldsProps) => (
  <>
    <Field
      autoComplete="off"
      help="The address that receives the events. Addresses in private networks need the setting INLET_WEBHOOK_ALLOW."
      label="URL"
      onChange={(event) => onChange({ url: event.target.value })}
      placeholder="https://example.com/hook"
      required
      spellCheck={false}
      type="url"
      value={draft.url}
    />
    <NameField onChange={(name) => onChange({ name })} value={draft.name} />
    {draft.kind === "activity" ? null : (
      <Field
        autoComplete="off"
        className="font-mono text-xs"
        help={eventsHelp[draft.kind]}
        label={eventsLabels[draft.kind]}
        onChange={(event) => onChange({ events: event.target.value })}
        required
        spellCheck={false}
        value={draft.events}
      />
    )}
    {draft.kind === "activity" ? (
      <FilterField
        note="An empty filter selects all entries."
        onChange={(filter) => onChange({ filter })}
        value={draft.filter}
      />
    ) : null}
    <ChoiceField
      choices={orderings}
      label="Order"
      onChange={(ordering) => onChange({ ordering })}
      value={draft.ordering}
    />
    <ChoiceField
      choices={retryChoices}
      label="Retries"
      onChange={(retry) => onChange({ retry })}
      value={draft.retry}
    />
    {draft.kind === "reporting" ? <ReportOptions draft={draft} onChange={onChange} /> : null}
  </>
)

const ReportOptions = ({ draft, onChange }: WebhookFieldsProps) => (
  <>
    <CheckField
      checked={draft.firstOnly}
      help="If this is off, each report of a metric is sent, for example each time that a message is opened."
      label="Send only the first report of each metric of a message"
      onChange={(firstOnly) => onChange({ firstOnly })}
    />
    <CheckField
      checked={draft.bodyContent}
      label="Include the preferences in events about subscription preferences"
      onChange={(bodyContent) => onChange({ bodyContent })}
    />
  </>
)

/** Returns the settings of a draft in the form that the management API accepts. */
export const settingsOf = (draft: WebhookDraft) => ({
  name: draft.name.trim(),
  url: draft.url.trim(),
  ...(draft.kind === "activity"
    ? { filter: filterTyped(draft.filter) }
    : {
        events: draft.events
          .split(",")
          .map((name) => name.trim())
          .filter((name) => name !== ""),
      }),
  ...(draft.kind === "reporting" ? { first_only: draft.firstOnly, body_content: draft.bodyContent } : {}),
  ordering: draft.ordering,
  retry: draft.retry,
})
