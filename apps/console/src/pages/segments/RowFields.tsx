import { IconButton } from "../../shared/buttons/Button.tsx"
import { KindFields } from "./KindFields.tsx"
import { Choice } from "./rowInputs.tsx"
import { rowKinds, type RuleRow } from "./ruleRows.ts"

interface RowFieldsProps {
  readonly w: string
  readonly row: RuleRow
  /** The place of the row, from 1. */
  readonly number: number
  readonly onChange: (row: RuleRow) => void
  /** Undefined for the only row. */
  readonly onRemove: (() => void) | undefined
}

/** The fields of one row of the rule builder. */
export const RowFields = ({ number, onChange, onRemove, row, w }: RowFieldsProps) => (
  <>
    <div className="flex items-center gap-2">
      <Choice
        label={`Kind of row ${number}`}
        onChange={(kind) => onChange({ ...row, kind })}
        options={rowKinds}
        value={row.kind}
      />
      <label className="flex items-center gap-1.5 text-sm whitespace-nowrap pointer-coarse:min-h-11 pointer-coarse:min-w-11">
        <input
          checked={row.isNot}
          className="size-4 accent-(--accent)"
          onChange={(event) => onChange({ ...row, isNot: event.target.checked })}
          type="checkbox"
        />
        not
      </label>
      <span className="ml-auto">
        {onRemove === undefined ? null : (
          <IconButton icon="close" label={`Remove row ${number}`} onClick={onRemove} />
        )}
      </span>
    </div>
    <KindFields number={number} onChange={onChange} row={row} w={w} />
  </>
)
