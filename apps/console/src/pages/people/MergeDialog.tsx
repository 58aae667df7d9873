import type { MergePreviewDocument } from "@inlethq/contract/people/MergePreview"
import type { PersonDocument } from "@inlethq/contract/people/People"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { api } from "../../api/generated.ts"
import { ActionError } from "../../shared/dialogs/ActionError.tsx"
import { applyOperation } from "../../shared/dialogs/applyOperation.ts"
import { Button } from "../../shared/buttons/Button.tsx"
import { ConfirmField, isConfirmed } from "../../shared/fields/ConfirmField.tsx"
import { counted } from "../../shared/values/figures.ts"
import { ModalDialog } from "../../shared/dialogs/ModalDialog.tsx"
import { PersonPicker } from "../../shared/fields/PersonPicker.tsx"
import { personName } from "../../shared/values/personName.ts"
import { valueText } from "./attributeText.ts"

interface MergeDialogProps {
  readonly w: string
  readonly primary: PersonDocument
  /** The person to merge into the primary. Without it, the dialog asks for one. */
  readonly secondary?: PersonDocument
  readonly onClose: () => void
}

/** The dialog that merges another person into the person of the panel. A preview first shows which values are lost. */
export const MergeDialog = ({ onClose, primary, secondary: given, w }: MergeDialogProps) => {
  const [secondary, setSecondary] = useState(given)
  return (
    <ModalDialog onClose={onClose} title={`Merge another person into ${personName(primary)}`}>
      {secondary === undefined ? (
        <PersonPicker except={primary.svc_id} label="Person to merge" onPick={setSecondary} w={w} />
      ) : (
        <Preview
          onBack={() => setSecondary(undefined)}
          onClose={onClose}
          primary={primary}
          secondary={secondary}
          w={w}
        />
      )}
    </ModalDialog>
  )
}

interface PreviewProps extends MergeDialogProps {
  readonly secondary: PersonDocument
  readonly onBack: () => void
}

const Preview = ({ onBack, onClose, primary, secondary, w }: PreviewProps) => {
  const queries = useQueryClient()
  const [typed, setTyped] = useState("")
  const preview = useQuery({
    // Not below the people, which are read again after the merge: of two people who became one there is no preview.
    queryKey: [w, "merge preview", primary.svc_id, secondary.svc_id],
    queryFn: ({ signal }) => api.merges.preview(w, primary.svc_id, { secondary: secondary.svc_id }, signal),
    staleTime: 0,
  })
  const merge = useMutation({
    mutationFn: () =>
      applyOperation(
        w,
        {
          type: "person",
          action: "merge",
          primary: { svc_id: primary.svc_id },
          secondary: { svc_id: secondary.svc_id },
        },
        `${personName(secondary)} was merged into ${personName(primary)}.`,
      ),
    onSuccess: async () => {
      onClose()
      await queries.invalidateQueries({ queryKey: [w, "people"] })
    },
  })
  const problem = preview.error ?? merge.error
  return (
    <div className="space-y-4">
      <p className="text-sm text-muted">
        {personName(secondary)} becomes part of {personName(primary)}. Where both have a value, the value of{" "}
        {personName(primary)} stays. It can be undone for 30 days.
      </p>
      {preview.data === undefined ? null : <Lost preview={preview.data} />}
      <ConfirmField identifier={personName(secondary)} onChange={setTyped} typed={typed} />
      <ActionError error={problem} />
      <div className="flex justify-end gap-2">
        <Button onClick={onBack}>Choose another person</Button>
        <Button
          disabled={
            preview.data?.merged == null || merge.isPending || !isConfirmed(typed, personName(secondary))
          }
          onClick={() => merge.mutate()}
          tone="danger"
        >
          Merge people
        </Button>
      </div>
    </div>
  )
}

interface LostProps {
  readonly preview: MergePreviewDocument
}

/** Shows the values that the merge would drop, beside the values that stay. */
const Lost = ({ preview: { lost, merged, reason } }: LostProps) => {
  if (merged === null) return <p className="text-sm text-red">These people cannot be merged: {reason}.</p>
  if (lost.length === 0) return <p className="text-sm">No value is lost.</p>
  return (
    <div className="space-y-2">
      <p className="text-sm font-medium">{counted(lost.length, "value is lost", "values are lost")}</p>
      <div aria-label="Values that are lost" className="max-h-64 overflow-auto" role="region" tabIndex={0}>
        <table className="w-full table-fixed text-left text-xs">
          <thead className="text-faint">
            <tr>
              <th className="w-2/5 border-b border-line py-1 pr-3 font-medium">Field</th>
              <th className="border-b border-line py-1 pr-3 font-medium">Stays</th>
              <th className="border-b border-line py-1 font-medium">Is lost</th>
            </tr>
          </thead>
          <tbody className="font-mono">
            {lost.map(({ kept, path, value }) => (
              <tr key={path}>
                <td className="border-b border-line py-1 pr-3 align-top break-words">{path}</td>
                <td className="border-b border-line py-1 pr-3 align-top break-words">{valueText(kept)}</td>
                <td className="border-b border-line py-1 align-top break-words text-red">
                  {valueText(value)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}
