import { assert, describe, it } from "@effect/vitest"
import { Arbitrary } from "effect"
import { SubjectKey } from "@inlethq/core/values/Identifier"
import type { Json } from "@inlethq/core/values/Json"
import { canonicalForm } from "../src/rule/canonicalForm.ts"
import { checkSegments } from "../src/rule/checkSegments.ts"
import { leavesOf, type Rule } from "../src/rule/Rule.ts"
import { assertSame } from "./harness.ts"
import { propertyOptions } from "./propertyOptions.ts"
import { oneOf } from "./randomCommands.ts"
import { bought, decoded, planIs } from "./ruleExamples.ts"

const formOf = (json: Json) => canonicalForm(leavesOf(decoded(json))[0] ?? assert.fail("no leaf"))

const email = (value: string) => ({ attribute: { field: "email", operator: "ends_with", value } })

const company = (value: string) => ({
  attribute: { field: "company", operator: "eq", value, ignore_case: true },
})

describe("the canonical form of a leaf", () => {
  const a = { field: "a", operator: "eq", value: 1 }
  const b = { field: "b", operator: "in", value: ["x", "y"] }

  it("is the same for two ways to write the same", () => {
    assert.strictEqual(formOf(bought({ within: "7d" })), formOf(bought({ within: "1w", count: { gte: 1 } })))
    assert.strictEqual(
      formOf(bought({ where: [a, b] })),
      formOf(bought({ where: [{ ...b, value: ["y", "x", "y"], any: false }, a, a] })),
    )
    assert.strictEqual(formOf(email("@X.ORG")), formOf(email("@x.org")))
    assert.strictEqual(formOf(company("ACME")), formOf(company("acme")))
  })

  it("differs if the leaves ask for different things", () => {
    const leaves = [
      bought(),
      bought({ where: [a] }),
      bought({ where: [b] }),
      bought({ within: "7d" }),
      bought({ count: { gte: 2 } }),
      bought({ count: { eq: 1 } }),
      planIs("1"),
      { attribute: { field: "plan", operator: "eq", value: "1", ignore_case: true } },
      planIs(1),
      planIs(true),
      { page: { name: "bought" } },
      { form: { id: "bought" } },
    ]
    assert.strictEqual(new Set(leaves.map(formOf)).size, leaves.length)
  })

  const scalar = oneOf<Json>("a", "1", 1, true)
  const pair = Arbitrary.all([scalar, scalar])
  it.prop(
    "two comparisons have one form only if they compare with the same value",
    [pair],
    ([[one, other]]) => assert.strictEqual(formOf(planIs(one)) === formOf(planIs(other)), one === other),
    propertyOptions(100),
  )
})

const key = (n: number) => SubjectKey.make(n)
const naming = (...segments: ReadonlyArray<number>) =>
  decoded({ or: segments.map((id) => ({ segment: { id } })) })
const known = (rules: ReadonlyArray<readonly [number, Rule]>, manual: ReadonlyArray<number>) => {
  const byKey = new Map(rules.map(([n, rule]) => [key(n), rule]))
  return { rules: byKey, exists: (segment: SubjectKey) => byKey.has(segment) || manual.includes(segment) }
}

describe("the segments that a rule names", () => {
  it("must exist", () => {
    assertSame(checkSegments(naming(1, 2), null, known([], [1])), {
      path: "/or/1/segment/id",
      message: "segment 2 does not exist",
    })
    assertSame(checkSegments(naming(1), null, known([], [1])), undefined)
  })

  it("must not lead back to the segment of the rule", () => {
    const rules = known(
      [
        [1, naming(2)],
        [2, naming(9, 3)],
        [3, naming(9)],
      ],
      [9],
    )
    assertSame(checkSegments(decoded({ not: { segment: { id: 1 } } }), key(3), rules), {
      path: "/not/segment/id",
      message: "would make segments depend on each other: 3, 1, 2, 3",
    })
    assertSame(
      checkSegments(naming(3), key(3), rules)?.message,
      "would make segments depend on each other: 3, 3",
    )
    assertSame(checkSegments(naming(9), key(3), rules), undefined)
  })

  it("make chains of at most five rules, also above a rule that is edited", () => {
    const rules = known(
      [
        [1, naming(9)],
        [2, naming(1)],
        [3, naming(2, 1)],
        [4, naming(3)],
        [5, naming(4)],
        [6, naming(9)],
        [7, naming(6)],
      ],
      [9],
    )
    const tooLong = "would make a chain of more than 5 rules that name each other's segments"
    assertSame(checkSegments(naming(4), null, rules), undefined)
    assertSame(checkSegments(naming(5), null, rules)?.message, tooLong)
    assertSame(checkSegments(naming(3), key(6), rules), undefined)
    assertSame(checkSegments(naming(4), key(6), rules)?.message, tooLong)
  })
})
