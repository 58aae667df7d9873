import { GlobalFlag } from "effect/cli"

/** The flags that every command has. */
export const builtIns = [
  GlobalFlag.Help,
  GlobalFlag.Version,
  GlobalFlag.Completions,
  GlobalFlag.LogLevel,
] as const
