import "effect/schema/SchemaJITCompiler/enable"
import { runServer } from "./runServer.ts"

runServer()
