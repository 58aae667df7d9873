import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useEffect, useRef, useState } from "react"
import { api } from "../../api/generated.ts"
import { useRefusal } from "../../session/useRefusal.ts"
import { applyOperation } from "../../shared/dialogs/applyOperation.ts"
import { Button } from "../../shared/buttons/Button.tsx"
import { ChoiceField, type Choice } from "../../shared/fields/ChoiceField.tsx"
import { ConfirmDialog } from "../../shared/dialogs/ConfirmDialog.tsx"
import { Field } from "../../shared/fields/Field.tsx"
import { ModalDialog } from "../../shared/dialogs/ModalDialog.tsx"

type Kind = "id" | "email"

const kinds: ReadonlyArray<Choice<Kind>> = [
  { value: "email", label: "email" },
  { value: "id", label: "id" },
]

interface SuppressionDialogProps {
  readonly w: string
  /** The identifier with which the dialog begins. It is checked at once. */
  readonly first?: { readonly kind: Kind; readonly text: string }
  readonly onClose: () => void
}

/**
 * The dialog that shows whether an identifier is suppressed, and that suppresses or releases the identifier. The server
 * stores only digests, so the console cannot list suppressed identifiers.
 */
export const SuppressionDialog = ({ first, onClose, w }: SuppressionDialogProps) => {
  const [kind, setKind] = useState<Kind>(first?.kind ?? "email")
  const [text, setText] = useState(first?.text ?? "")
  const [isAsking, setIsAsking] = useState(false)
  const identifier = text.trim()
  const suppression = useSuppression(w, kind, identifier)
  const check = useRef(first === undefined ? undefined : suppression.check)
  useEffect(() => check.current?.(), [])
  if (isAsking) {
    return (
      <ConfirmDialog
        action="Suppress identifier"
        identifier={identifier}
        onClose={() => setIsAsking(false)}
        onConfirm={suppression.suppress}
        title={`Suppress ${identifier}`}
      >
        A person with this {kind} is deleted with their data, and this cannot be undone. Later calls that name
        this {kind} are ignored until it is unsuppressed.
      </ConfirmDialog>
    )
  }
  return (
    <ModalDialog onClose={onClose} title="Suppressions">
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault()
          suppression.check()
        }}
      >
        <p className="text-sm text-muted">
          Calls that name a suppressed identifier are ignored. Inlet stores only digests of suppressed
          identifiers, so they cannot be listed.
        </p>
        <ChoiceField
          choices={kinds}
          label="Kind of identifier"
          onChange={(chosen) => {
            suppression.forget()
            setKind(chosen)
          }}
          value={kind}
        />
        <Field
          autoComplete="off"
          autoFocus
          error={suppression.problem?.message}
          label="Identifier"
          onChange={(event) => {
            suppression.forget()
            setText(event.target.value)
          }}
          required
          spellCheck={false}
          value={text}
        />
        <Result onSuppress={() => setIsAsking(true)} suppression={suppression} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Close</Button>
          <Button disabled={suppression.isBusy} tone="primary" type="submit">
            Check
          </Button>
        </div>
      </form>
    </ModalDialog>
  )
}

interface ResultProps {
  readonly suppression: ReturnType<typeof useSuppression>
  readonly onSuppress: () => void
}

/** The state of the identifier, with the button that changes it. */
const Result = ({ onSuppress, suppression: { isBusy, isSuppressed, unsuppress } }: ResultProps) => {
  const refusal = useRefusal("activity.apply")
  return (
    <div aria-live="polite" className="flex min-h-8 items-center gap-3 text-sm pointer-coarse:min-h-11">
      {isSuppressed === true ? (
        <>
          <p className="mr-auto">This identifier is suppressed.</p>
          <Button disabled={isBusy} onClick={unsuppress} refusal={refusal}>
            Unsuppress
          </Button>
        </>
      ) : null}
      {isSuppressed === false ? (
        <>
          <p className="mr-auto">This identifier is not suppressed.</p>
          <Button onClick={onSuppress} refusal={refusal} tone="danger">
            Suppress
          </Button>
        </>
      ) : null}
    </div>
  )
}

const useSuppression = (w: string, kind: Kind, identifier: string) => {
  const queries = useQueryClient()
  const check = useMutation({ mutationFn: () => api.suppressions.get(w, { [kind]: identifier }) })
  const change = useMutation({
    mutationFn: (action: "suppress" | "unsuppress") =>
      applyOperation(
        w,
        { type: "person", action, identifiers: { [kind]: identifier } },
        `${identifier} was ${action}ed.`,
      ),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: [w, "people"] })
      check.mutate()
    },
  })
  return {
    /** Undefined until the identifier is checked. */
    isSuppressed: check.data?.suppressed,
    isBusy: check.isPending || change.isPending,
    problem: check.error ?? change.error,
    check: () => {
      change.reset()
      check.mutate()
    },
    suppress: () => change.mutateAsync("suppress"),
    unsuppress: () => change.mutate("unsuppress"),
    forget: () => {
      check.reset()
      change.reset()
    },
  }
}
