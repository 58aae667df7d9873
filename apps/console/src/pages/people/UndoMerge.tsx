import type { MergeDocument, UnmergePreviewDocument } from "@inlethq/contract/people/MergePreview"
import { unmergeSentences } from "@inlethq/log/explanation/unmergeSentences"
import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { api } from "../../api/generated.ts"
import { useRefusal } from "../../session/useRefusal.ts"
import { ActionError } from "../../shared/dialogs/ActionError.tsx"
import { Button } from "../../shared/buttons/Button.tsx"
import { CheckField } from "../../shared/fields/CheckField.tsx"
import { FieldChanges } from "../../shared/values/FieldChanges.tsx"
import { Loading } from "../../shared/dialogs/Loading.tsx"
import { ModalDialog } from "../../shared/dialogs/ModalDialog.tsx"
import { notify } from "../../shared/dialogs/notices.ts"
import { personName } from "../../shared/values/personName.ts"
import { documentChanges } from "./documentChanges.ts"

interface UndoMergeProps {
  readonly w: string
  /** The `svc_id` of the person into whom the other was merged. */
  readonly primaryId: string
  /** Who was merged. */
  readonly secondary: MergeDocument["secondary"]
}

/** A button that shows what undoing a merge would do, and then undoes it. */
export const UndoMerge = (props: UndoMergeProps) => {
  const [isOpen, setOpen] = useState(false)
  const refusal = useRefusal("activity.apply")
  return (
    <>
      <Button
        aria-label={`Undo the merge of ${personName(props.secondary)}`}
        onClick={() => setOpen(true)}
        refusal={refusal}
      >
        Undo
      </Button>
      {isOpen ? <UndoDialog {...props} onClose={() => setOpen(false)} /> : null}
    </>
  )
}

interface UndoDialogProps extends UndoMergeProps {
  readonly onClose: () => void
}

const UndoDialog = ({ onClose, primaryId, secondary, w }: UndoDialogProps) => {
  const queries = useQueryClient()
  const [isDivided, setDivided] = useState(false)
  const preview = useQuery({
    // Not below the people, which are read again afterwards: an undone merge has no preview.
    queryKey: [w, "unmerge preview", primaryId, secondary.svc_id, isDivided],
    queryFn: ({ signal }) =>
      api.merges.unmergePreview(
        w,
        primaryId,
        { secondary: secondary.svc_id, divide: isDivided ? "true" : "false" },
        signal,
      ),
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: 0,
  })
  const undo = useMutation({
    mutationFn: () =>
      api.activity.apply(w, {
        type: "person",
        action: "unmerge",
        primary: { svc_id: primaryId },
        secondary: { svc_id: secondary.svc_id },
        divide: isDivided,
      }),
    onSuccess: async ({ operation_id, outcome, reason }) => {
      const said =
        preview.data === undefined ? [] : unmergeSentences(preview.data, { isDivided, isDone: true })
      // A partial outcome says what could not come back, which the preview has shown.
      notify(
        outcome === "applied"
          ? [`The merge of ${personName(secondary)} was undone.`, ...said].join(" ")
          : `The outcome is “${outcome}”${reason === null ? "." : `: ${reason}.`}`,
        { w, operationId: operation_id },
      )
      onClose()
      await queries.invalidateQueries({ queryKey: [w, "people"] })
    },
  })
  return (
    <ModalDialog onClose={onClose} title={`Undo the merge of ${personName(secondary)}`}>
      <div className="space-y-4">
        {preview.isPending ? <Loading /> : null}
        {preview.data === undefined ? null : <Preview isDivided={isDivided} preview={preview.data} />}
        {preview.data?.after == null ? null : (
          <CheckField
            checked={isDivided}
            help={`Those that named ${personName(preview.data.after.primary)} by an identifier of ${personName(secondary)}. All others stay.`}
            label="Events since the merge go back, too"
            onChange={setDivided}
          />
        )}
        <ActionError error={preview.error ?? undo.error} />
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            disabled={preview.data?.after == null || undo.isPending}
            onClick={() => undo.mutate()}
            tone="primary"
          >
            Undo the merge
          </Button>
        </div>
      </div>
    </ModalDialog>
  )
}

interface PreviewProps {
  readonly preview: UnmergePreviewDocument
  readonly isDivided: boolean
}

const Preview = ({ isDivided, preview: { after, events, primary, reason, stays } }: PreviewProps) =>
  after === null ? (
    <p className="text-sm text-red">The merge cannot be undone: {reason}.</p>
  ) : (
    <>
      <p className="text-sm">{unmergeSentences({ after, events }, { isDivided, isDone: false }).join(" ")}</p>
      <section className="max-h-64 space-y-2 overflow-y-auto">
        <h3 className="text-sm font-medium">What changes of {personName(after.primary)}</h3>
        <FieldChanges changes={documentChanges(primary, after.primary)} />
      </section>
      {stays.length === 0 ? null : (
        <section className="space-y-2">
          <h3 className="text-sm font-medium">What cannot come back</h3>
          <ul aria-label="What cannot come back" className="list-disc space-y-1 pl-4 text-sm">
            {stays.map(({ other, path, reason: why }) => (
              <li className="break-words" key={`${path} ${why}`}>
                <span className="font-mono text-xs">{path}</span>: {why}
                {other === null ? null : ` (${other})`}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
