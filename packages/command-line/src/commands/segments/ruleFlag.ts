import { RuleJson } from "@inlethq/contract/segments/SegmentRules"
import { Effect, Schema } from "effect"
import { Flag } from "effect/cli"
import { readText } from "../../server/readText.ts"
import { cliTexts } from "../../texts/cliTexts.ts"
import { WrongOption } from "../../texts/commandErrors.ts"

/** The largest number of characters of a rule that is read. The server refuses larger ones, too. */
const ruleCharactersMax = 256 * 1024

export const ruleFlag = Flag.String("rule").pipe(
  Flag.withMetavar("file"),
  Flag.withDescription("A file with the rule as JSON, - for standard input; see docs/segments.md"),
)

const decodeRule = Schema.decodeUnknownEffect(Schema.fromJsonString(RuleJson))

/** Reads a rule from a file or from standard input. */
export const readRule = Effect.fnUntraced(function* (file: string) {
  const text = yield* readText(file, ruleCharactersMax)
  return yield* decodeRule(text).pipe(
    Effect.mapError(() => new WrongOption({ message: cliTexts.wrongRuleFile({ file }) })),
  )
})
