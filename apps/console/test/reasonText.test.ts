import { expect, it } from "vitest"
import { reasonText } from "../src/shared/values/reasonText.ts"

const kept = {
  path: "unsubscribed",
  sent: "yes",
  kept: false,
  why: "it is no boolean",
  code: "not_boolean",
} as const

it("says in a list which values an operation read otherwise", () => {
  expect(reasonText({ reason: null, kept_as: [kept, { ...kept, path: "plan" }] })).toBe(
    "read otherwise: unsubscribed, plan",
  )
  expect(reasonText({ reason: "email: taken", kept_as: [kept] })).toBe("email: taken")
  expect(reasonText({ reason: null, kept_as: [] })).toBe("")
})
