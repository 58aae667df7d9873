import "effect/schema/SchemaJITCompiler/enable"
import { runAsProcess } from "@inlet/runtime/runAsProcess"
import { serve } from "@inlet/runtime/serve"
import { consoleFolder } from "./consoleFolder.ts"

runAsProcess(serve({ console: consoleFolder(), browserLibrary: null, system: null }))
