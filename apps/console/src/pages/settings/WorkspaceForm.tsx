import type { WorkspaceDocument } from "../../api/documents.ts"
import { useRefusal } from "../../session/useRefusal.ts"
import { Button } from "../../shared/buttons/Button.tsx"
import { CopyId } from "../../shared/values/CopyId.tsx"
import { NameField } from "../../shared/fields/NameField.tsx"
import { ChoiceField, type Choice } from "../../shared/fields/ChoiceField.tsx"
import { WhatIf } from "../../shared/dialogs/WhatIf.tsx"
import { UnsavedChanges } from "../../shared/dialogs/UnsavedChanges.tsx"
import { AlertSettings } from "./AlertSettings.tsx"
import { DeleteWorkspace } from "./DeleteWorkspace.tsx"
import { Group } from "./Group.tsx"
import { IdentifierSettings } from "./IdentifierSettings.tsx"
import { LimitSettings, RateSettings } from "./LimitSettings.tsx"
import { OmitSettings } from "./OmitSettings.tsx"
import { OriginSettings } from "./OriginSettings.tsx"
import { PlanSettings } from "./PlanSettings.tsx"
import { StorageSettings } from "./StorageSettings.tsx"
import { useWorkspaceEdits, type WorkspaceEdits } from "./useWorkspaceEdits.ts"

const regions: ReadonlyArray<Choice<WorkspaceDocument["region"]>> = [
  { value: "us", label: "US" },
  { value: "eu", label: "EU" },
]

interface WorkspaceFormProps {
  readonly workspace: WorkspaceDocument
  /** Opens another workspace. */
  readonly onDeleted: () => Promise<void>
}

/** The form with the settings of a workspace. Sends only the settings that the operator changed. */
export const WorkspaceForm = ({ onDeleted, workspace }: WorkspaceFormProps) => {
  const edits = useWorkspaceEdits(workspace)
  const { edit, save, shown } = edits
  const refusal = useRefusal("workspaces.update")
  return (
    <form
      className="flex min-h-0 flex-1 flex-col"
      onSubmit={(event) => {
        event.preventDefault()
        // React passes on the events of the dialog that confirms the deletion, although it is not inside this form.
        if (event.target === event.currentTarget) save()
      }}
    >
      <div
        aria-label="Settings of the workspace"
        className="min-h-0 flex-1 overflow-y-auto"
        role="region"
        tabIndex={0}
      >
        <div className="max-w-6xl">
          {refusal === undefined ? null : (
            <p className="px-4 text-sm text-muted">No setting can be changed here. {refusal}</p>
          )}
          <Group
            help="The name is shown in the console and by the command line. Clients do not use it."
            title="Workspace"
          >
            <fieldset disabled={refusal !== undefined}>
              <NameField onChange={(name) => edit({ name })} value={shown.name} />
            </fieldset>
            <p className="text-sm text-muted">
              Number of the workspace:{" "}
              <CopyId id={String(workspace.environment_id)} label="number of the workspace" />
            </p>
          </Group>
          <fieldset disabled={refusal !== undefined}>
            <IdentifierSettings edits={edits} />
            <OmitSettings edits={edits} />
            <PlanSettings edits={edits} />
            <RateSettings edits={edits} />
            <Group
              help="The region that the Track API returns in its region lookup. Changing the region moves no data."
              title="Region"
            >
              <ChoiceField
                choices={regions}
                label="Region"
                onChange={(region) => edit({ region })}
                value={shown.region}
              />
            </Group>
            <OriginSettings edits={edits} />
            <AlertSettings edits={edits} />
            <StorageSettings edits={edits} />
            <LimitSettings edits={edits} />
          </fieldset>
          <DeleteWorkspace onDeleted={onDeleted} workspace={workspace} />
        </div>
      </div>
      {refusal === undefined && edits.tried != null ? (
        <div className="shrink-0 border-t border-line px-4 py-3">
          <WhatIf change={{ settings: edits.tried }} w={String(workspace.environment_id)} />
        </div>
      ) : null}
      {refusal === undefined ? <SaveBar edits={edits} /> : null}
      <UnsavedChanges isChanged={edits.isChanged} />
    </form>
  )
}

interface SaveBarProps {
  readonly edits: WorkspaceEdits
}

/** The buttons that save or discard the changes, and the result of the last attempt to save. */
const SaveBar = ({ edits: { discard, isChanged, isSaved, isSaving, problem } }: SaveBarProps) => (
  <footer className="flex shrink-0 flex-wrap items-center justify-end gap-2 border-t border-line px-4 py-3">
    <p aria-live="polite" className={`mr-auto text-sm ${problem === null ? "text-muted" : "text-red"}`}>
      {problem?.message ?? (isChanged ? "Some changes are not saved yet." : isSaved ? "Saved." : "")}
    </p>
    <Button disabled={!isChanged || isSaving} onClick={discard}>
      Discard
    </Button>
    <Button disabled={!isChanged || isSaving} tone="primary" type="submit">
      Save changes
    </Button>
  </footer>
)
