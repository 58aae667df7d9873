import type { NewAlert } from "@inlethq/core/alert/Alert"
import { Alerts, alertsPerWorkspaceMax } from "@inlethq/core/ports/Alerts"
import { Registry } from "@inlethq/core/ports/Registry"
import { Sequence, WorkspaceId } from "@inlethq/core/values/Identifier"
import { Effect } from "effect"
import { noon, workspaceOf } from "../script/commands.ts"
import { expectSame, type Law } from "../script/Law.ts"

const lag: NewAlert = {
  workspace: WorkspaceId.make(1),
  alertId: "lag-1",
  condition: "lag",
  subject: "webhook:\u0000 \ud800",
  summary: "The webhook is behind.",
  operationId: null,
  beganAt: noon,
}
const silent: NewAlert = {
  ...lag,
  alertId: "silent-1",
  condition: "silent",
  subject: "event:Order",
  operationId: "op1100",
}

const { id: _, ...settings } = workspaceOf(1)

/** The properties that every store of alerts must have. */
export const alertLaws: ReadonlyArray<Law<Alerts | Registry>> = [
  {
    name: "an alert begins once and ends once, and its marks follow the log and each other",
    check: Effect.gen(function* () {
      const alerts = yield* Alerts
      const w = lag.workspace
      const newest = Sequence.make(7)
      yield* expectSame("none", yield* alerts.list(w), [])
      const begun = [yield* alerts.begin(lag, newest), yield* alerts.begin(lag, newest)]
      yield* expectSame("begun once", begun, [true, false])
      yield* expectSame("another", yield* alerts.begin(silent, newest), true)
      const lasting = { endedAt: null, endedMark: null }
      const [eight, nine, ten] = [Sequence.make(8), Sequence.make(9), Sequence.make(10)]
      yield* expectSame("both", yield* alerts.list(w), [
        { ...silent, ...lasting, beganMark: nine },
        { ...lag, ...lasting, beganMark: eight },
      ])
      yield* expectSame("of another workspace", yield* alerts.list(WorkspaceId.make(2)), [])
      const ended = [yield* alerts.end(lag, noon + 1, null), yield* alerts.end(lag, noon + 2, null)]
      yield* expectSame("ended once", ended, [true, false])
      const past = { ...lag, endedAt: noon + 1, beganMark: eight, endedMark: ten }
      yield* expectSame("after the end", (yield* alerts.list(w))[1], past)
      const again = { ...lag, beganAt: noon + 3 }
      yield* expectSame("again", yield* alerts.begin(again, Sequence.make(40)), true)
      const [first] = yield* alerts.list(w)
      yield* expectSame("the last time", first, { ...again, ...lasting, beganMark: Sequence.make(41) })
    }),
  },
  {
    name: "a workspace has at most the limit of alerts, and a deleted one has none",
    check: Effect.gen(function* () {
      const alerts = yield* Alerts
      const registry = yield* Registry
      const { id: workspace } = yield* registry.createWorkspace(settings)
      yield* registry.createWorkspace(settings)
      const of = (n: number): NewAlert => ({ ...lag, workspace, alertId: `a${n}` })
      const all = Array.from({ length: alertsPerWorkspaceMax }, (_, n) => of(n))
      yield* Effect.forEach(all, (one) => alerts.begin(one, null), { discard: true })
      yield* expectSame("one more", yield* alerts.begin(of(-1), null), false)
      yield* alerts.end(of(3), noon, null)
      yield* expectSame("in place of an ended one", yield* alerts.begin(of(-1), null), true)
      const ids = (yield* alerts.list(workspace)).map(({ alertId }) => alertId)
      yield* expectSame("as many", ids.length, alertsPerWorkspaceMax)
      yield* expectSame("without it", ids.includes("a3"), false)
      yield* registry.deleteWorkspace(workspace, noon)
      yield* expectSame("after the deletion", yield* alerts.begin({ ...lag, workspace }, null), false)
    }),
  },
]
