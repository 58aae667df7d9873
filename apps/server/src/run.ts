import "effect/schema/SchemaJITCompiler/enable"
import { runAsProcess } from "@inlethq/runtime/runAsProcess"
import { serve } from "@inlethq/runtime/serve"
import { consoleFolder } from "./consoleFolder.ts"

runAsProcess(serve({ console: consoleFolder(), browserLibrary: null, system: null }))
