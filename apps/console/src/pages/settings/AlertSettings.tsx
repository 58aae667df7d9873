import { Field } from "../../shared/fields/Field.tsx"
import { Group } from "./Group.tsx"
import type { WorkspaceEdits } from "./useWorkspaceEdits.ts"

const thresholds = [
  {
    name: "error_rate_percent",
    label: "Percent of operations that are refused",
    help: "Of those of the last 10 minutes, rejected or applied in part.",
    min: 1,
    max: 100,
  },
  {
    name: "errors_min",
    label: "Fewest refused operations",
    help: "Fewer of them in 10 minutes are no alert.",
    min: 1,
    max: 1_000_000,
  },
  {
    name: "lag_seconds",
    label: "Seconds behind",
    help: "Of a webhook, a forward, the lake, or rules about time.",
    min: 60,
    max: 604_800,
  },
] as const

/** From when on something is an alert, which Home shows and a webhook of kind `alerts` sends. */
export const AlertSettings = ({ edits: { edit, shown } }: { readonly edits: WorkspaceEdits }) => (
  <Group
    help="Home shows alerts, and a webhook that sends alerts tells when one begins and when it ends. New causes of refusals and silent events are alerts too."
    title="Alerts"
  >
    <div className="grid gap-4 sm:grid-cols-2">
      {thresholds.map(({ help, label, max, min, name }) => (
        <Field
          help={help}
          key={name}
          label={label}
          max={max}
          min={min}
          onChange={(event) => edit({ alerts: { ...shown.alerts, [name]: Number(event.target.value) } })}
          required
          step={1}
          type="number"
          value={String(shown.alerts[name])}
        />
      ))}
    </div>
  </Group>
)
