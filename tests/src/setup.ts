import { afterAll } from "vitest"
import { clearUp } from "./leftovers.ts"

afterAll(clearUp)
