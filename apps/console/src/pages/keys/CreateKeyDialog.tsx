import type { IssuedKey, KeyDocument } from "@inlethq/contract/workspaces/Keys"
import { useState } from "react"
import { api } from "../../api/generated.ts"
import { ChoiceField, type Choice } from "../../shared/fields/ChoiceField.tsx"
import { FormDialog } from "../../shared/dialogs/FormDialog.tsx"
import { expiryAfter, LifetimeField, type Lifetime } from "../../shared/fields/LifetimeField.tsx"
import { NameField } from "../../shared/fields/NameField.tsx"
import { ResultDialog } from "../../shared/dialogs/ResultDialog.tsx"
import { IssuedKeyView } from "./IssuedKeyView.tsx"
import { useChange } from "../../shared/dialogs/useChange.ts"

const kinds: ReadonlyArray<Choice<KeyDocument["kind"]>> = [
  {
    value: "track",
    label: "Track API",
    help: "Clients send a site ID with an API key. The mobile and server libraries of the hosted service use it.",
  },
  {
    value: "pipelines",
    label: "Pipelines API",
    help: "Clients send a write key. Libraries that are compatible with Segment use it.",
  },
  {
    value: "app",
    label: "App API",
    help: "Programs read people, segments, messages and activity. They cannot send data.",
  },
]

const scopes: ReadonlyArray<Choice<NonNullable<KeyDocument["scope"]>>> = [
  { value: "read", label: "Read", help: "The key reads everything in the workspace." },
  {
    value: "read+segments",
    label: "Read and manage segments",
    help: "The key also creates and deletes manual segments.",
  },
]

interface CreateKeyDialogProps {
  readonly w: string
  readonly onClose: () => void
}

/** Creates a key, then shows its secret until the dialog is closed. */
export const CreateKeyDialog = ({ onClose, w }: CreateKeyDialogProps) => {
  const [kind, setKind] = useState<KeyDocument["kind"]>("track")
  const [scope, setScope] = useState<NonNullable<KeyDocument["scope"]>>("read")
  const [name, setName] = useState("")
  const [lifetime, setLifetime] = useState<Lifetime>("never")
  const create = useChange({
    call: () =>
      api.keys.create(w, {
        kind,
        name: name.trim(),
        expires_at: expiryAfter(lifetime),
        ...(kind === "app" && { scope }),
      }),
    outdates: [w, "keys"],
  })
  const issued: IssuedKey | undefined = create.data
  if (issued !== undefined) {
    return (
      <ResultDialog onClose={onClose} title={`Key “${issued.name}” is ready`}>
        <IssuedKeyView issued={issued} />
      </ResultDialog>
    )
  }
  return (
    <FormDialog
      action={create}
      isComplete={name.trim() !== ""}
      onClose={onClose}
      submit="Create key"
      title="Create key"
    >
      <ChoiceField choices={kinds} label="For" onChange={setKind} value={kind} />
      {kind === "app" ? (
        <ChoiceField choices={scopes} label="Scope" onChange={setScope} value={scope} />
      ) : null}
      <NameField
        autoFocus
        help="Only operators see the name. Name the client that will use the key, such as “checkout service”."
        onChange={setName}
        value={name}
      />
      <LifetimeField onChange={setLifetime} value={lifetime} />
    </FormDialog>
  )
}
