import { Button } from "../buttons/Button.tsx"
import { ModalDialog } from "../dialogs/ModalDialog.tsx"
import { writtenTerm, type NewTerm } from "../query/queryTerms.ts"

interface TermsDialogProps {
  readonly terms: ReadonlyArray<NewTerm>
  readonly onChoose: (term: NewTerm) => void
  readonly onClose: () => void
}

/** Lists values of a row, to filter by one of them. */
export const TermsDialog = ({ onChoose, onClose, terms }: TermsDialogProps) => {
  return (
    <ModalDialog onClose={onClose} title="Filter by a value of the row">
      <ul className="space-y-2">
        {terms.map((term) => (
          <li className="flex items-center gap-2" key={writtenTerm(term)}>
            <span className="min-w-0 flex-1 truncate font-mono text-xs">{writtenTerm(term)}</span>
            <Button onClick={() => onChoose(term)}>Only these</Button>
            <Button onClick={() => onChoose({ ...term, isExcluded: true })}>All others</Button>
          </li>
        ))}
      </ul>
    </ModalDialog>
  )
}
