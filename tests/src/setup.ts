import { afterAll } from "vitest"
import { cleanUp } from "./cleanup.ts"

// Vitest runs this file in a child process. The IPC channel closes when the parent process ends, even if the parent is
// killed. The child must then end too.
process.once("disconnect", () => process.exit(1))

afterAll(cleanUp)
