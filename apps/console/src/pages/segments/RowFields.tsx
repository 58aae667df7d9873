import { useQuery } from "@tanstack/react-query"
import { useId, type ComponentProps } from "react"
import { api } from "../../api/generated.ts"
import { IconButton } from "../../shared/Button.tsx"
import { inputStyle } from "../../shared/Field.tsx"
import {
  counts,
  operators,
  rowKinds,
  takesValue,
  type CountOperator,
  type Operator,
  type RowKind,
  type RuleRow,
} from "./ruleRows.ts"

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
    <KindFields onChange={onChange} row={row} w={w} />
  </>
)

type KindFieldsProps = Pick<RowFieldsProps, "w" | "row" | "onChange">

const KindFields = ({ onChange, row, w }: KindFieldsProps) => {
  const kind: RowKind = row.kind
  switch (kind) {
    case "attribute":
      return <AttributeFields onChange={onChange} row={row} w={w} />
    case "event":
    case "page":
      return <EventFields onChange={onChange} row={row} w={w} />
    case "segment":
      return <SegmentField onChange={onChange} row={row} w={w} />
    case "subscription":
      return <p className="text-xs text-muted">The person is unsubscribed from everything.</p>
    case "json":
      return (
        <label className="block text-xs text-muted">
          Rule as JSON, as docs/segments.md describes it
          <textarea
            className={`${inputStyle} h-24 py-1 font-mono text-xs`}
            onChange={(event) => onChange({ ...row, json: event.target.value })}
            placeholder='{"form": {"id": "newsletter"}}'
            spellCheck={false}
            value={row.json}
          />
        </label>
      )
  }
}

const AttributeFields = ({ onChange, row }: KindFieldsProps) => (
  <div className="grid gap-2 sm:grid-cols-3">
    <Text
      label="Attribute"
      onChange={(event) => onChange({ ...row, field: event.target.value })}
      placeholder="plan"
      value={row.field}
    />
    <Choice<Operator>
      label="Test"
      onChange={(operator) => onChange({ ...row, operator })}
      options={operators}
      value={row.operator}
    />
    {takesValue(row.operator) ? (
      <Text
        label="Value"
        onChange={(event) => onChange({ ...row, value: event.target.value })}
        placeholder={placeholders[row.operator] ?? "pro"}
        value={row.value}
      />
    ) : null}
  </div>
)

const placeholders: Partial<Record<Operator, string>> = {
  in: "pro, team",
  gt: "10",
  gte: "10",
  lt: "10",
  lte: "10",
  before: "2026-01-31T12:00:00Z",
  after: "2026-01-31T12:00:00Z",
  within_past: "30d",
  within_next: "7d",
  more_than_ago: "30d",
  more_than_ahead: "7d",
}

const EventFields = ({ onChange, row }: KindFieldsProps) => (
  <div className="grid grid-cols-2 gap-2 sm:grid-cols-[2fr_1fr_64px_1fr]">
    <Text
      className="col-span-2 sm:col-span-1"
      label={row.kind === "page" ? "Page" : "Event"}
      onChange={(event) => onChange({ ...row, name: event.target.value })}
      placeholder={row.kind === "page" ? "/pricing*" : "bought"}
      value={row.name}
    />
    <Choice<CountOperator>
      label="Count"
      onChange={(count) => onChange({ ...row, count })}
      options={counts}
      value={row.count}
    />
    <Text
      inputMode="numeric"
      label="Times"
      onChange={(event) => onChange({ ...row, times: event.target.value })}
      value={row.times}
    />
    <Text
      className="col-span-2 sm:col-span-1"
      label="In the last"
      onChange={(event) => onChange({ ...row, within: event.target.value })}
      placeholder="ever"
      value={row.within}
    />
  </div>
)

const SegmentField = ({ onChange, row, w }: KindFieldsProps) => {
  const segments = useQuery({
    queryKey: [w, "segments", "choices"],
    queryFn: ({ signal }) => api.segments.list(w, { limit: segmentsListed }, signal),
  })
  const options = Object.fromEntries([
    ["", "Choose a segment"],
    ...(segments.data?.items ?? []).map(({ name, segment_id }) => [String(segment_id), name]),
  ])
  return (
    <Choice
      label="Segment"
      onChange={(segment) => onChange({ ...row, segment })}
      options={options}
      value={row.segment}
    />
  )
}

/** The largest number of segments that can be chosen. Older ones can be named in a row with JSON. */
const segmentsListed = 500

interface ChoiceProps<Value extends string> {
  readonly label: string
  readonly value: Value
  readonly options: Readonly<Record<Value, string>>
  readonly onChange: (value: Value) => void
}

const Choice = <Value extends string>({ label, onChange, options, value }: ChoiceProps<Value>) => {
  const id = useId()
  const values = Object.keys(options).filter((option): option is Value => Object.hasOwn(options, option))
  return (
    <div className="min-w-0 flex-1">
      <label className="block text-xs text-muted" htmlFor={id}>
        {label}
      </label>
      <select
        className={inputStyle}
        id={id}
        onChange={(event) => {
          const chosen = values.find((option) => option === event.target.value)
          if (chosen !== undefined) onChange(chosen)
        }}
        value={value}
      >
        {values.map((option) => (
          <option key={option} value={option}>
            {options[option]}
          </option>
        ))}
      </select>
    </div>
  )
}

interface TextProps extends Omit<ComponentProps<"input">, "id"> {
  readonly label: string
}

const Text = ({ className = "", label, ...input }: TextProps) => {
  const id = useId()
  return (
    <div className={`min-w-0 ${className}`}>
      <label className="block text-xs text-muted" htmlFor={id}>
        {label}
      </label>
      <input autoComplete="off" className={inputStyle} id={id} spellCheck={false} {...input} />
    </div>
  )
}
