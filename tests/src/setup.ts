import { afterAll } from "vitest"
import { cleanUp } from "./cleanup.ts"

// The IPC channel closes when the process that runs the suite ends, even if that process is killed.
process.once("disconnect", () => process.exit(1))

afterAll(cleanUp)
