import { counts } from "@inlethq/core/rule/operators"
import { Check, Choice, Duration, Text } from "./rowInputs.tsx"
import { canBeAged, windows, type CountOperator, type RowWindow, type RuleRow } from "./ruleRows.ts"
import { durationWords } from "./rowValues.ts"

interface CountFieldsProps {
  readonly label: string
  readonly row: RuleRow
  readonly onChange: (row: RuleRow) => void
  /** What is counted. */
  readonly of: string
}

/** How often. */
export const TimesFields = ({ label, of, onChange, row }: CountFieldsProps) => (
  <span className="flex flex-wrap items-center gap-2">
    <Choice<CountOperator>
      label={`${label}: count`}
      onChange={(count) => onChange({ ...row, count })}
      options={counts}
      value={row.count}
    />
    <Text
      className="w-16"
      inputMode="numeric"
      label={`${label}: times`}
      onChange={(times) => onChange({ ...row, times })}
      value={row.times}
    />
    <span className="text-sm text-muted">{of}</span>
  </span>
)

/** How often, and in which time. */
export const CountFields = ({ label, onChange, row }: Omit<CountFieldsProps, "of">) => (
  <>
    <TimesFields label={label} of={row.times === "1" ? "time" : "times"} onChange={onChange} row={row} />
    <span className="flex flex-wrap items-center gap-2">
      <Choice<RowWindow>
        label={`${label}: window`}
        onChange={(window) =>
          onChange({ ...row, window, within: row.within === "" ? durationDefault : row.within })
        }
        options={windows}
        value={row.window}
      />
      {row.window === "within" ? (
        <Duration
          label={`${label}: within`}
          onChange={(within) => onChange({ ...row, within })}
          value={row.within}
        />
      ) : null}
      {row.window === "between" ? (
        <>
          <Text
            label={`${label}: from`}
            onChange={(from) => onChange({ ...row, from })}
            placeholder="2026-01-01"
            value={row.from}
          />
          <span className="text-sm text-muted">and before</span>
          <Text
            label={`${label}: to`}
            onChange={(to) => onChange({ ...row, to })}
            placeholder="2026-02-01"
            value={row.to}
          />
        </>
      ) : null}
    </span>
    {canBeAged(row) ? (
      <Check
        className="basis-full"
        isChecked={row.aged !== false}
        onChange={(isAged) => onChange({ ...row, aged: isAged ? undefined : false })}
        says={`only who has a profile at least ${durationWords(row.within)} old`}
      />
    ) : null}
  </>
)

/** The window that a row begins with. */
const durationDefault = "30d"
