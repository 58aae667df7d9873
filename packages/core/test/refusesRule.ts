import { it } from "@effect/vitest"
import { Result } from "effect"
import type { Json } from "@inlethq/core/values/Json"
import { decodeRule } from "../src/rule/decodeRule.ts"
import { assertSame } from "./harness.ts"

/** Checks the path and the message of the fault of a rule. */
export const refuses = (says: string, json: Json, path: string, message: string): void =>
  it(says, () => {
    const result = decodeRule(json)
    assertSame(Result.isFailure(result) ? result.failure : "decoded", { path, message })
  })
