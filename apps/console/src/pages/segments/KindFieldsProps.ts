import type { RuleRow } from "./ruleRows.ts"

/** What the fields of a row of one kind are given. */
export interface KindFieldsProps {
  readonly w: string
  readonly row: RuleRow
  /** Begins the names of the fields, such as "Row 1". */
  readonly label: string
  readonly onChange: (row: RuleRow) => void
}
