import type { ForwardDocument } from "@inlethq/contract/webhooks/Forwards"
import { ChoiceField, type Choice } from "../../shared/fields/ChoiceField.tsx"
import { Field } from "../../shared/fields/Field.tsx"
import { NameField } from "../../shared/fields/NameField.tsx"
import { FilterField, filterTyped } from "../attempts/FilterField.tsx"
import { retryChoices } from "../attempts/retryChoices.ts"

/** The settings of a forward that an operator edits. */
export interface ForwardDraft {
  readonly name: string
  readonly to: ForwardDocument["to"]
  readonly url: string
  /** Empty if an existing forward keeps its key. */
  readonly key: string
  readonly filter: string
  readonly as: ForwardDocument["as"]
  readonly retry: ForwardDocument["retry"]
}

const sentAs: ReadonlyArray<Choice<ForwardDocument["as"]>> = [
  {
    value: "decided",
    label: "As decided",
    help: "With the identifiers that the person had, and without the values that were refused.",
  },
  { value: "sent", label: "As sent", help: "With the values that came, as far as the log keeps them." },
]

const retries: ReadonlyArray<Choice<ForwardDocument["retry"]>> = [
  { value: "quick", label: "Quick", help: "After 1 second, doubling up to 5 minutes, for 7 days." },
  ...retryChoices,
]

const keyHelp: Readonly<Record<ForwardDocument["to"], string>> = {
  "track-v2": "The site id and the API key of the receiver, as SITE_ID:API_KEY. It is never shown again.",
  segment: "The write key of the receiver. It is never shown again.",
}

interface ForwardFieldsProps {
  readonly draft: ForwardDraft
  /** True if the forward has a key, which stays if the field is empty. */
  readonly hasKey: boolean
  readonly onChange: (part: Partial<ForwardDraft>) => void
}

/** The form fields of a new forward and of an existing one. */
export const ForwardFields = ({ draft, hasKey, onChange }: ForwardFieldsProps) => (
  <>
    <NameField onChange={(name) => onChange({ name })} value={draft.name} />
    <Field
      autoComplete="off"
      help={`The base address. ${draft.to === "track-v2" ? "/v2/batch" : "/v1/batch"} is added to it.`}
      label="URL"
      onChange={(event) => onChange({ url: event.target.value })}
      placeholder={draft.to === "track-v2" ? "https://track.customer.io/api" : "https://cdp.customer.io"}
      required
      spellCheck={false}
      type="url"
      value={draft.url}
    />
    <Field
      autoComplete="off"
      className="font-mono text-xs"
      help={`${keyHelp[draft.to]}${hasKey ? " Leave it empty to keep the present one." : ""}`}
      label="Key"
      onChange={(event) => onChange({ key: event.target.value })}
      required={!hasKey}
      spellCheck={false}
      type="password"
      value={draft.key}
    />
    <FilterField
      note="Deletions and suppressions are sent all the same."
      onChange={(filter) => onChange({ filter })}
      value={draft.filter}
    />
    <ChoiceField choices={sentAs} label="Values" onChange={(as) => onChange({ as })} value={draft.as} />
    <ChoiceField
      choices={retries}
      label="Retries"
      onChange={(retry) => onChange({ retry })}
      value={draft.retry}
    />
  </>
)

/** Returns the settings of a draft in the form that the management API accepts, without the key. */
export const settingsOf = ({ as, filter, name, retry, url }: ForwardDraft) => ({
  name: name.trim(),
  url: url.trim(),
  filter: filterTyped(filter),
  as,
  retry,
})
