import { assert, describe, it } from "@effect/vitest"
import { clauseNames } from "@inlethq/core/log/ClauseName"
import { findClause } from "../src/clauses/findClause.ts"
import { clauses } from "../src/clauses/generated.ts"

describe("findClause", () => {
  it("`findClause` finds every clause that can be cited in an activity entry", () => {
    assert.deepStrictEqual(
      clauseNames.filter((name) => findClause(name) === undefined),
      [],
    )
  })

  it("`findClause` returns a unique name and URL for each clause", () => {
    assert.strictEqual(new Set(clauses.map(({ rule }) => rule)).size, clauses.length)
    assert.strictEqual(new Set(clauses.map(({ url }) => url)).size, clauses.length)
  })

  it("`findClause` returns a title and a text for each clause", () => {
    assert.deepStrictEqual(
      clauses
        .filter(({ text, title }) => text === "" || title === "" || text.includes("<a "))
        .map(({ rule }) => rule),
      [],
    )
  })

  it("`findClause` finds a clause only if it is given the full name of the clause", () => {
    assert.strictEqual(findClause("contract §6 merge")?.title, "People: when a merge happens")
    assert.strictEqual(findClause("merge"), undefined)
    assert.strictEqual(findClause("toString"), undefined)
  })
})
