import { Field } from "./Field.tsx"
import { visibleText } from "../values/visibleText.ts"

interface ConfirmFieldProps {
  /** The text that the operator must type. */
  readonly identifier: string
  readonly typed: string
  readonly onChange: (typed: string) => void
}

/** The field in which the operator types an identifier before an action that cannot be undone. */
export const ConfirmField = ({ identifier, onChange, typed }: ConfirmFieldProps) => (
  <Field
    autoComplete="off"
    autoFocus
    help={
      <>
        Type <span className="font-mono break-all text-ink">{identifier}</span> to confirm.
      </>
    }
    label="Identifier"
    onChange={(event) => onChange(event.target.value)}
    spellCheck={false}
    value={typed}
  />
)

/** Returns true if the operator typed the identifier itself, or the text that the page shows for it. */
export const isConfirmed = (typed: string, identifier: string): boolean =>
  typed === identifier || typed === visibleText(identifier)
