import { Field } from "./Field.tsx"

/** The longest name that the management API accepts, in characters. */
const nameLengthMax = 200

interface NameFieldProps {
  readonly value: string
  readonly onChange: (name: string) => void
  readonly help?: string
  readonly autoFocus?: boolean
}

/** The required field for the name of a key, a segment, a webhook or a workspace. */
export const NameField = ({ onChange, ...input }: NameFieldProps) => (
  <Field
    autoComplete="off"
    label="Name"
    maxLength={nameLengthMax}
    onChange={(event) => onChange(event.target.value)}
    required
    {...input}
  />
)
