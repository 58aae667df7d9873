import { afterAll } from "vitest"
import { cleanUp } from "./cleanup.ts"

// The IPC channel closes when the process that runs the suite ends, even if that process is killed. This process must
// then end too.
process.once("disconnect", () => process.exit(1))

afterAll(cleanUp)
