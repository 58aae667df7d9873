import { useState } from "react"
import { Icon } from "../buttons/Icon.tsx"
import { lazily } from "../dialogs/lazily.tsx"
import { PartBoundary } from "../dialogs/PartBoundary.tsx"
import { useShortcut } from "../fields/shortcuts.ts"
import { writtenTerm, type NewTerm } from "../query/queryTerms.ts"

const TermsDialog = lazily(async () => (await import("./TermsDialog.tsx")).TermsDialog)

interface TermButtonProps {
  readonly term: NewTerm | null
  readonly onTerm: (term: NewTerm) => void
}

/**
 * A button in the cell under the mouse that lists only rows with its value; with Alt, only others. The keyboard and screen
 * readers have `RowTerms` for it, so it has no place in the order of focus and none in the name of the cell.
 */
export const TermButton = ({ onTerm, term }: TermButtonProps) =>
  term === null ? null : (
    <button
      aria-hidden="true"
      className="absolute inset-y-0 right-0 my-auto flex size-6 items-center justify-center rounded-sm border border-line bg-raised text-muted hover:text-ink"
      onClick={(event) => {
        event.stopPropagation()
        onTerm({ ...term, isExcluded: event.altKey })
      }}
      tabIndex={-1}
      title={`Only ${writtenTerm(term)} (with Alt: all others)`}
      type="button"
    >
      <Icon className="size-3" name="filter" />
    </button>
  )

interface RowTermsProps {
  /** Returns the conditions that the values of the row make on which the keyboard acts. */
  readonly termsOf: () => ReadonlyArray<NewTerm>
  readonly onTerm: (term: NewTerm) => void
}

/** The key `f` lists the values of the current row, to filter by one of them. */
export const RowTerms = ({ onTerm, termsOf }: RowTermsProps) => {
  const [shown, setShown] = useState<ReadonlyArray<NewTerm>>([])
  useShortcut("f", "Filter by a value of the row", () => setShown(termsOf()))
  if (shown.length === 0) return null
  const close = (): void => setShown([])
  const choose = (term: NewTerm): void => {
    close()
    onTerm(term)
  }
  return (
    <PartBoundary onFailure={close}>
      <TermsDialog onChoose={choose} onClose={close} terms={shown} />
    </PartBoundary>
  )
}
