import { Field } from "../../shared/fields/Field.tsx"

interface FilterFieldProps {
  readonly value: string
  readonly onChange: (filter: string) => void
  /** What is sent besides, or with an empty filter, as a sentence. */
  readonly note: string
}

/** The field for the filter that chooses which entries a webhook or a forward sends. */
export const FilterField = ({ note, onChange, value }: FilterFieldProps) => (
  <Field
    autoComplete="off"
    className="font-mono text-xs"
    help={`Selects entries with the filter language of Live, such as kind:event name:order_*. ${note}`}
    label="Filter"
    onChange={(event) => onChange(event.target.value)}
    spellCheck={false}
    value={value}
  />
)

/** Returns a typed filter as the management API takes it: null for all entries. */
export const filterTyped = (text: string): string | null => (text.trim() === "" ? null : text.trim())
