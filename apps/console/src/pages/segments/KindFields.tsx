import { ages } from "@inlethq/core/rule/operators"
import { useQuery } from "@tanstack/react-query"
import { Button, IconButton } from "../../shared/buttons/Button.tsx"
import { inputStyle } from "../../shared/fields/Field.tsx"
import { count } from "../../shared/values/figures.ts"
import { ConditionFields, WhereFields } from "./ConditionFields.tsx"
import { CountFields, TimesFields } from "./CountFields.tsx"
import type { KindFieldsProps } from "./KindFieldsProps.ts"
import { NameField } from "./NameField.tsx"
import { Choice, Duration, Text } from "./rowInputs.tsx"
import {
  channels,
  identifiers,
  metrics,
  sources,
  sourcesLeft,
  subscriptions,
  type RowAge,
  type RowChannel,
  type RowIdentifier,
  type RowMetric,
  type RowSubscription,
  type RuleRow,
} from "./ruleRows.ts"
import { newestSegmentsQuery, segmentsListed } from "./segmentQueries.ts"

/** The rest of the sentence of a row, after its verb and its kind. */
export const KindFields = (props: KindFieldsProps) => {
  const { label, onChange, row, w } = props
  switch (row.kind) {
    case "attribute":
      return (
        <ConditionFields about={{ of: "person" }} condition={row} label={label} onChange={onChange} w={w} />
      )
    case "event":
    case "page":
    case "screen":
    case "form":
      return <HappenedFields {...props} of={row.kind} />
    case "metric":
      return <MessageFields {...props} />
    case "device":
      return (
        <WhereFields
          about={{ of: "device" }}
          adds="Add a condition"
          label={label}
          onChange={(where) => onChange({ ...row, where })}
          w={w}
          where={row.where}
        />
      )
    case "relationship":
      return <RelatedFields {...props} />
    case "segment":
      return <SegmentField {...props} />
    case "subscription":
      return <SubscriptionFields {...props} />
    case "identity":
      return (
        <Choice<RowIdentifier>
          label={`${label}: identifier`}
          onChange={(has) => onChange({ ...row, has })}
          options={identifiers}
          value={row.has}
        />
      )
    case "age":
      return <AgeFields {...props} />
    case "json":
      return (
        <textarea
          aria-label={`${label}: JSON`}
          className={`${inputStyle} h-32 basis-full py-1 font-mono text-xs`}
          onChange={(event) => onChange({ ...row, json: event.target.value })}
          placeholder='{"subscription": {"topic": "news", "value": true}}'
          spellCheck={false}
          value={row.json}
        />
      )
  }
}

interface HappenedFieldsProps extends KindFieldsProps {
  readonly of: "event" | "page" | "screen" | "form"
}

const HappenedFields = ({ of, ...props }: HappenedFieldsProps) => {
  const { label, onChange, row, w } = props
  return (
    <>
      <NameField {...props} />
      <CountFields label={label} onChange={onChange} row={row} />
      <WhereFields
        about={{ of, name: row.name }}
        adds="Add a condition"
        label={label}
        onChange={(where) => onChange({ ...row, where })}
        w={w}
        where={row.where}
      />
    </>
  )
}

const AgeFields = ({ label, onChange, row }: KindFieldsProps) => (
  <>
    <Choice<RowAge>
      label={`${label}: comparison`}
      onChange={(age) => onChange({ ...row, age })}
      options={ages}
      value={row.age}
    />
    <Duration label={`${label}: age`} onChange={(value) => onChange({ ...row, value })} value={row.value} />
  </>
)

const MessageFields = ({ label, onChange, row }: KindFieldsProps) => (
  <>
    <span className="text-sm text-muted">by</span>
    <Choice<RowChannel>
      label={`${label}: channel`}
      onChange={(channel) => onChange({ ...row, channel })}
      options={channels}
      value={row.channel}
    />
    <span className="text-sm text-muted">that was</span>
    <Choice<RowMetric>
      label={`${label}: metric`}
      onChange={(metric) => onChange({ ...row, metric })}
      options={metrics}
      value={row.metric}
    />
    <CountFields label={label} onChange={onChange} row={row} />
    <SourceFields label={label} onChange={onChange} row={row} />
  </>
)

const SourceFields = ({ label, onChange, row: { source, ...row } }: Omit<KindFieldsProps, "w">) => {
  const set = (changed: RuleRow["source"]): void => onChange({ ...row, source: changed })
  const [unused] = sourcesLeft(source)
  return (
    <>
      {source.map((one, i) => (
        <div className="flex basis-full flex-wrap items-center gap-2 border-l border-line pl-3" key={one.key}>
          <span className="text-sm text-muted">of the</span>
          <Choice
            label={`${label}, source ${i + 1}: kind`}
            onChange={(name) =>
              set(source.map((other) => (other.key === one.key ? { ...one, name } : other)))
            }
            only={sourcesLeft(source, one)}
            options={sources}
            value={one.name}
          />
          <Text
            label={`${label}, source ${i + 1}: id`}
            onChange={(value) =>
              set(source.map((other) => (other.key === one.key ? { ...one, value } : other)))
            }
            placeholder="12"
            value={one.value}
          />
          <IconButton
            icon="close"
            label={`Remove source ${i + 1} of ${label}`}
            onClick={() => set(source.filter(({ key }) => key !== one.key))}
          />
        </div>
      ))}
      <Button
        aria-label={`Add a campaign or another source to ${label}`}
        disabled={unused === undefined}
        icon="created"
        onClick={() => {
          if (unused !== undefined) set([...source, { key: nextKey(source), name: unused, value: "" }])
        }}
        tone="quiet"
      >
        Add a campaign
      </Button>
    </>
  )
}

const nextKey = (source: RuleRow["source"]): number => 1 + Math.max(-1, ...source.map(({ key }) => key))

const RelatedFields = (props: KindFieldsProps) => {
  const { label, onChange, row, w } = props
  return (
    <>
      <TimesFields label={label} of="of type" onChange={onChange} row={row} />
      <NameField {...props} />
      <WhereFields
        about={{ of: "object", name: row.name }}
        adds="Add an object condition"
        begins="where the object has"
        label={label}
        onChange={(where) => onChange({ ...row, where })}
        w={w}
        where={row.where}
      />
      <WhereFields
        about={{ of: "relationship" }}
        adds="Add a relationship condition"
        begins="where the relationship has"
        label={`${label}, relationship`}
        onChange={(whereRelated) => onChange({ ...row, whereRelated })}
        w={w}
        where={row.whereRelated}
      />
    </>
  )
}

const SubscriptionFields = (props: KindFieldsProps) => {
  const { label, onChange, row } = props
  return (
    <>
      <Choice<RowSubscription>
        label={`${label}: subscription`}
        onChange={(subscription) => onChange({ ...row, subscription })}
        options={subscriptions}
        value={row.subscription}
      />
      {row.subscription === "topic" || row.subscription === "noTopic" ? <NameField {...props} /> : null}
    </>
  )
}

const SegmentField = ({ label, onChange, row, w }: KindFieldsProps) => {
  const segments = useQuery(newestSegmentsQuery(w))
  const listed = (segments.data?.items ?? []).map(
    ({ name, segment_id, size }) => [String(segment_id), `${name} (${count(size)})`] as const,
  )
  const chosen = row.segment === "" ? [["", "Choose a segment"]] : [[row.segment, `Segment ${row.segment}`]]
  return (
    <>
      <Choice
        label={`${label}: segment`}
        onChange={(segment) => onChange({ ...row, segment })}
        options={Object.fromEntries([...chosen, ...listed])}
        value={row.segment}
      />
      {segments.data?.next == null ? null : (
        <p className="text-xs text-muted">
          The newest {segmentsListed} are listed. A row with JSON can name an older one.
        </p>
      )}
    </>
  )
}
