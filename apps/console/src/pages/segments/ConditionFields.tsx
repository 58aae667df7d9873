import { inAnyCase, operators, takes, testsText, type Operator } from "@inlethq/core/rule/operators"
import { Button, IconButton } from "../../shared/buttons/Button.tsx"
import { Check, Choice, Duration, Text } from "./rowInputs.tsx"
import { useKnownFields, useSample, type About } from "./knownRows.ts"
import { listsOffered, newCondition, type RowCondition } from "./rowValues.ts"
import { knownValues, nothingPasses } from "./sampledValues.ts"
import { SuggestField } from "./SuggestField.tsx"

interface ConditionFieldsProps<Condition extends RowCondition> {
  readonly w: string
  /** Begins the names of the fields, such as "Row 1". */
  readonly label: string
  readonly about: About
  readonly condition: Condition
  readonly onChange: (condition: Condition) => void
}

/** The fields of a test of one value, which offer what there is. */
export const ConditionFields = <Condition extends RowCondition>({
  about,
  condition,
  label,
  onChange,
  w,
}: ConditionFieldsProps<Condition>) => {
  const paths = useKnownFields(w, about)
  const sample = useSample(w, about)
  const setField = (field: string): void => {
    const path = paths.find(({ value }) => value === field)
    onChange({ ...condition, field, any: path?.any ?? condition.any })
  }
  return (
    <>
      <SuggestField
        className="w-36"
        known={paths}
        label={`${label}: field`}
        onChange={setField}
        placeholder={about.of === "person" ? "plan" : "total"}
        value={condition.field}
      />
      <Choice<Operator>
        className="w-32"
        label={`${label}: test`}
        onChange={(operator) => onChange({ ...condition, operator })}
        options={operators}
        value={condition.operator}
      />
      <ValueField
        condition={condition}
        known={knownValues(sample, condition)}
        label={`${label}: value`}
        onChange={onChange}
      />
      {condition.any || condition.field.includes(".") ? (
        <Check
          isChecked={condition.any}
          onChange={(any) => onChange({ ...condition, any })}
          says="any element of a list"
        />
      ) : null}
      {testsText(condition.operator) && (condition.ignoreCase || hasCase(condition.value)) ? (
        <Check
          isChecked={condition.ignoreCase}
          onChange={(ignoreCase) => onChange({ ...condition, ignoreCase })}
          says={inAnyCase}
        />
      ) : null}
      <Nothing text={nothingPasses(sample, condition)} />
    </>
  )
}

/** Returns whether a text has letters of which there are upper and lower ones. */
const hasCase = (text: string): boolean => text.toLowerCase() !== text.toUpperCase()

interface ValueFieldProps<Condition extends RowCondition> {
  readonly label: string
  readonly condition: Condition
  readonly known: ReturnType<typeof knownValues>
  readonly onChange: (condition: Condition) => void
}

const ValueField = <Condition extends RowCondition>({
  condition,
  known,
  label,
  onChange,
}: ValueFieldProps<Condition>) => {
  const { operator, value } = condition
  const set = (text: string): void => onChange({ ...condition, value: text })
  if (takes(operator, "nothing")) return null
  if (takes(operator, "duration")) return <Duration label={label} onChange={set} value={value} />
  if (takes(operator, "instant"))
    return (
      <Text
        className="w-52"
        label={label}
        onChange={set}
        placeholder={operators[operator].example}
        value={value}
      />
    )
  return (
    <SuggestField
      className="w-36"
      known={known}
      label={label}
      offer={takes(operator, "scalars") ? listsOffered : undefined}
      onChange={set}
      placeholder={operators[operator].example}
      value={value}
    />
  )
}

/** Says below a row that it matches nothing that is known. The row is never refused for it. */
export const Nothing = ({ text }: { readonly text: string | undefined }) => (
  <p className="basis-full text-xs break-words text-amber empty:hidden" role="status">
    {text}
  </p>
)

/** The largest number of conditions of a row, as many as the server takes. */
const conditionsMax = 20

interface WhereFieldsProps {
  readonly w: string
  /** Begins the names of the fields, such as "Row 1". */
  readonly label: string
  readonly about: About
  /** What the button adds, and what stands before the first condition. */
  readonly adds: string
  readonly begins?: string
  readonly where: ReadonlyArray<RowCondition>
  readonly onChange: (where: ReadonlyArray<RowCondition>) => void
}

/** The conditions of a row, all of which must be met. */
export const WhereFields = ({
  about,
  adds,
  begins = "where",
  label,
  onChange,
  w,
  where,
}: WhereFieldsProps) => (
  <>
    {where.map((condition, i) => (
      <div
        className="flex basis-full flex-wrap items-center gap-2 border-l border-line pl-3"
        key={condition.key}
      >
        <span className="text-sm text-muted">{i === 0 ? begins : "and"}</span>
        <ConditionFields
          about={about}
          condition={condition}
          label={`${label}, condition ${i + 1}`}
          onChange={(changed) => onChange(where.map((one) => (one.key === changed.key ? changed : one)))}
          w={w}
        />
        <IconButton
          icon="close"
          label={`Remove condition ${i + 1} of ${label}`}
          onClick={() => onChange(where.filter(({ key }) => key !== condition.key))}
        />
      </div>
    ))}
    <Button
      aria-label={`${adds} to ${label}`}
      disabled={where.length >= conditionsMax}
      icon="created"
      onClick={() => onChange([...where, newCondition(1 + Math.max(-1, ...where.map(({ key }) => key)))])}
      tone="quiet"
    >
      {adds}
    </Button>
  </>
)
