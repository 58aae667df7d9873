import { afterAll } from "vitest"
import { clearUp } from "./leftovers.ts"

// The IPC channel closes when the process that runs the suite has ended, even if it was killed.
process.once("disconnect", () => process.exit(1))

afterAll(clearUp)
