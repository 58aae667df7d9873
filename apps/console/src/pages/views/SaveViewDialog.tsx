import type { ViewDocument } from "@inlethq/contract/workspaces/Views"
import { useState } from "react"
import { api } from "../../api/generated.ts"
import { FormDialog } from "../../shared/dialogs/FormDialog.tsx"
import { useChange } from "../../shared/dialogs/useChange.ts"
import { NameField } from "../../shared/fields/NameField.tsx"
import type { ViewQuery } from "./ViewQuery.ts"

interface SaveViewDialogProps {
  readonly w: string
  readonly page: ViewDocument["page"]
  readonly query: ViewQuery
  /** The views of the page. One of them is replaced if its name is typed. */
  readonly views: ReadonlyArray<ViewDocument>
  readonly onClose: () => void
}

/** Saves the list as it is shown under a name. */
export const SaveViewDialog = ({ onClose, page, query, views, w }: SaveViewDialogProps) => {
  const [name, setName] = useState("")
  const replaced = views.find((view) => view.name === name.trim())
  const save = useChange({
    call: () =>
      replaced === undefined
        ? api.views.create(w, { page, name: name.trim(), query })
        : api.views.update(w, replaced.view_id, { query }),
    outdates: [w, "views", page],
    said: (view) => `The view “${view.name}” is saved.`,
    onDone: onClose,
  })
  const parts = Object.entries(query)
  return (
    <FormDialog
      action={save}
      isComplete={name.trim() !== ""}
      onClose={onClose}
      submit={replaced === undefined ? "Save view" : "Replace view"}
      title="Save this view"
    >
      <NameField
        autoFocus
        onChange={setName}
        value={name}
        {...(replaced !== undefined && {
          help: "There is a view with this name. It will show this list instead.",
        })}
      />
      <dl className="space-y-1 text-sm text-muted">
        {parts.length === 0 ? <p>The list without a filter.</p> : null}
        {parts.map(([key, value]) => (
          <div className="flex gap-2" key={key}>
            <dt className="w-20 shrink-0">{key}</dt>
            <dd className="min-w-0 font-mono text-xs leading-5 break-words text-ink">{value}</dd>
          </div>
        ))}
      </dl>
    </FormDialog>
  )
}
