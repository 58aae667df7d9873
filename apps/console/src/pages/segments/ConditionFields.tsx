import { operators, takes, type Operator } from "@inlethq/core/rule/operators"
import { Button, IconButton } from "../../shared/buttons/Button.tsx"
import { Choice, Text } from "./rowInputs.tsx"
import { newCondition, type RowCondition } from "./ruleRows.ts"

interface ConditionFieldsProps<Condition extends RowCondition> {
  /** What is tested, such as an attribute. */
  readonly label: string
  readonly condition: Condition
  readonly onChange: (condition: Condition) => void
  /** Fields that are offered while one is typed. */
  readonly suggestions?: ReadonlyArray<string> | undefined
}

/** The fields of a test of one value. */
export const ConditionFields = <Condition extends RowCondition>({
  condition,
  label,
  onChange,
  suggestions,
}: ConditionFieldsProps<Condition>) => (
  <div className="grid min-w-0 flex-1 gap-2 sm:grid-cols-3">
    <Text
      label={label}
      onChange={(event) => onChange({ ...condition, field: event.target.value })}
      placeholder="plan"
      suggestions={suggestions}
      value={condition.field}
    />
    <Choice<Operator>
      label="Test"
      onChange={(operator) => onChange({ ...condition, operator })}
      options={operators}
      value={condition.operator}
    />
    {takes(condition.operator, "nothing") ? null : (
      <Text
        label="Value"
        onChange={(event) => onChange({ ...condition, value: event.target.value })}
        placeholder={operators[condition.operator].example}
        value={condition.value}
      />
    )}
  </div>
)

/** The largest number of conditions of a row, as many as the server takes. */
const conditionsMax = 20

interface WhereFieldsProps {
  /** The place of the row, from 1. */
  readonly number: number
  /** What the conditions are about, such as the event. */
  readonly of: string
  readonly where: ReadonlyArray<RowCondition>
  readonly suggestions?: ReadonlyArray<string> | undefined
  readonly onChange: (where: ReadonlyArray<RowCondition>) => void
}

/** The conditions of a row, all of which must be met. */
export const WhereFields = ({ number, of, onChange, suggestions, where }: WhereFieldsProps) => (
  <div className="space-y-2">
    {where.map((condition, i) => (
      <div className="flex items-end gap-2 border-l border-line pl-3" key={condition.key}>
        <ConditionFields
          condition={condition}
          label={`${of} has`}
          onChange={(changed) => onChange(where.map((one) => (one.key === changed.key ? changed : one)))}
          suggestions={suggestions}
        />
        <IconButton
          icon="close"
          label={`Remove condition ${i + 1} of row ${number}`}
          onClick={() => onChange(where.filter(({ key }) => key !== condition.key))}
        />
      </div>
    ))}
    <Button
      aria-label={`Add a condition to row ${number}`}
      disabled={where.length >= conditionsMax}
      icon="created"
      onClick={() => onChange([...where, newCondition(1 + Math.max(-1, ...where.map(({ key }) => key)))])}
      tone="quiet"
    >
      Add a condition
    </Button>
  </div>
)
