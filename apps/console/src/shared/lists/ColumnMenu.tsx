import { useId, useState } from "react"
import { CheckField } from "../fields/CheckField.tsx"
import type { Column } from "./DataTable.tsx"

/** The columns of a list in an address: their keys, with commas between them. Undefined for those that are shown by default. */
type ChosenColumns = string | undefined

/** Returns the columns to show. Those that were chosen are shown on every width that has room for a table. */
export const chosenColumns = <Row,>(
  columns: ReadonlyArray<Column<Row>>,
  chosen: ChosenColumns,
): ReadonlyArray<Column<Row>> => {
  const keys = chosen?.split(",") ?? []
  const known = columns.filter(({ key }) => keys.includes(key))
  return known.length === 0
    ? columns.filter(({ isExtra = false }) => !isExtra)
    : known.map((column) => ({ ...column, showFrom: Math.min(column.showFrom ?? 0, narrowMax) }))
}

/** The width of a table, in pixels, up to which chosen columns may be left out. */
const narrowMax = 560

interface ColumnMenuProps<Row> {
  readonly columns: ReadonlyArray<Column<Row>>
  readonly chosen: ChosenColumns
  readonly onChoose: (chosen: ChosenColumns) => void
}

/** A button that opens the list of columns to choose from. */
export const ColumnMenu = <Row,>({ chosen, columns, onChoose }: ColumnMenuProps<Row>) => {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const shown = new Set(chosenColumns(columns, chosen).map(({ key }) => key))
  const toggle = (toggled: string): void => {
    const keys = columns.filter(({ key }) => shown.has(key) !== (key === toggled)).map(({ key }) => key)
    if (keys.length > 0) onChoose(keys.join(","))
  }
  return (
    <>
      <button
        className="inline-flex h-8 shrink-0 max-sm:hidden items-center rounded-md border border-line bg-raised px-3 text-sm font-medium hover:bg-hover pointer-coarse:h-11"
        popoverTarget={id}
        type="button"
      >
        Columns
      </button>
      <div
        aria-label="Columns"
        className="fixed inset-auto top-24 right-4 m-0 max-h-[70vh] w-60 space-y-2 overflow-y-auto rounded-lg border border-line bg-raised p-4 text-sm text-ink shadow-lg"
        id={id}
        onToggle={({ newState }) => setOpen(newState === "open")}
        popover="auto"
        role="group"
      >
        {isOpen ? (
          <>
            {columns.map(({ header, key }) => (
              <CheckField checked={shown.has(key)} key={key} label={header} onChange={() => toggle(key)} />
            ))}
            <button
              className="h-8 text-accent hover:underline disabled:text-faint pointer-coarse:h-11"
              disabled={chosen === undefined}
              onClick={() => onChoose(undefined)}
              type="button"
            >
              Back to the usual columns
            </button>
          </>
        ) : null}
      </div>
    </>
  )
}
