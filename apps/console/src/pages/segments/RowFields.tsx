import { IconButton } from "../../shared/buttons/Button.tsx"
import { KindFields } from "./KindFields.tsx"
import { Choice } from "./rowInputs.tsx"
import { RuleCount } from "./RuleCount.tsx"
import { rowKinds, ruleOfRow, type RuleRow } from "./ruleRows.ts"
import { verbs } from "./rowWords.ts"

interface RowFieldsProps {
  readonly w: string
  readonly row: RuleRow
  /** The place of the row, from 1. */
  readonly number: number
  readonly onChange: (row: RuleRow) => void
  /** Undefined for the only row. */
  readonly onRemove: (() => void) | undefined
}

/** One row of the rule builder: a sentence about a person, and for how many people it holds. */
export const RowFields = ({ number, onChange, onRemove, row, w }: RowFieldsProps) => {
  const label = `Row ${number}`
  return (
    <div aria-label={label} className="space-y-2 rounded-md border border-line p-3" role="group">
      <div className="flex items-start gap-2">
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-2">
          <Choice
            label={`${label}: does it hold`}
            onChange={(verb) => onChange({ ...row, isNot: verb === "isNot" })}
            options={verbs[row.kind]}
            value={row.isNot ? "isNot" : "is"}
          />
          <Choice
            label={`${label}: kind`}
            onChange={(kind) => onChange({ ...row, kind, written: undefined })}
            options={rowKinds}
            value={row.kind}
          />
          <KindFields label={label} onChange={onChange} row={row} w={w} />
        </div>
        {onRemove === undefined ? null : (
          <IconButton icon="close" label={`Remove row ${number}`} onClick={onRemove} />
        )}
      </div>
      <RuleCount label={label} rule={ruleOfRow(row)} w={w} />
    </div>
  )
}
