import { rowsOfRule } from "./rowsOfRule.ts"
import { counts, operators, takesValue, type RuleJson, type RuleRow } from "./ruleRows.ts"

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
    case "attribute": {
      const test = operators[row.operator]
      // The place of a duration is inside the words, such as "is more than 30d ago".
      if (test.includes("…")) return `${row.field} ${test.replace("…", row.value)}`
      return takesValue(row.operator) ? `${row.field} ${test} ${row.value}` : `${row.field} ${test}`
    }
    case "event":
    case "page": {
      const times = `${counts[row.count]} ${row.times} ${row.times === "1" ? "time" : "times"}`
      const within = row.within === "" ? "" : ` in the last ${row.within}`
      return `${row.kind === "page" ? "page view" : "event"} ${row.name} ${times}${within}`
    }
    case "segment":
      return `in segment ${row.segment}`
    case "subscription":
      return "unsubscribed"
    case "json":
      return row.json
  }
}
