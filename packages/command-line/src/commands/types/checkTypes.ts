import { dayMs, toIso } from "@inlethq/core/values/Timestamp"
import { checkTypes } from "@inlethq/log/types/checkTypes"
import { Clock, Effect, Schema } from "effect"
import { Flag } from "effect/cli"
import { JsonOutput } from "../../output/JsonOutput.ts"
import { printNote } from "../../output/note.ts"
import { printable } from "../../output/text.ts"
import { readText } from "../../server/readText.ts"
import { printLines } from "../../server/show.ts"
import { cliTexts } from "../../texts/cliTexts.ts"
import { CommandFailed, WrongOption } from "../../texts/commandErrors.ts"
import { calling, command, type Reach } from "../shared/resource.ts"
import { readTypes } from "./readTypes.ts"

/** The most characters of a baseline. */
const baselineCharactersMax = 64 * 1024 * 1024

const decodeJson = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Json))

interface Given {
  readonly baseline: string
  readonly window: number
}

/** Compares what was seen with a baseline, and ends with 1 if something differs. */
export const check = command(
  {
    examples: {
      check: { "inlet types check --baseline types.json": "In continuous integration, after a deploy" },
    },
  },
  "check",
  "Compare what was seen with a baseline: names that are new, types that widened, and paths that fell away",
  {
    baseline: Flag.String("baseline").pipe(
      Flag.withMetavar("file"),
      Flag.withDescription("What inlet types generate --lang json-schema printed, - for standard input"),
    ),
    window: Flag.Int("window").pipe(
      Flag.withMetavar("days"),
      Flag.withDescription("A path fell away if nothing had it for so many days"),
      Flag.withSchema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 365 }))),
      Flag.withDefault(7),
    ),
  },
  calling(
    Effect.fnUntraced(function* (reach: Reach, { baseline, window }: Given) {
      const text = yield* readText(baseline, baselineCharactersMax)
      const known = yield* Effect.mapError(
        decodeJson(text),
        () => new WrongOption({ message: cliTexts.wrongBaseline({ file: baseline }) }),
      )
      const types = yield* readTypes(reach)
      const since = toIso((yield* Clock.currentTimeMillis) - window * dayMs)
      const findings = checkTypes(known, types, since)
      const { isWanted, print } = yield* JsonOutput
      if (isWanted) yield* print(JSON.stringify({ findings }))
      else yield* printLines(findings.map(({ summary }) => printable(summary)))
      if (findings.length > 0) {
        return yield* new CommandFailed({ message: cliTexts.typesDiffer({ count: findings.length }) })
      }
      yield* printNote("Everything that was seen is as in the baseline")
    }),
  ),
)
