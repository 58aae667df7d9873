import { useId, useState } from "react"
import { Button } from "../../shared/buttons/Button.tsx"
import { inputStyle } from "../../shared/fields/Field.tsx"
import { RowFields } from "./RowFields.tsx"
import { rowsOfRule, type BuiltRule } from "./rowsOfRule.ts"
import { newRow, ruleOfRow, ruleOfRows, type RuleJson, type RuleRow } from "./ruleRows.ts"
import { RuleCount } from "./RuleCount.tsx"

interface RuleBuilderProps {
  readonly w: string
  /** The rule to begin with. Without it, the builder begins with an empty row. */
  readonly initial?: RuleJson | undefined
  /** Called with the rule of all rows, and with undefined while one of them is incomplete. */
  readonly onChange: (rule: RuleJson | undefined) => void
}

/** The largest number of rows, as many as a rule can have leaves. */
const rowsMax = 50

/** Builds a rule row by row. Each row, and the rule as a whole, shows for how many people it holds now. */
export const RuleBuilder = ({ initial, onChange, w }: RuleBuilderProps) => {
  const matchId = useId()
  const [{ match, rows }, setBuilt] = useState<BuiltRule>(() =>
    initial === undefined ? { match: "and", rows: [newRow(0)] } : rowsOfRule(initial),
  )
  const update = (nextMatch: "and" | "or", nextRows: ReadonlyArray<RuleRow>): void => {
    setBuilt({ match: nextMatch, rows: nextRows })
    onChange(ruleOfRows(nextMatch, nextRows))
  }
  const replace = (row: RuleRow): void =>
    update(
      match,
      rows.map((other) => (other.key === row.key ? row : other)),
    )
  return (
    <fieldset className="space-y-3">
      <legend className="pb-1 text-sm font-medium">Rule</legend>
      <div className="flex items-center gap-2 text-sm">
        <label className="whitespace-nowrap" htmlFor={matchId}>
          People for whom
        </label>
        <select
          className={`${inputStyle} w-auto`}
          id={matchId}
          onChange={(event) => update(event.target.value === "or" ? "or" : "and", rows)}
          value={match}
        >
          <option value="and">all of these hold</option>
          <option value="or">any of these holds</option>
        </select>
      </div>
      <ol className="space-y-3">
        {rows.map((row, i) => (
          <li className="space-y-2 rounded-md border border-line p-3" key={row.key}>
            <RowFields
              number={i + 1}
              onChange={replace}
              onRemove={
                rows.length === 1
                  ? undefined
                  : () =>
                      update(
                        match,
                        rows.filter(({ key }) => key !== row.key),
                      )
              }
              row={row}
              w={w}
            />
            <RuleCount label={`Row ${i + 1}`} rule={ruleOfRow(row)} w={w} />
          </li>
        ))}
      </ol>
      <div className="flex flex-wrap items-center gap-3">
        <Button
          disabled={rows.length >= rowsMax}
          icon="created"
          onClick={() => update(match, [...rows, newRow(1 + Math.max(...rows.map(({ key }) => key)))])}
        >
          Add a row
        </Button>
        <RuleCount label="The whole rule" rule={ruleOfRows(match, rows)} w={w} />
      </div>
    </fieldset>
  )
}
