import { useId, useState } from "react"
import { CheckField } from "../../shared/fields/CheckField.tsx"
import { Field } from "../../shared/fields/Field.tsx"

/** The largest number of attributes that are offered. Any other attribute can be typed. */
const offeredMax = 40

interface ColumnChooserProps {
  /** The attributes with columns. */
  readonly chosen: ReadonlyArray<string>
  /** The attributes of the people in the list. */
  readonly known: ReadonlyArray<string>
  readonly onToggle: (name: string) => void
}

/** Chooses which attributes have columns in the list of people. */
export const ColumnChooser = ({ chosen, known, onToggle }: ColumnChooserProps) => {
  const id = useId()
  const [typed, setTyped] = useState("")
  const offered = [...new Set([...chosen, ...known.slice(0, offeredMax)])]
  return (
    <>
      <button
        className="inline-flex h-8 shrink-0 items-center rounded-md border border-line bg-raised px-3 text-sm font-medium hover:bg-hover pointer-coarse:h-11"
        popoverTarget={id}
        type="button"
      >
        Columns
      </button>
      <form
        aria-label="Attributes with columns"
        className="fixed inset-auto top-24 right-4 m-0 max-h-[70vh] w-72 max-w-[calc(100vw-32px)] space-y-3 overflow-y-auto rounded-lg border border-line bg-raised p-4 text-sm text-ink shadow-lg"
        id={id}
        onSubmit={(event) => {
          event.preventDefault()
          const name = typed.trim()
          if (name !== "" && !chosen.includes(name)) onToggle(name)
          setTyped("")
        }}
        popover="auto"
      >
        {offered.map((name) => (
          <CheckField
            checked={chosen.includes(name)}
            key={name}
            label={name}
            onChange={() => onToggle(name)}
          />
        ))}
        <Field
          autoComplete="off"
          help="Enter adds a column."
          label="Another attribute"
          onChange={(event) => setTyped(event.target.value)}
          spellCheck={false}
          value={typed}
        />
      </form>
    </>
  )
}
