import type { WorkspaceDocument } from "../../api/documents.ts"
import { ChoiceField, type Choice } from "../../shared/fields/ChoiceField.tsx"
import { Group } from "./Group.tsx"
import type { WorkspaceEdits } from "./useWorkspaceEdits.ts"

const choices: ReadonlyArray<Choice<WorkspaceDocument["unknown_events"]>> = [
  { value: "allow", label: "Accept them", help: "Only events with a plan are checked." },
  { value: "observe", label: "Accept and mark them", help: "The filter plan:violated finds them." },
  { value: "reject", label: "Reject them", help: "Events need a plan. Nothing else is stored." },
]

/** What becomes of events without a plan. The plans themselves stand on the page Events. */
export const PlanSettings = ({ edits: { edit, shown } }: { readonly edits: WorkspaceEdits }) => (
  <Group
    help="What data events should have stands in plans, on the page Events. Pages and screens need none."
    title="Plans"
  >
    <ChoiceField
      choices={choices}
      label="Events whose name has no plan"
      onChange={(unknown_events) => edit({ unknown_events })}
      value={shown.unknown_events}
    />
  </Group>
)
