import "effect/schema/SchemaJITCompiler/enable"
import { runAsProcess } from "./runAsProcess.ts"
import { serve } from "./serve.ts"

runAsProcess(serve)
