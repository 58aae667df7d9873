import { Effect } from "effect"
import { WrongOption } from "../../texts/commandErrors.ts"
import { cliTexts } from "../../texts/cliTexts.ts"

/** Fails if the options of an update command change nothing. `command` is the command without `inlet`. */
export const expectChange = (payload: object, command: string): Effect.Effect<void, WrongOption> =>
  Object.keys(payload).length > 0
    ? Effect.void
    : Effect.fail(new WrongOption({ message: cliTexts.nothingToChange({ command }) }))
