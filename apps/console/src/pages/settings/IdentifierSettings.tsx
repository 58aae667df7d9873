import { CheckField } from "../../shared/fields/CheckField.tsx"
import { Group } from "./Group.tsx"
import type { WorkspaceEdits } from "./useWorkspaceEdits.ts"

interface IdentifierSettingsProps {
  readonly edits: WorkspaceEdits
}

const kinds = ["id", "email"] as const

/** The settings that decide how calls identify people. */
export const IdentifierSettings = ({ edits: { edit, shown } }: IdentifierSettingsProps) => (
  <Group
    help="How calls identify people. It can be changed only while the workspace has no people."
    title="Identifiers"
  >
    {kinds.map((kind) => (
      <CheckField
        checked={shown.identifiers.includes(kind)}
        key={kind}
        label={`People can have an ${kind}`}
        onChange={(isOn) =>
          edit({
            identifiers: kinds.filter((other) => (other === kind ? isOn : shown.identifiers.includes(other))),
          })
        }
      />
    ))}
    <CheckField
      checked={shown.email_update_by_id}
      help="If this is off, a call that names a person by id cannot change an email that is already set."
      label="A call by id can change the email"
      onChange={(isOn) => edit({ email_update_by_id: isOn })}
    />
    <CheckField
      checked={shown.event_merging}
      help="When a visitor becomes known, the person receives the visitor's events of the last 30 days. If this is off, these events stay with the visitor."
      label="A person receives the visitor's earlier events"
      onChange={(isOn) => edit({ event_merging: isOn })}
    />
    <CheckField
      checked={shown.placeholder_ids === "reject"}
      help="Ids such as undefined, null or 0 name everybody whose id the client did not have. If this is off, the entries of such calls say so."
      label="Reject calls whose id is a placeholder"
      onChange={(isOn) => edit({ placeholder_ids: isOn ? "reject" : "mark" })}
    />
  </Group>
)
