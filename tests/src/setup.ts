import { afterAll } from "vitest"
import { clearUp } from "./leftovers.ts"

// The channel closes when the process that runs the suite is gone, however it went.
process.once("disconnect", () => process.exit(1))

afterAll(clearUp)
