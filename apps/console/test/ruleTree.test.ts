import { decodeRule } from "@inlethq/core/rule/decodeRule"
import { assert, describe, it } from "vitest"
import {
  isEdited,
  levelsMax,
  otherwiseEdited,
  rowsIn,
  rowsMax,
  ruleOfTree,
  treeOfRule,
  withMatch,
  withNewGroup,
  withNewRow,
  withoutNode,
  withRow,
} from "../src/pages/segments/ruleTree.ts"
import type { RuleJson } from "../src/pages/segments/RuleJson.ts"
import { newRow, type RuleRow } from "../src/pages/segments/ruleRows.ts"
import { randomFrom, randomRules } from "./randomRules.ts"

const event = (name: string): RuleJson => ({ event: { name } })

const isValid = (rule: RuleJson): boolean => decodeRule(rule)._tag === "Success"

const kindsOf = (rule: RuleJson): string =>
  rowsIn(treeOfRule(rule))
    .map(({ kind }) => kind)
    .join(" ")

describe("a rule in the builder", () => {
  it("is the same rule again, whatever it says", () => {
    const { rule } = randomRules(randomFrom(7))
    for (let i = 0; i < 2000; i++) {
      const written = rule(4)
      assert.deepStrictEqual(ruleOfTree(treeOfRule(written)), written)
    }
  })

  it("has a row of its own kind for every leaf", () => {
    const { leaf } = randomRules(randomFrom(8))
    const shown = new Set<string>()
    for (let i = 0; i < 600; i++) {
      const written = leaf()
      if (!isValid(written)) continue
      const [kind] = Object.keys(written)
      shown.add(kindsOf(written))
      // A list that names a number and its text is the only leaf that no row shows.
      if (kindsOf(written) === "json") assert.match(JSON.stringify(written), /"operator":"in"/)
      else assert.strictEqual(kindsOf(written), kind)
    }
    assert.includeMembers(
      [...shown],
      ["attribute", "event", "page", "screen", "metric", "form", "device", "relationship", "segment"],
    )
  })

  it.each<readonly [kinds: string, rule: RuleJson]>([
    ["event", { not: { event: { name: "bought", within: "30d" } }, aged: false }],
    ["event", { event: { name: "bought", count: { eq: 0 }, within: "30d", aged: false } }],
    ["event", { event: { name: "bought", between: ["2026-01-01", "2026-02-01"] } }],
    ["attribute", { attribute: { field: "city", operator: "in", value: ["Bonn, Germany", "Paris"] } }],
    ["attribute", { attribute: { field: "tags", operator: "eq", value: "a", any: true } }],
    ["attribute", { attribute: { field: "seats", operator: "eq", value: 10 } }],
    ["subscription", { subscription: { topic: "news", value: true } }],
    [
      "relationship",
      {
        relationship: {
          type: 1,
          where: [{ field: "role", operator: "eq", value: "admin" }],
          count: { gte: 2 },
          object: { where: [{ field: "seats", operator: "gt", value: 100 }] },
        },
      },
    ],
    ["metric", { metric: { metric: "clicked", source: { campaign_id: 3 }, within: "2w" } }],
    [
      "event segment segment",
      { and: [event("a"), { or: [{ segment: { id: 1 } }, { segment: { id: 2 } }] }] },
    ],
    ["event event event", { and: [event("a"), { not: { or: [event("b"), { not: event("c") }] } }] }],
    ["event event", { not: { and: [event("a"), event("b")] } }],
    ["json", { not: { not: event("a") } }],
    ["json", { event: { name: "a", colour: "red" } }],
  ])("has the rows %s for %j", (kinds, rule) => {
    assert.strictEqual(kindsOf(rule), kinds)
    assert.deepStrictEqual(ruleOfTree(treeOfRule(rule)), rule)
  })

  it("keeps the types of values that are not edited", () => {
    const rule = {
      relationship: { type: 1, object: { where: [{ field: "seats", operator: "eq", value: 5 }] } },
    }
    const tree = treeOfRule(rule)
    const [row = newRow(1)] = rowsIn(tree)
    assert.deepStrictEqual(ruleOfTree(withRow(tree, { ...row, times: "2" })), {
      relationship: { ...rule.relationship, count: { gte: 2 } },
    })
  })
})

/** The rule of an event as JSON, with changes of its row. */
const edited = (...changes: ReadonlyArray<(row: RuleRow) => RuleRow>) =>
  changes.reduce(
    (tree, change) => withRow(tree, change(rowsIn(tree)[0] ?? newRow(1))),
    otherwiseEdited(treeOfRule(event("a"))) ?? treeOfRule(undefined),
  )
const negated = (row: RuleRow): RuleRow => ({ ...row, isNot: true })

describe("a rule with JSON", () => {
  it("keeps what the row and its group negate when it is edited as rows", () => {
    const row = edited(negated)
    assert.deepStrictEqual(ruleOfTree(row), { not: event("a") })
    assert.deepStrictEqual(otherwiseEdited(row), treeOfRule({ not: event("a") }))
    const group = withMatch(edited(), 0, "none")
    assert.deepStrictEqual(ruleOfTree(group), { not: { or: [event("a")] } })
    assert.deepStrictEqual(otherwiseEdited(group), treeOfRule({ not: { or: [event("a")] } }))
  })

  it("is the same rule, as JSON and as rows", () => {
    const { rule } = randomRules(randomFrom(9))
    for (let i = 0; i < 200; i++) {
      const written = rule(4)
      const once = otherwiseEdited(treeOfRule(written)) ?? treeOfRule(undefined)
      const twice = otherwiseEdited(once) ?? treeOfRule(undefined)
      assert.deepStrictEqual([once, twice].map(ruleOfTree), [written, written])
    }
  })

  it("is not edited otherwise while it is not JSON", () => {
    assert.isUndefined(otherwiseEdited(edited((row) => ({ ...row, json: "{" }))))
  })
})

describe("a rule that is left", () => {
  const begun = treeOfRule(undefined)
  const [row = newRow(1)] = rowsIn(begun)

  it("is edited once anything is typed, complete or not", () => {
    assert.isFalse(isEdited(begun, treeOfRule(undefined)))
    assert.isTrue(isEdited(withRow(begun, { ...row, field: "plan" }), begun))
    assert.isTrue(isEdited(withNewRow(begun, begun.key), begun))
    assert.isFalse(isEdited(withRow(withRow(begun, { ...row, field: "plan" }), row), begun))
  })

  it("is not edited while it is the same rule, as rows or as JSON", () => {
    const bought = treeOfRule(event("bought"))
    assert.isFalse(isEdited(otherwiseEdited(bought) ?? begun, bought))
    assert.isTrue(isEdited(treeOfRule({ not: event("bought") }), bought))
    const reordered = { event: { within: "30d", name: "bought" } }
    assert.isFalse(isEdited(treeOfRule(reordered), treeOfRule({ event: { name: "bought", within: "30d" } })))
  })
})

describe("groups of a rule", () => {
  const tree = treeOfRule({ and: [event("a"), event("b")] })
  const [a = newRow(0), b = newRow(0)] = rowsIn(tree)

  it("get rows and groups, each with a key of its own", () => {
    const grown = withNewRow(withNewGroup(tree, tree.key), tree.key)
    assert.lengthOf(rowsIn(grown), 4)
    assert.lengthOf(new Set(rowsIn(grown).map(({ key }) => key)), 4)
    assert.isUndefined(ruleOfTree(grown))
    const [, , c = newRow(0), d = newRow(0)] = rowsIn(grown)
    const filled = withRow(withRow(grown, { ...c, kind: "event", name: "c" }), {
      ...d,
      kind: "event",
      name: "d",
    })
    assert.deepStrictEqual(ruleOfTree(filled), {
      and: [event("a"), event("b"), { or: [event("c")] }, event("d")],
    })
  })

  it("lose rows, and disappear with the last one", () => {
    assert.deepStrictEqual(ruleOfTree(withoutNode(tree, b.key)), event("a"))
    const emptied = withoutNode(withoutNode(tree, a.key), b.key)
    assert.lengthOf(rowsIn(emptied), 1)
    assert.isUndefined(ruleOfTree(emptied))
    const nested = treeOfRule({ and: [event("a"), { or: [event("b")] }] })
    const [, inner = newRow(0)] = rowsIn(nested)
    assert.deepStrictEqual(ruleOfTree(withoutNode(nested, inner.key)), event("a"))
  })

  it("ask for all, any, none or not all of their parts", () => {
    const parts = [event("a"), event("b")]
    assert.deepStrictEqual(ruleOfTree(withMatch(tree, tree.key, "any")), { or: parts })
    assert.deepStrictEqual(ruleOfTree(withMatch(tree, tree.key, "none")), { not: { or: parts } })
    assert.deepStrictEqual(ruleOfTree(withMatch(tree, tree.key, "notAll")), { not: { and: parts } })
  })

  it("hold as many rows and levels as the server takes", () => {
    const many = { and: Array.from({ length: rowsMax }, () => event("a")) }
    assert.isTrue(isValid(many))
    assert.isFalse(isValid({ and: [...many.and, event("a")] }))
    const deep = (levels: number): RuleJson => (levels === 0 ? event("a") : { or: [deep(levels - 1)] })
    assert.isTrue(isValid(deep(levelsMax)))
    assert.isFalse(isValid(deep(levelsMax + 1)))
  })
})
