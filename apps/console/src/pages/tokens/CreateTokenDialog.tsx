import { useState } from "react"
import type { TokenDocument } from "../../api/documents.ts"
import { api } from "../../api/generated.ts"
import { ChoiceField } from "../../shared/fields/ChoiceField.tsx"
import { Code } from "../../shared/values/Code.tsx"
import { FormDialog } from "../../shared/dialogs/FormDialog.tsx"
import { expiryAfter, LifetimeField, type Lifetime } from "../../shared/fields/LifetimeField.tsx"
import { NameField } from "../../shared/fields/NameField.tsx"
import { ResultDialog } from "../../shared/dialogs/ResultDialog.tsx"
import { scopes } from "./tokenTexts.ts"
import { WorkspacesField } from "./WorkspacesField.tsx"
import { useChange } from "../../shared/dialogs/useChange.ts"

interface CreateTokenDialogProps {
  readonly onClose: () => void
}

/** Creates a management token, then shows it until the dialog is closed. */
export const CreateTokenDialog = ({ onClose }: CreateTokenDialogProps) => {
  const [name, setName] = useState("")
  const [scope, setScope] = useState<TokenDocument["scope"]>("read")
  const [workspaces, setWorkspaces] = useState<ReadonlyArray<number> | null>(null)
  const [lifetime, setLifetime] = useState<Lifetime>("never")
  const create = useChange({
    call: () =>
      api.tokens.create({ name: name.trim(), scope, workspaces, expires_at: expiryAfter(lifetime) }),
    outdates: ["tokens"],
  })
  if (create.data !== undefined) {
    return (
      <ResultDialog onClose={onClose} title={`Token “${create.data.name}” is ready`}>
        <div className="space-y-4">
          <p className="text-sm text-muted">
            Copy the token now. Inlet stores only a digest of it, so it cannot be shown again.
          </p>
          <Code label="Management token" text={create.data.token} />
          <p className="text-sm text-muted">
            It signs in to this console, and programs send it as{" "}
            <code className="font-mono text-xs">Authorization: Bearer</code>. The command line reads it from{" "}
            <code className="font-mono text-xs">INLET_MANAGEMENT_TOKEN</code>.
          </p>
        </div>
      </ResultDialog>
    )
  }
  return (
    <FormDialog
      action={create}
      isComplete={name.trim() !== "" && workspaces?.length !== 0}
      onClose={onClose}
      submit="Create token"
      title="Create token"
    >
      <NameField
        autoFocus
        help="The person or program that will use the token. The name is shown where the token is signed in."
        onChange={setName}
        value={name}
      />
      <ChoiceField choices={scopes} label="Scope" onChange={setScope} value={scope} />
      <WorkspacesField onChange={setWorkspaces} workspaces={workspaces} />
      <LifetimeField onChange={setLifetime} value={lifetime} />
    </FormDialog>
  )
}
