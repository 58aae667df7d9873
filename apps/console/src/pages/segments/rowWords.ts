import { ages, counts, inAnyCase, takes, testInWords, testsText } from "@inlethq/core/rule/operators"
import { durationWords, type RowCondition } from "./rowValues.ts"
import {
  canBeAged,
  channels,
  identifiers,
  metrics,
  sources,
  subscriptions,
  type RowKind,
  type RuleRow,
} from "./ruleRows.ts"

/** How the sentence of a row begins if what follows holds, and if it does not. */
export const verbs = {
  attribute: { is: "has", isNot: "does not have" },
  event: { is: "did", isNot: "did not do" },
  page: { is: "viewed", isNot: "did not view" },
  screen: { is: "viewed", isNot: "did not view" },
  metric: { is: "got", isNot: "did not get" },
  form: { is: "submitted", isNot: "did not submit" },
  device: { is: "has", isNot: "does not have" },
  relationship: { is: "is related to", isNot: "is not related to" },
  segment: { is: "is in", isNot: "is not in" },
  subscription: { is: "is", isNot: "is not" },
  identity: { is: "has", isNot: "does not have" },
  age: { is: "has", isNot: "does not have" },
  json: { is: "meets", isNot: "does not meet" },
} as const satisfies Readonly<Record<RowKind, { readonly is: string; readonly isNot: string }>>

/** A row as a sentence about a person. `segmentName` is what the segment of the row is called. */
export const rowWords = (row: RuleRow, segmentName?: string): string => {
  if (row.kind === "attribute") return `${row.isNot ? "It is not true that " : ""}${conditionWords(row)}`
  const verb = verbs[row.kind][row.isNot ? "isNot" : "is"]
  return `${verb.charAt(0).toUpperCase()}${verb.slice(1)} ${whatWords(row, segmentName)}${agedWords(row)}`
}

const whatWords = (row: RuleRow, segmentName: string | undefined): string => {
  switch (row.kind) {
    case "attribute":
      return conditionWords(row)
    case "event":
      return `${row.name}${countedWords(row)}`
    case "page":
    case "screen":
    case "form":
      return `the ${row.kind} ${row.name}${countedWords(row)}`
    case "metric": {
      const by = row.channel === "any" ? "" : ` by ${channels[row.channel]}`
      const from = row.source.map(({ name, value }) => ` of ${sources[name]} ${value}`)
      return `a message${by}${from.join("")} that was ${metrics[row.metric]}${countedWords(row)}`
    }
    case "device":
      return `a device${whereWords(row.where)}`
    case "relationship": {
      const related = row.whereRelated.length === 0 ? "" : ", by a relationship"
      return `${timesWords(row, "object", "objects")} of type ${row.name}${whereWords(row.where)}${related}${whereWords(row.whereRelated)}`
    }
    case "segment":
      return `the segment ${segmentName ?? row.segment}`
    case "subscription":
      return row.subscription === "topic" || row.subscription === "noTopic"
        ? `${subscriptions[row.subscription]} ${row.name}`
        : subscriptions[row.subscription]
    case "identity":
      return identifiers[row.has]
    case "age":
      return `a profile that is ${ages[row.age]} ${durationWords(row.value)} old`
    case "json":
      return row.json
  }
}

const conditionWords = ({ any, field, ignoreCase, operator, value }: RowCondition): string => {
  const given = takes(operator, "duration") ? durationWords(value) : value
  const test = testInWords(operator, takes(operator, "nothing") ? "" : given)
  return `${any ? "any " : ""}${field} ${test}${ignoreCase && testsText(operator) ? ` ${inAnyCase}` : ""}`
}

const whereWords = (where: ReadonlyArray<RowCondition>): string =>
  where.length === 0 ? "" : ` where ${where.map(conditionWords).join(" and ")}`

const timesWords = ({ count, times }: RuleRow, one: string, many: string): string =>
  `${counts[count]} ${times} ${times === "1" ? one : many}`

const countedWords = (row: RuleRow): string =>
  `${whereWords(row.where)} ${timesWords(row, "time", "times")}${windowWords(row)}`

const windowWords = ({ from, to, window, within }: RuleRow): string => {
  switch (window) {
    case "ever":
      return ""
    case "within":
      return ` within the last ${durationWords(within)}`
    case "between":
      return ` from ${from} to before ${to}`
  }
}

const agedWords = (row: RuleRow): string =>
  canBeAged(row) && row.aged !== false ? `, with a profile at least ${durationWords(row.within)} old` : ""
