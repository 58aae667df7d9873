import { Effect } from "effect"
import { Flag, Prompt, TerminalCapabilities } from "effect/cli"
import { CommandFailed } from "../../texts/commandErrors.ts"
import { cliTexts } from "../../texts/cliTexts.ts"
import { orInterrupted } from "../../server/interruption.ts"
import { printable } from "../../output/text.ts"

/** The flag that confirms a deletion, so that the command asks no question. */
export const confirmFlag = {
  yes: Flag.Boolean("yes").pipe(
    Flag.withAlias("y"),
    Flag.withDescription("Do not ask for confirmation; without a terminal, the command never asks"),
    Flag.withDefault(false),
  ),
}

/**
 * Asks the user for confirmation. Fails with code 1 if the answer is no, and with code 130 after Ctrl-C. Asks nothing if
 * `isConfirmed` is true, or if there is no terminal.
 */
export const orNotConfirmed = Effect.fnUntraced(function* (isConfirmed: boolean, message: string) {
  const { canPrompt } = yield* TerminalCapabilities.TerminalCapabilities
  if (isConfirmed || !canPrompt) return
  const isYes = yield* Prompt.run(Prompt.Confirm({ message: printable(message), initial: false })).pipe(
    Effect.catchTag("QuitError", () => Effect.interrupt),
    orInterrupted(cliTexts.notConfirmed()),
  )
  if (!isYes) return yield* new CommandFailed({ message: cliTexts.notConfirmed() })
})
