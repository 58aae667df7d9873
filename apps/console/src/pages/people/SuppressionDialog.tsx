import { useMutation } from "@tanstack/react-query"
import { useState } from "react"
import { api } from "../../api/api.ts"
import { applyOperation } from "../../shared/applyOperation.ts"
import { Button } from "../../shared/Button.tsx"
import { ChoiceField, type Choice } from "../../shared/ChoiceField.tsx"
import { Field } from "../../shared/Field.tsx"
import { ModalDialog } from "../../shared/ModalDialog.tsx"

type Kind = "id" | "email"

const kinds: ReadonlyArray<Choice<Kind>> = [
  { value: "email", label: "email" },
  { value: "id", label: "id" },
]

interface SuppressionDialogProps {
  readonly w: string
  readonly onClose: () => void
}

/**
 * The dialog that shows whether an identifier is suppressed, and that suppresses or releases the identifier. The server
 * stores only digests, so the console cannot list suppressed identifiers.
 */
export const SuppressionDialog = ({ onClose, w }: SuppressionDialogProps) => {
  const [kind, setKind] = useState<Kind>("email")
  const [text, setText] = useState("")
  const identifier = text.trim()
  const suppression = useSuppression(w, kind, identifier)
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
        <Result onClose={onClose} suppression={suppression} />
      </form>
    </ModalDialog>
  )
}

interface ResultProps {
  readonly suppression: ReturnType<typeof useSuppression>
  readonly onClose: () => void
}

/** The state of the identifier, and the buttons that check or change it. */
const Result = ({ onClose, suppression: { change, isBusy, isSuppressed } }: ResultProps) => (
  <>
    <div aria-live="polite" className="min-h-5 space-y-2 text-sm">
      {isSuppressed === true ? <p>This identifier is suppressed.</p> : null}
      {isSuppressed === false ? (
        <>
          <p>This identifier is not suppressed.</p>
          <p className="text-muted">
            If you suppress it, a person with this identifier is deleted with their data. This cannot be
            undone.
          </p>
        </>
      ) : null}
    </div>
    <div className="flex justify-end gap-2">
      <Button onClick={onClose}>Close</Button>
      {isSuppressed === undefined ? (
        <Button disabled={isBusy} tone="primary" type="submit">
          Check
        </Button>
      ) : (
        <Button
          disabled={isBusy}
          onClick={() => change(isSuppressed ? "unsuppress" : "suppress")}
          tone={isSuppressed ? "primary" : "danger"}
        >
          {isSuppressed ? "Unsuppress" : "Suppress"}
        </Button>
      )}
    </div>
  </>
)

const useSuppression = (w: string, kind: Kind, identifier: string) => {
  const check = useMutation({ mutationFn: () => api.suppressions.get(w, { [kind]: identifier }) })
  const change = useMutation({
    mutationFn: (action: "suppress" | "unsuppress") =>
      applyOperation(w, { type: "person", action, identifiers: { [kind]: identifier } }),
    onSuccess: () => check.mutateAsync(),
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
    change: change.mutate,
    forget: () => {
      check.reset()
      change.reset()
    },
  }
}
