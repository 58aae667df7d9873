import "effect/schema/SchemaJITCompiler/enable"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { runAsProcess } from "@inlet/runtime/runAsProcess"
import { Effect } from "effect"
import { failWhenInterrupted } from "./interruption.ts"
import { exitOnOutputError } from "./output/outputErrors.ts"
import { printableLines, program } from "./program.ts"

const command = Effect.provide(program(process.argv.slice(2)), NodeServices.layer)

exitOnOutputError()
runAsProcess(failWhenInterrupted(command), printableLines)
