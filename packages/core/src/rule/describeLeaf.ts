import type { SubjectKey } from "../values/Identifier.ts"
import type { Json } from "../values/Json.ts"
import { dayMs, hourMs, minuteMs, toIso } from "../values/Timestamp.ts"
import { ages, counts, inAnyCase, testInWords, type Scalar } from "./operators.ts"
import type { Condition, Count, Leaf, ValueTest, Window } from "./Rule.ts"

/** Returns the name of a segment, or undefined if it has none that can be shown. */
export type SegmentName = (segment: SubjectKey) => string | undefined

/** Says in a few words what a leaf asks for, such as `event "bought" at least 3 times in the last 30d`. */
export const describeLeaf = (leaf: Leaf, segmentName: SegmentName): string => {
  switch (leaf._tag) {
    case "Occurred":
      return `${leaf.kind} ${quoted(leaf.name)}${having(leaf.where)}${counting(leaf)}`
    case "Reported": {
      const channel = leaf.channel === null ? "message" : leaf.channel
      const source = leaf.source.map(({ name, value }) => `${name} is ${quoted(value)}`)
      return `${channel} ${leaf.metric}${withAll(source)}${counting(leaf)}`
    }
    case "Submitted":
      return `form ${quoted(leaf.form)} submitted${having(leaf.where)}${counting(leaf)}`
    case "HasAttribute":
      return describeCondition(leaf.condition)
    case "HasIdentifier":
      return `has an ${leaf.kind}`
    case "Aged":
      return `profile is ${ages[leaf.operator]} ${describeDuration(leaf.ms)} old`
    case "HasDevice":
      return `has a device${having(leaf.where)}`
    case "Related": {
      const conditions = [
        ...leaf.where.map(describeCondition),
        ...leaf.object.map((condition) => `object ${describeCondition(condition)}`),
      ]
      return `related to ${times(leaf.count, "object", "objects")} of type ${quoted(leaf.typeId)}${withAll(conditions)}`
    }
    case "Unsubscribed":
      return leaf.value ? "unsubscribed" : "not unsubscribed"
    case "Subscribed":
      return `${leaf.value ? "subscribed to" : "unsubscribed from"} topic ${quoted(leaf.topic)}`
    case "InSegment": {
      const name = segmentName(leaf.segment)
      return `in segment ${leaf.segment}${name === undefined ? "" : ` ${quoted(name)}`}`
    }
  }
}

/** Writes a duration as rules write it, such as `30d`. */
const describeDuration = (ms: number): string => {
  if (ms % dayMs === 0) return `${ms / dayMs}d`
  return ms % hourMs === 0 ? `${ms / hourMs}h` : `${ms / minuteMs}m`
}

const describeCondition = ({ any, field, test }: Condition): string =>
  `${any ? "any " : ""}${field} ${describeTest(test)}`

const describeTest = (test: ValueTest): string =>
  `${testInWords(test.operator, givenText(test))}${"ignoresCase" in test ? ` ${inAnyCase}` : ""}`

const givenText = (test: ValueTest): string => {
  switch (test._tag) {
    case "Scalar":
    case "Text":
      return quoted(test.value)
    case "Scalars":
      return test.values.map(quoted).join(", ")
    case "Number":
      return String(test.value)
    case "Nothing":
      return ""
    case "Instant":
      return toIso(test.at)
    case "Duration":
      return describeDuration(test.ms)
  }
}

const having = (where: ReadonlyArray<Condition>): string => withAll(where.map(describeCondition))

const withAll = (conditions: ReadonlyArray<string>): string =>
  conditions.length === 0 ? "" : ` where ${conditions.join(" and ")}`

const counting = ({ count, window }: { readonly count: Count; readonly window: Window }): string =>
  ` ${times(count, "time", "times")}${windowText(window)}`

const times = ({ n, operator }: Count, one: string, many: string): string =>
  n === 0 ? `no ${many}` : `${counts[operator]} ${n} ${n === 1 ? one : many}`

const windowText = (window: Window): string => {
  switch (window._tag) {
    case "AllTime":
      return ""
    case "Within":
      return ` in the last ${describeDuration(window.ms)}`
    case "Between":
      return ` from ${toIso(window.from)} to before ${toIso(window.to)}`
  }
}

const quoted = (value: Scalar | Json): string => JSON.stringify(value)
