import { ages, counts, takes, testInWords } from "@inlethq/core/rule/operators"
import { rowsOfRule } from "./rowsOfRule.ts"
import { channels, identifiers, metrics, type RowCondition, type RuleJson, type RuleRow } from "./ruleRows.ts"

interface RuleWordsProps {
  readonly rule: RuleJson
}

/** What a rule asks for, in the words of the rule builder. */
export const RuleWords = ({ rule }: RuleWordsProps) => {
  const { match, rows } = rowsOfRule(rule)
  return (
    <div className="text-sm">
      {rows.length === 1 ? null : (
        <p className="text-muted">{match === "and" ? "All of these hold:" : "Any of these holds:"}</p>
      )}
      <ul className={rows.length === 1 ? "" : "ml-4 list-disc"}>
        {rows.map((row) => (
          <li className="break-words" key={row.key}>
            {row.isNot ? "not: " : ""}
            {row.kind === "json" ? (
              <code className="font-mono text-xs whitespace-pre-wrap">{row.json}</code>
            ) : (
              wordsOf(row)
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}

const wordsOf = (row: RuleRow): string => {
  switch (row.kind) {
    case "attribute":
      return conditionWords(row)
    case "event":
    case "page":
    case "screen":
    case "form":
      return `${nouns[row.kind]} ${row.name}${whereWords(row)} ${countWords(row)}`
    case "metric": {
      const message = row.channel === "any" ? "a message" : `a message by ${channels[row.channel]}`
      return `${message} ${metrics[row.metric]} ${countWords(row)}`
    }
    case "device":
      return `has a device${whereWords(row)}`
    case "relationship":
      return `related to an object of type ${row.name}${whereWords(row)}`
    case "segment":
      return `in segment ${row.segment}`
    case "subscription":
      return "unsubscribed"
    case "identity":
      return `has ${identifiers[row.has]}`
    case "age":
      return `profile is ${ages[row.age]} ${row.value} old`
    case "json":
      return row.json
  }
}

const nouns = { event: "event", page: "page view", screen: "screen view", form: "form" } as const

const conditionWords = ({ field, operator, value }: RowCondition): string =>
  `${field} ${testInWords(operator, takes(operator, "nothing") ? "" : value)}`

const whereWords = ({ where }: RuleRow): string =>
  where.length === 0 ? "" : ` where ${where.map(conditionWords).join(" and ")}`

const countWords = ({ count, times, within }: RuleRow): string =>
  `${counts[count]} ${times} ${times === "1" ? "time" : "times"}${within === "" ? "" : ` in the last ${within}`}`
