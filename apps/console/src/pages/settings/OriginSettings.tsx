import type { WorkspaceDocument } from "../../api/documents.ts"
import { CheckField } from "../../shared/fields/CheckField.tsx"
import { ChoiceField, type Choice } from "../../shared/fields/ChoiceField.tsx"
import { Group } from "./Group.tsx"
import type { WorkspaceEdits } from "./useWorkspaceEdits.ts"

const addresses: ReadonlyArray<Choice<WorkspaceDocument["ip"]>> = [
  {
    value: "truncate",
    label: "Their networks",
    help: "203.0.113.0 of 203.0.113.7, and 2001:db8:1:: of IPv6.",
  },
  { value: "drop", label: "Nothing" },
  { value: "keep", label: "All of them", help: "Addresses are personal data." },
]

interface OriginSettingsProps {
  readonly edits: WorkspaceEdits
}

/** The settings that decide what entries keep of where calls came from. */
export const OriginSettings = ({ edits: { edit, shown } }: OriginSettingsProps) => (
  <Group
    help="What is kept of the page, the device and the address that a call came from. It applies to calls from now on."
    title="Where calls come from"
  >
    <CheckField
      checked={shown.context === "keep"}
      help="Page, campaign, app, device and address, as the library sent them. They are erased with the person."
      label="Keep the context of Pipelines calls"
      onChange={(isOn) => edit({ context: isOn ? "keep" : "off" })}
    />
    <ChoiceField
      choices={addresses}
      label="Kept of the addresses of clients"
      onChange={(ip) => edit({ ip })}
      value={shown.ip}
    />
  </Group>
)
