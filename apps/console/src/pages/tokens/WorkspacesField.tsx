import { useQuery } from "@tanstack/react-query"
import { workspacesQuery } from "../../api/workspacesQuery.ts"
import { ActionError } from "../../shared/dialogs/ActionError.tsx"
import { CheckField } from "../../shared/fields/CheckField.tsx"
import { ChoiceField, type Choice } from "../../shared/fields/ChoiceField.tsx"

const reaches: ReadonlyArray<Choice<"all" | "some">> = [
  { value: "all", label: "All workspaces", help: "Also those that are created later." },
  { value: "some", label: "Only these workspaces" },
]

interface WorkspacesFieldProps {
  /** The chosen workspaces; null for all. */
  readonly workspaces: ReadonlyArray<number> | null
  readonly onChange: (workspaces: ReadonlyArray<number> | null) => void
}

/** Chooses the workspaces that a token may use. */
export const WorkspacesField = ({ onChange, workspaces }: WorkspacesFieldProps) => {
  const known = useQuery(workspacesQuery)
  return (
    <div className="space-y-2">
      <ChoiceField
        choices={reaches}
        label="Workspaces"
        onChange={(reach) => onChange(reach === "all" ? null : [])}
        value={workspaces === null ? "all" : "some"}
      />
      {workspaces === null ? null : (
        <div className="max-h-40 space-y-2 overflow-y-auto pl-6">
          <ActionError error={known.error} />
          {known.data?.items.map(({ environment_id: id, name }) => (
            <CheckField
              checked={workspaces.includes(id)}
              key={id}
              label={`${name} (${id})`}
              onChange={(isOn) =>
                onChange(isOn ? [...workspaces, id] : workspaces.filter((other) => other !== id))
              }
            />
          ))}
        </div>
      )}
    </div>
  )
}
