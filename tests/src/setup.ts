import { afterAll } from "vitest"
import { cleanUp } from "./cleanup.ts"

// The IPC channel closes when the process that runs the suite has ended, even if it was killed.
process.once("disconnect", () => process.exit(1))

afterAll(cleanUp)
