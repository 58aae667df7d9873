import type { PersonDocument } from "@inlethq/contract/people/People"
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { useRefusal } from "../../session/useRefusal.ts"
import { ActionMenu } from "../../shared/buttons/ActionMenu.tsx"
import { applyOperation } from "../../shared/dialogs/applyOperation.ts"
import { ConfirmDialog } from "../../shared/dialogs/ConfirmDialog.tsx"
import { personName } from "../../shared/values/personName.ts"
import { reloadAfterDelete } from "../../shared/dialogs/reloadAfterDelete.ts"
import { MergeDialog } from "./MergeDialog.tsx"

interface PersonActionsProps {
  readonly w: string
  readonly person: PersonDocument
  /** Called after the person was deleted. */
  readonly onGone: () => void
}

type DialogName = "merge" | "suppress" | "delete"

/** The menu of actions on a person. */
export const PersonActions = ({ onGone, person, w }: PersonActionsProps) => {
  const queries = useQueryClient()
  const [dialog, setDialog] = useState<DialogName>()
  const refusal = useRefusal("activity.apply")
  const close = (): void => setDialog(undefined)
  const name = personName(person)
  const remove = (action: "suppress" | "delete") => async (): Promise<void> => {
    await applyOperation(
      w,
      { type: "person", action, identifiers: { svc_id: person.svc_id } },
      `${name} was ${action === "delete" ? "deleted" : "suppressed"}.`,
    )
    onGone()
    await reloadAfterDelete(queries, [w, "people"], [w, "people", "one", person.svc_id])
  }
  return (
    <>
      <ActionMenu
        actions={[
          { label: "Merge another person", onChoose: () => setDialog("merge") },
          { label: "Suppress", onChoose: () => setDialog("suppress"), isDangerous: true },
          { label: "Delete", onChoose: () => setDialog("delete"), isDangerous: true },
        ]}
        label="Actions"
        refusal={refusal}
      />
      {dialog === "merge" ? <MergeDialog onClose={close} primary={person} w={w} /> : null}
      {dialog === "suppress" ? (
        <ConfirmDialog
          action="Suppress person"
          identifier={name}
          onClose={close}
          onConfirm={remove("suppress")}
          title={`Suppress ${name}`}
        >
          The person and their data are deleted, and this cannot be undone. Later calls that name the same id
          or email are ignored until the identifier is unsuppressed.
        </ConfirmDialog>
      ) : null}
      {dialog === "delete" ? (
        <ConfirmDialog
          action="Delete person"
          identifier={name}
          onClose={close}
          onConfirm={remove("delete")}
          title={`Delete ${name}`}
        >
          The person, their attributes, devices and relationships are deleted, and their activity loses its
          personal data. This cannot be undone. A later call that names the same id or email creates a new
          person.
        </ConfirmDialog>
      ) : null}
    </>
  )
}
