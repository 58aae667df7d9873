import "effect/schema/SchemaJITCompiler/enable"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { ShippedFiles } from "@inlethq/http/ShippedFiles"
import { runAsProcess } from "@inlethq/runtime/runAsProcess"
import { Effect, Layer } from "effect"
import { failWhenInterrupted } from "./server/interruption.ts"
import { exitOnOutputError } from "./output/outputErrors.ts"
import { printableLines, program } from "./program.ts"
import { Installation, type Channel } from "./update/Installation.ts"

/** Runs the `inlet` command with these arguments as this process. `inlet serve` serves the files that the program ships. */
export const runProgram = (args: ReadonlyArray<string>, shipped: ShippedFiles, channel: Channel): void => {
  const services = Layer.mergeAll(
    NodeServices.layer,
    Layer.succeed(ShippedFiles, shipped),
    Layer.succeed(Installation, channel),
  )
  exitOnOutputError()
  runAsProcess(failWhenInterrupted(Effect.provide(program(args), services)), printableLines)
}
