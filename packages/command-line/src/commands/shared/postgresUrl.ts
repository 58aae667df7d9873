import { Effect } from "effect"
import { variable } from "../../server/variable.ts"
import { databaseTexts } from "../../texts/databaseTexts.ts"
import { WrongOption } from "../../texts/commandErrors.ts"

/** Returns the URL of the PostgreSQL database in INLET_STORE. Fails with `otherwise` if another store stands there. */
export const postgresUrl = (otherwise: string): Effect.Effect<string, WrongOption> =>
  Effect.suspend(() => {
    const url = variable("INLET_STORE")
    if (url === undefined) return Effect.fail(new WrongOption({ message: databaseTexts.storeNotSet() }))
    return /^postgres(ql)?:/.test(url)
      ? Effect.succeed(url)
      : Effect.fail(new WrongOption({ message: otherwise }))
  })
