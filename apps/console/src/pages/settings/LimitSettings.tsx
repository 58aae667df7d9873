import type { WorkspaceDocument } from "../../api/documents.ts"
import { ChoiceField, type Choice } from "../../shared/fields/ChoiceField.tsx"
import { Field } from "../../shared/fields/Field.tsx"
import { Group } from "./Group.tsx"
import { limitGroups, type LimitName } from "./limitFields.ts"
import type { WorkspaceEdits } from "./useWorkspaceEdits.ts"

const rateLimits: ReadonlyArray<Choice<WorkspaceDocument["rate_limit"]>> = [
  {
    value: "observe",
    label: "Apply them, and record that the rate was exceeded",
    help: "Live shows an entry about the excess.",
  },
  {
    value: "throttle",
    label: "Answer them with status 429",
    help: "Client libraries send such requests again later. A client that does not retry loses them.",
  },
]

interface LimitSettingsProps {
  readonly edits: WorkspaceEdits
}

interface LimitFieldProps extends LimitSettingsProps {
  readonly name: LimitName
  readonly label: string
}

const LimitField = ({ edits: { editLimit, limit }, label, name }: LimitFieldProps) => (
  <Field
    label={label}
    min={1}
    onChange={(event) => editLimit(name, event.target.value)}
    required
    step={1}
    type="number"
    value={limit(name)}
  />
)

/**
 * The settings of the rate limit: the number of requests in a time window, and the treatment of requests beyond this
 * number.
 */
export const RateSettings = ({ edits }: LimitSettingsProps) => (
  <Group help="The requests of all keys of this workspace together." title="Rate">
    <div className="grid gap-4 sm:grid-cols-2">
      <LimitField edits={edits} label="Requests in a time window" name="rate_requests" />
      <LimitField edits={edits} label="Length of the time window in seconds" name="rate_window_seconds" />
    </div>
    <ChoiceField
      choices={rateLimits}
      label="Further requests"
      onChange={(rate_limit) => edits.edit({ rate_limit })}
      value={edits.shown.rate_limit}
    />
  </Group>
)

export const LimitSettings = ({ edits }: LimitSettingsProps) => (
  <Group
    help="A call beyond a limit is rejected, or only a part of it is applied. The entry of the call in Live names the limit. A lower limit does not delete stored data. Sizes are bytes of UTF-8."
    title="Limits"
  >
    {limitGroups.map(({ fields, title }) => (
      <fieldset key={title}>
        <legend className="pb-2 text-sm font-medium">{title}</legend>
        <div className="grid gap-4 sm:grid-cols-2">
          {fields.map(([name, label]) => (
            <LimitField edits={edits} key={name} label={label} name={name} />
          ))}
        </div>
      </fieldset>
    ))}
  </Group>
)
