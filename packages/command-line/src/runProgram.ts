import "effect/schema/SchemaJITCompiler/enable"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { ShippedFiles } from "@inlethq/http/ShippedFiles"
import { runAsProcess } from "@inlethq/runtime/runAsProcess"
import { Effect, Layer } from "effect"
import { failWhenInterrupted } from "./server/interruption.ts"
import { exitOnOutputError } from "./output/outputErrors.ts"
import { printableLines, program } from "./program.ts"

/** Runs the `inlet` command with these arguments as this process. `inlet serve` serves the files that the program ships. */
export const runProgram = (args: ReadonlyArray<string>, shipped: ShippedFiles): void => {
  const services = Layer.merge(NodeServices.layer, Layer.succeed(ShippedFiles, shipped))
  exitOnOutputError()
  runAsProcess(failWhenInterrupted(Effect.provide(program(args), services)), printableLines)
}
