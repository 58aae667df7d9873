import { assert, layer } from "@effect/vitest"
import { nextBuildStep } from "@inlethq/engine/rules/nextBuildStep"
import { toIso } from "@inlethq/core/values/Timestamp"
import { byId, identify } from "@inlethq/store-conformance/script/commands"
import { hour } from "@inlethq/store-conformance/script/script"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { apply, assertProblem, call, client, newWorkspace, server } from "./managementServer.ts"

/** The time of the tests. It is not long after 1970, because the clock passes everything that is scheduled up to it. */
const present = 400 * hour

const dayOf = (hoursAgo: number) => toIso(present - hoursAgo * hour).slice(0, 10)

const rule = { attribute: { field: "plan", operator: "eq", value: "pro" } } as const

layer(server)("sizes of segments in the management API", (it) => {
  it.effect("contract §12 sizes by day: the sizes that a segment had by day, and which are not known", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(present - 72 * hour)
      const workspace = yield* newWorkspace
      const api = yield* client
      const earlier = present - 72 * hour
      yield* apply(identify(byId("ada"), [["plan", "pro"]], { in: workspace, receivedAt: earlier }))
      const payload = { name: "Pro", rule }
      const { segment_id } = yield* api.segments.create({ params: { w: workspace.id }, payload })
      const params = { w: workspace.id, segment_id }
      const sizes = (days?: number) =>
        api.segments.sizes({ params, query: days === undefined ? {} : { days } })
      const unbuilt = { segment_id, days: [{ day: dayOf(72), size: null }] }
      assert.deepStrictEqual(yield* sizes(1), unbuilt)

      const receivedAt = present - 24 * hour
      for (;;) {
        const commands = yield* nextBuildStep(workspace, receivedAt)
        if (commands.length === 0) break
        yield* apply(...commands)
      }
      yield* TestClock.setTime(present)
      assert.deepStrictEqual(yield* sizes(4), {
        segment_id,
        days: [
          { day: dayOf(72), size: null },
          { day: dayOf(48), size: null },
          { day: dayOf(24), size: 1 },
          { day: dayOf(0), size: 1 },
        ],
      })
      assert.strictEqual((yield* sizes()).days.length, 30)
      const path = `/workspaces/${workspace.id}/segments/${segment_id}/sizes`
      assertProblem(yield* call("GET", `${path}?days=367`), 400, "Bad Request", /days/)
      const missing = `/workspaces/${workspace.id}/segments/999999/sizes`
      assertProblem(yield* call("GET", missing), 404, "Not Found", /segment not found/)
    }),
  )
})
