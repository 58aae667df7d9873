import { assert, layer } from "@effect/vitest"
import { operationIdText } from "@inlethq/core/values/Identifier"
import { decisionTexts, dropTexts } from "@inlethq/core/log/operationTexts"
import { byId, bySvcId, event, identify, noon } from "@inlethq/store-conformance/script/commands"
import { Effect } from "effect"
import { apply, assertProblem, call, client, newWorkspace, server } from "./managementServer.ts"

layer(server)("explanations of operations", (it) => {
  it.effect(
    "the explanation of an operation names later operations that set the same fields, and earlier operations that stored newer values",
    () =>
      Effect.gen(function* () {
        const workspace = yield* newWorkspace
        const api = yield* client
        const explain = (operation_id: string) =>
          api.activity.explanation({ params: { w: workspace.id, operation_id } })
        const update = (plan: string, at: number) =>
          identify(byId("ada"), [["plan", plan]], { in: workspace, at })
        const [free, pro, late] = yield* apply(
          update("free", noon - 9000),
          update("pro", noon),
          update("gone", noon - 5000),
        )
        if (free === undefined || pro === undefined || late === undefined)
          return assert.fail("nothing was recorded")
        const proId = operationIdText(pro.workspace, pro.sequence, null)
        const replaced = yield* explain(operationIdText(free.workspace, free.sequence, null))
        assert.deepStrictEqual(replaced.overridden_by, [{ path: "attributes.plan", operation_id: proId }])
        assert.include(replaced.summary, "Later operations set attributes.plan again.")
        const stale = yield* explain(operationIdText(late.workspace, late.sequence, null))
        assert.strictEqual(stale.overridden_by.length, 1)
        assert.strictEqual(stale.overridden_by[0]?.operation_id, proId)
        assert.strictEqual(stale.advice, decisionTexts.stale.remedy)
        assert.deepStrictEqual((yield* explain(proId)).overridden_by, [])
      }),
  )

  it.effect(
    "the explanation of a dropped event contains the text of the applied rule, and the remedy for the reason of the drop",
    () =>
      Effect.gen(function* () {
        const workspace = yield* newWorkspace
        const [dropped] = yield* apply(event(bySvcId(999), "a", { in: workspace }))
        if (dropped === undefined) return assert.fail("nothing was recorded")
        const id = operationIdText(dropped.workspace, dropped.sequence, null)
        const api = yield* client
        const { advice, rule, summary } = yield* api.activity.explanation({
          params: { w: workspace.id, operation_id: id },
        })
        assert.strictEqual(
          summary,
          'The event "a" was dropped: unknown svc_id (no person has it). Nothing was changed.',
        )
        assert.strictEqual(rule?.rule, dropped.rule)
        assert.isAbove(rule?.text.length ?? 0, 20)
        assert.strictEqual(advice, dropTexts.unknownSvcId.remedy)
      }),
  )

  it.effect("a request to explain an unknown operation gets a 404", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      for (const id of ["op9999999999", "nonsense"]) {
        const answer = yield* call("GET", `/workspaces/${workspace.id}/operations/${id}/explanation`)
        assertProblem(answer, 404, "Not Found", "operation not found in this workspace")
      }
    }),
  )
})
