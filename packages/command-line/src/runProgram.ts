import "effect/schema/SchemaJITCompiler/enable"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { ConsoleFolder } from "@inlet/http/console/ConsoleFolder"
import { runAsProcess } from "@inlet/runtime/runAsProcess"
import { Effect, Layer } from "effect"
import { failWhenInterrupted } from "./interruption.ts"
import { exitOnOutputError } from "./output/outputErrors.ts"
import { printableLines, program } from "./program.ts"

/** Runs the `inlet` command with these arguments as this process. `inlet serve` serves the built console of a folder. */
export const runProgram = (args: ReadonlyArray<string>, consoleFolder: string): void => {
  const services = Layer.merge(NodeServices.layer, Layer.succeed(ConsoleFolder, consoleFolder))
  exitOnOutputError()
  runAsProcess(failWhenInterrupted(Effect.provide(program(args), services)), printableLines)
}
