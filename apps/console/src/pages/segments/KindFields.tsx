import { contextFields } from "@inlethq/core/rule/contextKeys"
import { ages, counts } from "@inlethq/core/rule/operators"
import { useQuery } from "@tanstack/react-query"
import { api } from "../../api/generated.ts"
import { inputStyle } from "../../shared/fields/Field.tsx"
import { ConditionFields, WhereFields } from "./ConditionFields.tsx"
import { Choice, Text } from "./rowInputs.tsx"
import {
  channels,
  identifiers,
  metrics,
  type CountOperator,
  type RowAge,
  type RowChannel,
  type RowIdentifier,
  type RowMetric,
  type RuleRow,
} from "./ruleRows.ts"

interface KindFieldsProps {
  readonly w: string
  readonly row: RuleRow
  /** The place of the row, from 1. */
  readonly number: number
  readonly onChange: (row: RuleRow) => void
}

/** The fields that a row of its kind has. */
export const KindFields = ({ number, onChange, row, w }: KindFieldsProps) => {
  const whereOf = (of: string, suggestions?: ReadonlyArray<string>) => (
    <WhereFields
      number={number}
      of={of}
      onChange={(where) => onChange({ ...row, where })}
      suggestions={suggestions}
      where={row.where}
    />
  )
  switch (row.kind) {
    case "attribute":
      return <ConditionFields condition={row} label="Attribute" onChange={onChange} />
    case "event":
    case "page":
    case "screen":
    case "form": {
      const { label, placeholder } = names[row.kind]
      return (
        <>
          <NameField label={label} onChange={onChange} placeholder={placeholder} row={row} />
          <CountFields onChange={onChange} row={row} />
          {whereOf(label, row.kind === "form" ? undefined : contextFields)}
        </>
      )
    }
    case "metric":
      return <MessageFields onChange={onChange} row={row} />
    case "device":
      return whereOf("One device")
    case "relationship":
      return (
        <>
          <NameField label="Type of object" onChange={onChange} placeholder="1" row={row} />
          {whereOf("Object")}
        </>
      )
    case "segment":
      return <SegmentField onChange={onChange} row={row} w={w} />
    case "subscription":
      return <p className="text-xs text-muted">The person is unsubscribed from everything.</p>
    case "identity":
      return (
        <Choice<RowIdentifier>
          label="The person has"
          onChange={(has) => onChange({ ...row, has })}
          options={identifiers}
          value={row.has}
        />
      )
    case "age":
      return <AgeFields onChange={onChange} row={row} />
    case "json":
      return <JsonField onChange={onChange} row={row} />
  }
}

type FieldsProps = Pick<KindFieldsProps, "row" | "onChange">

const names = {
  event: { label: "Event", placeholder: "bought" },
  page: { label: "Page", placeholder: "/pricing*" },
  screen: { label: "Screen", placeholder: "Checkout" },
  form: { label: "Form", placeholder: "newsletter" },
} as const

interface NameFieldProps extends FieldsProps {
  readonly label: string
  readonly placeholder: string
}

const NameField = ({ label, onChange, placeholder, row }: NameFieldProps) => (
  <Text
    label={label}
    onChange={(event) => onChange({ ...row, name: event.target.value })}
    placeholder={placeholder}
    value={row.name}
  />
)

/** How often, and in which time up to now. */
const CountFields = ({ onChange, row }: FieldsProps) => (
  <div className="grid grid-cols-2 gap-2 sm:grid-cols-[1fr_64px_1fr]">
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

const MessageFields = ({ onChange, row }: FieldsProps) => (
  <>
    <div className="grid grid-cols-2 gap-2">
      <Choice<RowChannel>
        label="Channel"
        onChange={(channel) => onChange({ ...row, channel })}
        options={channels}
        value={row.channel}
      />
      <Choice<RowMetric>
        label="Was"
        onChange={(metric) => onChange({ ...row, metric })}
        options={metrics}
        value={row.metric}
      />
    </div>
    <CountFields onChange={onChange} row={row} />
  </>
)

const AgeFields = ({ onChange, row }: FieldsProps) => (
  <div className="grid grid-cols-2 gap-2">
    <Choice<RowAge>
      label="Profile is"
      onChange={(age) => onChange({ ...row, age })}
      options={ages}
      value={row.age}
    />
    <Text
      label="Age"
      onChange={(event) => onChange({ ...row, value: event.target.value })}
      placeholder="7d"
      value={row.value}
    />
  </div>
)

const JsonField = ({ onChange, row }: FieldsProps) => (
  <label className="block text-xs text-muted">
    Rule as JSON, as docs/segments.md describes it
    <textarea
      className={`${inputStyle} h-24 py-1 font-mono text-xs`}
      onChange={(event) => onChange({ ...row, json: event.target.value })}
      placeholder='{"subscription": {"topic": "news", "value": true}}'
      spellCheck={false}
      value={row.json}
    />
  </label>
)

const SegmentField = ({ onChange, row, w }: FieldsProps & Pick<KindFieldsProps, "w">) => {
  const segments = useQuery({
    queryKey: [w, "segments", "choices"],
    queryFn: ({ signal }) => api.segments.list(w, { limit: segmentsListed }, signal),
  })
  const options = Object.fromEntries([
    ["", "Choose a segment"],
    ...(segments.data?.items ?? []).map(({ name, segment_id }) => [String(segment_id), name]),
  ])
  return (
    <div className="min-w-0 flex-1">
      <Choice
        label="Segment"
        onChange={(segment) => onChange({ ...row, segment })}
        options={options}
        value={row.segment}
      />
      {segments.data?.next == null ? null : (
        <p className="text-xs text-muted">
          The newest {segmentsListed} are listed. A condition as JSON can name an older one.
        </p>
      )}
    </div>
  )
}

/** The largest number of segments that can be chosen. Older ones can be named in a row with JSON. */
const segmentsListed = 500
