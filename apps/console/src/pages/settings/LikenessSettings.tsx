import type { WorkspaceDocument } from "../../api/documents.ts"
import { CheckField } from "../../shared/CheckField.tsx"
import { Group } from "./Group.tsx"
import type { WorkspaceEdits } from "./useWorkspaceEdits.ts"

const kinds: ReadonlyArray<
  readonly [kind: WorkspaceDocument["likeness"][number], label: string, help: string]
> = [
  ["email", "Emails", "Case, dots before the @ and what follows a + do not count."],
  ["phone", "Phones", "The digits of the attribute phone."],
  ["name_postcode", "Names with postcodes", "Case, accents and punctuation do not count."],
]

interface LikenessSettingsProps {
  readonly edits: WorkspaceEdits
}

/** The settings that decide what is compared to find people who may be one. */
export const LikenessSettings = ({ edits: { edit, shown } }: LikenessSettingsProps) => (
  <Group
    help="What is compared to list people who may be one under Duplicates. People who are there already are compared in the background."
    title="Duplicates"
  >
    {kinds.map(([kind, label, help]) => (
      <CheckField
        checked={shown.likeness.includes(kind)}
        help={help}
        key={kind}
        label={label}
        onChange={(isOn) =>
          edit({
            likeness: kinds.flatMap(([other]) =>
              (other === kind ? isOn : shown.likeness.includes(other)) ? [other] : [],
            ),
          })
        }
      />
    ))}
  </Group>
)
