import { assert, describe, it } from "@effect/vitest"
import { WorkspaceId } from "@inlethq/core/values/Identifier"
import type { Grant } from "@inlethq/core/workspace/ConsoleSession"
import { Result, Schema } from "effect"
import { AccessRules, claimIn, grantsOf } from "../src/access/AccessRules.ts"
import { grantFor, refusalOf, unionOf } from "../src/access/refusalOf.ts"

const ids = (...workspaces: ReadonlyArray<number>) => workspaces.map((id) => WorkspaceId.make(id))

const rules: AccessRules = {
  claim: "groups",
  rules: [
    { value: "admins", scope: "admin" },
    { value: "growth", scope: "write", workspaces: ids(1, 2) },
    { value: "support", scope: "read", workspaces: ids(2, 3) },
    { value: "auditors", scope: "read", workspaces: null },
  ],
}

describe("rules of access", () => {
  it("the rights of a person are the union of the matching rules", () => {
    const cases: ReadonlyArray<readonly [ReadonlyArray<string>, ReadonlyArray<Grant>]> = [
      [[], []],
      [["nobody", "Growth"], []],
      [["growth"], [{ scope: "write", workspaces: ids(1, 2) }]],
      [
        ["support", "growth"],
        [
          { scope: "write", workspaces: ids(1, 2) },
          { scope: "read", workspaces: ids(3) },
        ],
      ],
      [
        ["auditors", "growth", "support"],
        [
          { scope: "write", workspaces: ids(1, 2) },
          { scope: "read", workspaces: null },
        ],
      ],
      [["growth", "admins", "auditors"], [{ scope: "admin", workspaces: null }]],
    ]
    for (const [values, grants] of cases) assert.deepStrictEqual(grantsOf(rules, values), grants)
  })

  it("the value * is everybody", () => {
    const open: AccessRules = { claim: "groups", rules: [{ value: "*", scope: "read", workspaces: ids(1) }] }
    assert.deepStrictEqual(grantsOf(open, []), [{ scope: "read", workspaces: ids(1) }])
  })

  it("a claim is a field of the token or a path in it, with a text or a list of texts", () => {
    const claims = {
      groups: ["a", 1, null, "b"],
      role: "c",
      realm_access: { roles: ["d"] },
      "https://inlet.example/groups": ["e"],
    }
    const found = (claim: string) => claimIn(claims, claim).values.join()
    assert.deepStrictEqual(
      ["groups", "role", "realm_access.roles", "https://inlet.example/groups"].map(found),
      ["a,b", "c", "d", "e"],
    )
    for (const missing of [
      "group",
      "realm_access",
      "realm_access.x.y",
      "constructor",
      "__proto__.toString",
    ]) {
      assert.deepStrictEqual(claimIn(claims, missing), { values: [], problem: null })
    }
  })

  it("an email address counts only if the issuer has verified it", () => {
    const email = "ada@example.com"
    assert.deepStrictEqual(claimIn({ email, email_verified: true }, "email").values, [email])
    for (const email_verified of [false, "true", undefined]) {
      const found = claimIn({ email, email_verified }, "email")
      assert.deepStrictEqual(found, { values: [], problem: "unverified" })
    }
  })

  it("groups that the issuer left out are an overage", () => {
    const overage = { _claim_names: { groups: "src1" }, _claim_sources: { src1: { endpoint: "https://x" } } }
    assert.strictEqual(claimIn(overage, "groups").problem, "overage")
    assert.strictEqual(claimIn(overage, "roles").problem, null)
    assert.strictEqual(claimIn({ ...overage, groups: ["a"] }, "groups").problem, null)
  })

  it("rules that are not as documented are refused", () => {
    const decode = Schema.decodeUnknownResult(AccessRules, { onExcessProperty: "error" })
    const rule = { value: "a", scope: "read" }
    assert.isTrue(Result.isSuccess(decode({ claim: "groups", rules: [rule] })))
    const wrong = [
      {},
      { claim: "groups" },
      { claim: "", rules: [rule] },
      { claim: "groups", rules: [] },
      { claim: "groups", rules: [{ ...rule, scope: "owner" }] },
      { claim: "groups", rules: [{ ...rule, workspaces: [] }] },
      { claim: "groups", rules: [{ ...rule, workspaces: ["1"] }] },
      { claim: "groups", rules: [{ ...rule, workspace: 1 }] },
      { claim: "groups", rules: [rule], others: true },
    ]
    for (const one of wrong) assert.isTrue(Result.isFailure(decode(one)), JSON.stringify(one))
  })
})

const grants = unionOf([
  { scope: "admin", workspaces: ids(1) },
  { scope: "read", workspaces: null },
])

const refused = (scope: Grant["scope"], reach: "workspace" | "own" | "all", w?: string) =>
  refusalOf(grants, { scope, reach }, w)?.reason ?? null

describe("what several grants allow", () => {
  it("a request needs one grant that allows it", () => {
    assert.isNull(refused("admin", "workspace", "1"))
    assert.strictEqual(refused("write", "workspace", "2"), "scope")
    assert.isNull(refused("read", "workspace", "2"))
    assert.isNull(refused("read", "all"))
    assert.strictEqual(refused("admin", "all"), "all_workspaces")
    assert.isNull(refused("admin", "own"))
    assert.strictEqual(
      refusalOf([{ scope: "read", workspaces: ids(1) }], { scope: "read", reach: "workspace" }, "2")?.reason,
      "workspace",
    )
    assert.strictEqual(refusalOf([], { scope: "read", reach: "own" }, undefined)?.reason, "workspace")
  })

  it("an admin of some workspaces is no admin of those that another grant lets them read", () => {
    assert.deepStrictEqual(grantFor(grants, { scope: "admin", reach: "own" }, undefined), {
      scope: "admin",
      workspaces: ids(1),
    })
    assert.deepStrictEqual(grantFor(grants, { scope: "read", reach: "workspace" }, "2"), {
      scope: "read",
      workspaces: null,
    })
  })
})
