import { Data, Runtime } from "effect"

/** An argument, option or environment variable is missing or invalid. The command exits with code 2. */
export class WrongOption extends Data.TaggedError("WrongOption")<{ readonly message: string }> {
  override readonly [Runtime.errorExitCode] = 2
}

/** The server did not do what the command asked for. The command exits with code 1. */
export class CommandFailed extends Data.TaggedError("CommandFailed")<{ readonly message: string }> {}
