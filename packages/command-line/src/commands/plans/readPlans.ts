import { Effect, Schema } from "effect"
import { readText } from "../../server/readText.ts"
import { planCommandTexts } from "../../texts/planCommandTexts.ts"
import { WrongOption } from "../../texts/commandErrors.ts"

/** The largest number of characters of a file of plans. The server refuses larger ones, too. */
const plansCharactersMax = 4 * 1024 * 1024

const decodePlans = Schema.decodeUnknownEffect(
  Schema.fromJsonString(Schema.Struct({ plans: Schema.Array(Schema.Json) })),
)

/** Reads plans from a file or from standard input. What is wrong with a plan, the server says. */
export const readPlans = Effect.fnUntraced(function* (file: string) {
  const text = yield* readText(file, plansCharactersMax)
  return yield* decodePlans(text).pipe(
    Effect.mapError(() => new WrongOption({ message: planCommandTexts.wrongPlanFile({ file }) })),
  )
})
