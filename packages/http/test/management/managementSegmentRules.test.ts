import { assert, layer } from "@effect/vitest"
import { ProofDocument } from "@inlethq/contract/segments/RuleProof"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import { nextBuildStep } from "@inlethq/engine/rules/nextBuildStep"
import {
  byId,
  event,
  identify,
  identifyObject,
  objectOf,
  remove,
} from "@inlethq/store-conformance/script/commands"
import { hour } from "@inlethq/store-conformance/script/script"
import type { RuleJson } from "@inlethq/core/rule/ruleLanguage"
import type { Json } from "@inlethq/core/values/Json"
import { toIso } from "@inlethq/core/values/Timestamp"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { fromManyPlaces } from "../../src/management/segments/triedPeople.ts"
import { apply, assertProblem, call, client, newWorkspace, server, svcIdOf } from "./managementServer.ts"

/** The time of the tests. It is not long after 1970, because the clock passes everything that is scheduled up to it. */
const present = 400 * hour

const ada = byId("ada")
const bought = (more: object = {}): RuleJson => ({ event: { name: "bought", ...more } })
const planIs = (value: string): RuleJson => ({ attribute: { field: "plan", operator: "eq", value } })
const buyers = { and: [planIs("pro"), bought({ count: { gte: 2 }, within: "30d" })] }

const create = Effect.fnUntraced(function* ({ id }: Workspace, name: string, rule: RuleJson) {
  return yield* (yield* client).segments.create({ params: { w: id }, payload: { name, rule } })
})

/** Builds the rules of a workspace, as the server does beside the requests. */
const built = Effect.fnUntraced(function* (workspace: Workspace) {
  for (;;) {
    const commands = yield* nextBuildStep(workspace, present)
    if (commands.length === 0) return
    yield* apply(...commands)
  }
})

const at = (hours: number) => ({ receivedAt: present + hours * hour })

const dayOf = (hoursAgo: number) => toIso(present - hoursAgo * hour).slice(0, 10)

/** Returns the lines of a proof, each with its path, its truth and its text. */
const linesOf = ({ nodes, path, text, truth }: ProofDocument): ReadonlyArray<string> => [
  `${path} ${truth} ${text}`,
  ...nodes.flatMap(linesOf),
]

layer(server)("segments by rule in the management API", (it) => {
  it.effect("contract §12 segments by rule: a segment is created with a rule that decides who is in it", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(present - 200 * hour)
      const workspace = yield* newWorkspace
      const api = yield* client
      const segment = yield* create(workspace, "Buyers", buyers)
      yield* built(workspace)
      assert.deepInclude(segment, { kind: "rule", version: 1, rule: buyers, size: 0 })
      yield* TestClock.setTime(present)
      const params = { w: workspace.id, segment_id: segment.segment_id }
      yield* apply(identify(ada, [["plan", "pro"]], { in: workspace, ...at(0) }))
      yield* apply(...[1, 2].map((n) => event(ada, "bought", { in: workspace, ...at(n) })))
      assert.strictEqual((yield* api.segments.get({ params })).size, 1)
      const { items } = yield* api.activity.list({
        params: { w: workspace.id },
        query: { filter: `entered:${segment.segment_id}` },
      })
      assert.deepStrictEqual(
        items.map(({ effects, name }) => [name, effects.map(({ change, version }) => [change, version])]),
        [["bought", [["entered", 1]]]],
      )
    }),
  )

  it.effect("a rule that is not valid is a 400 that names the path of the fault and the right word", () =>
    Effect.gen(function* () {
      const { id } = yield* newWorkspace
      const wrong: ReadonlyArray<readonly [rule: Json, detail: RegExp]> = [
        [{ and: [bought(), bought({ within: "30" })] }, /rule\/and\/1\/event\/within: .*such as 30d/],
        [{ attribute: { field: "plan", operator: "equals", value: 1 } }, /attribute\/operator: .*mean `eq`/],
        [{ not: { segment: { id: 99 } } }, /rule\/not\/segment\/id: .*segment 99 does not exist/],
        ["pro", /rule: .*must be an object/],
      ]
      for (const [rule, detail] of wrong) {
        const bodies = [
          ["", { name: "n", rule }],
          ["/preview", { rule }],
          ["/backtest", { rule, days: 3 }],
        ] as const
        for (const [path, body] of bodies) {
          const answer = yield* call("POST", `/workspaces/${id}/segments${path}`, { body })
          assertProblem(answer, 400, "Bad Request", detail)
        }
      }
    }),
  )

  it.effect(
    "an explanation shows each part of the rule, the operations that decided it, and when time changes it",
    () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(present - 200 * hour)
        const workspace = yield* newWorkspace
        const api = yield* client
        const { segment_id } = yield* create(workspace, "Buyers", buyers)
        const recently = (hoursAgo: number) => ({ in: workspace, receivedAt: present - hoursAgo * hour })
        const [identified] = yield* apply(identify(ada, [["plan", "pro"]], recently(9)))
        const bytes = yield* apply(event(ada, "bought", recently(8)), event(ada, "bought", recently(7)))
        yield* TestClock.setTime(present)
        const params = { w: workspace.id, segment_id }
        for (const person of ["ada", svcIdOf(identified), `svc_${svcIdOf(identified)}`]) {
          const found = yield* api.segmentRules.explain({ params, query: { person } })
          assert.isTrue(found.member)
          assert.strictEqual(found.svc_id, svcIdOf(identified))
          assert.deepStrictEqual(linesOf(found.tree), [
            " true all of these",
            '/and/0 true plan is "pro"',
            '/and/1 true event "bought" at least 2 times in the last 30d',
          ])
          const [plan, events] = found.tree.nodes
          const { items } = yield* api.activity.list({
            params: { w: workspace.id },
            query: { kind: "event" },
          })
          assert.deepInclude(plan?.evidence, { type: "values", path: "plan", values: ["pro"] })
          assert.strictEqual(bytes.length, 2)
          assert.deepInclude(events?.evidence, {
            type: "counted",
            times: 2,
            needed: { operator: "gte", n: 2 },
            operations: items.map(({ at, operation_id }) => ({ at, operation_id })),
          })
          const flipsAt = toIso(present - 8 * hour + 30 * 24 * hour)
          assert.deepInclude(found.tree, { flips_at: flipsAt, flips_to: false })
          assert.deepStrictEqual(
            found.history.map(({ change, operation_id }) => [change, operation_id]),
            [["entered", items[0]?.operation_id]],
          )
        }
      }),
  )

  it.effect("an explanation names the operation on the person, not a later one on an object of theirs", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(present)
      const workspace = yield* newWorkspace
      const api = yield* client
      const given = { in: workspace, ...at(0) }
      const rule = { attribute: { field: "seats", operator: "gte", value: 10 } } as const
      const { segment_id } = yield* create(workspace, "Seats", rule)
      const company = objectOf("1", "acme")
      yield* apply(identify(ada, [["seats", 12]], given))
      const { items } = yield* api.activity.list({ params: { w: workspace.id }, query: {} })
      yield* apply(identifyObject(company, [["seats", 200]], [[ada]], given))
      const { state, tree } = yield* api.segmentRules.explain({
        params: { w: workspace.id, segment_id },
        query: { person: "ada" },
      })
      assert.strictEqual(state, "active")
      assert.deepInclude(tree.evidence, { values: [12], operation_id: items[0]?.operation_id ?? null })
    }),
  )

  it.effect("an explanation of nobody, or of a segment without a rule, says what is wrong", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(present - 200 * hour)
      const workspace = yield* newWorkspace
      const path = `/workspaces/${workspace.id}/segments`
      const { segment_id } = yield* create(workspace, "Buyers", buyers)
      assertProblem(yield* call("GET", `${path}/${segment_id}/explain?person=x`), 404, "Not Found", /person/)
      assertProblem(yield* call("GET", `${path}/999999/explain?person=x`), 404, "Not Found", /segment/)
      assertProblem(yield* call("GET", `${path}/${segment_id}/explain`), 400, "Bad Request", /person/)
      const manual = yield* (yield* client).segments.create({
        params: { w: workspace.id },
        payload: { name: "by hand" },
      })
      const answer = yield* call("GET", `${path}/${manual.segment_id}/explain?person=x`)
      assertProblem(answer, 400, "Bad Request", /by hand/)
    }),
  )

  it.effect(
    "contract §12 tried rules: a preview counts the people for whom a rule holds now, and says how many it checked",
    () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(present - 200 * hour)
        const workspace = yield* newWorkspace
        const api = yield* client
        const recently = (hoursAgo: number) => ({ in: workspace, receivedAt: present - hoursAgo * hour })
        for (const n of [1, 2, 3]) {
          yield* apply(identify(byId(`p${n}`), [["plan", n === 1 ? "free" : "pro"]], recently(30)))
        }
        yield* apply(event(byId("p3"), "bought", recently(20)), event(byId("p2"), "bought", recently(2)))
        yield* TestClock.setTime(present)
        const params = { w: workspace.id }
        const previews: ReadonlyArray<readonly [rule: RuleJson, ids: ReadonlyArray<string>]> = [
          [planIs("pro"), ["p3", "p2"]],
          [bought({ within: "12h" }), ["p2"]],
          [{ and: [planIs("pro"), { not: bought({ within: "12h" }) }] }, ["p3"]],
        ]
        for (const [rule, ids] of previews) {
          const preview = yield* api.segmentRules.preview({ params, payload: { rule } })
          assert.deepInclude(preview, { matches: ids.length, checked: 3, complete: true })
          assert.deepStrictEqual(
            preview.examples.map(({ id }) => id),
            [...ids],
          )
        }
        const { items } = yield* api.segments.list({ params, query: {} })
        assert.deepStrictEqual(items, [])
      }),
  )

  it.effect(
    "a preview that need not read the log checks everybody, and a sample has people of all times",
    () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(present)
        const workspace = yield* newWorkspace
        const people = Array.from({ length: 250 }, (_, n) =>
          identify(byId(`p${n}`), [["plan", "pro"]], { in: workspace, receivedAt: present - hour }),
        )
        yield* apply(...people)
        const preview = yield* (yield* client).segmentRules.preview({
          params: { w: workspace.id },
          payload: { rule: planIs("pro") },
        })
        assert.deepInclude(preview, { matches: 250, checked: 250, complete: true })
        const reader = { catalog: yield* Catalog, workspace: workspace.id }
        const sample = yield* fromManyPlaces(reader, 250, { places: 5, peoplePerPlace: 10 })
        const places = new Set<number>()
        for (let read = yield* sample.next(100); read !== null; read = yield* sample.next(100)) {
          assert.strictEqual(new Set(read.map(({ key }) => key)).size, 10)
          for (const { key } of read) places.add(Math.floor((key - 1) / 50))
        }
        assert.strictEqual(places.size, 5)
        assert.isFalse(sample.isWhole)
      }),
  )

  it.effect("a backtest says who would have entered and left by day, and writes nothing", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(present - 200 * hour)
      const workspace = yield* newWorkspace
      const api = yield* client
      const recently = (hoursAgo: number) => ({ in: workspace, receivedAt: present - hoursAgo * hour })
      yield* apply(identify(byId("p1"), [["plan", "free"]], recently(100)))
      yield* apply(identify(byId("p2"), [["plan", "pro"]], recently(99)))
      yield* apply(event(byId("p2"), "bought", recently(60)))
      yield* apply(identify(byId("p1"), [["plan", "pro"]], recently(10)))
      yield* TestClock.setTime(present)
      const params = { w: workspace.id }
      const before = yield* api.activity.list({ params, query: {} })
      const test = (rule: RuleJson) => api.segmentRules.backtest({ params, payload: { rule, days: 3 } })
      const events = yield* test(bought({ within: "24h" }))
      assert.deepInclude(events, { entered: 1, left: 1, members: 0, checked: 2, complete: true })
      assert.deepStrictEqual(
        events.days.filter(({ entered }) => entered > 0).map(({ day }) => day),
        [dayOf(60)],
      )
      assert.deepStrictEqual(
        events.days.filter(({ left }) => left > 0).map(({ day }) => day),
        [dayOf(36)],
      )
      const plans = yield* test(planIs("pro"))
      assert.deepInclude(plans, { entered: 1, left: 0, members: 2 })
      assert.deepStrictEqual(
        plans.examples.map(({ change, id }) => [id, change]),
        [["p1", "entered"]],
      )
      const devices = yield* test({
        device: { where: [{ field: "platform", operator: "eq", value: "ios" }] },
      })
      assert.deepStrictEqual(devices.judged_by_present, ['has a device where platform is "ios"'])
      assert.deepStrictEqual(yield* api.activity.list({ params, query: {} }), before)
    }),
  )

  it.effect("the segments of a person say since when and by which operation", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(present - 200 * hour)
      const workspace = yield* newWorkspace
      const api = yield* client
      const { segment_id } = yield* create(workspace, "Pro", planIs("pro"))
      yield* built(workspace)
      const [entry] = yield* apply(identify(ada, [["plan", "pro"]], { in: workspace, ...at(1) }))
      const params = { w: workspace.id, svc_id: svcIdOf(entry) }
      const { items } = yield* api.segmentRules.ofPerson({ params })
      const [operation] = (yield* api.activity.list({ params: { w: workspace.id }, query: {} })).items
      assert.deepStrictEqual(items, [
        {
          segment_id,
          name: "Pro",
          kind: "rule",
          since: toIso(present + hour),
          operation_id: operation?.operation_id ?? null,
        },
      ])
      yield* apply(remove(ada, { in: workspace, ...at(2) }))
      assertProblem(
        yield* call("GET", `/workspaces/${workspace.id}/people/${params.svc_id}/segments`),
        404,
        "Not Found",
        /person/,
      )
    }),
  )

  it.effect(
    "the segments of a person whom a build found name its entry, and an announced one is in the history",
    () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(present)
        const workspace = yield* newWorkspace
        const api = yield* client
        const [entry] = yield* apply(identify(ada, [["plan", "pro"]], { in: workspace, ...at(-9) }))
        const silent = yield* create(workspace, "Silent", planIs("pro"))
        const payload = { name: "Announced", rule: planIs("pro"), announce: true }
        const announced = yield* api.segments.create({ params: { w: workspace.id }, payload })
        yield* built(workspace)
        const params = { w: workspace.id, svc_id: svcIdOf(entry) }
        const { items } = yield* api.segmentRules.ofPerson({ params })
        const found = yield* Effect.forEach(items, ({ operation_id, since }) =>
          Effect.map(
            api.activity.operation({ params: { w: workspace.id, operation_id: operation_id ?? "" } }),
            ({ data, effects, received_at }) => ({
              data,
              effects: effects.length,
              same: received_at === since,
            }),
          ),
        )
        // The second rule is built with the first.
        const segments = [silent, announced].map(({ segment_id }) => ({
          segment_id,
          version: 1,
          entered: 1,
          left: 0,
        }))
        assert.deepStrictEqual(found, [
          { data: { segments }, effects: 0, same: true },
          { data: null, effects: 1, same: true },
        ])
        const histories = yield* Effect.forEach([silent, announced], ({ segment_id }) =>
          api.segmentRules.explain({ params: { w: workspace.id, segment_id }, query: { person: "ada" } }),
        )
        assert.deepStrictEqual(
          histories.map(({ history }) => history.map(({ operation_id }) => operation_id)),
          [[], [items[1]?.operation_id]],
        )
      }),
  )

  it.effect("contract §12 new rules: a segment gets a new rule, which is built beside the one in force", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(present)
      const workspace = yield* newWorkspace
      const api = yield* client
      yield* apply(identify(ada, [["plan", "pro"]], { in: workspace }))
      const { segment_id } = yield* create(workspace, "Pro", planIs("pro"))
      const params = { w: workspace.id, segment_id }
      yield* built(workspace)
      assert.deepInclude(yield* api.segments.get({ params }), { state: "active", size: 1, next: null })
      const proposed = yield* api.segments.update({
        params,
        payload: { name: "Free", rule: planIs("free") },
      })
      assert.deepInclude(proposed, { name: "Free", state: "active", version: 1, size: 1 })
      assert.deepInclude(proposed.next, { version: 2, rule: planIs("free") })
      yield* built(workspace)
      assert.deepInclude(yield* api.segments.get({ params }), { version: 2, size: 0, next: null })
      const path = `/workspaces/${workspace.id}/segments/${segment_id}`
      const wrong = yield* call("PATCH", path, { body: { rule: { plan: 1 } } })
      assertProblem(wrong, 400, "Bad Request", /rule\/plan: .*unknown key/)
      assertProblem(yield* call("PATCH", `${path}999`, { body: {} }), 404, "Not Found", /segment/)
    }),
  )

  it.effect(
    "contract §12 paused segments: nobody enters while paused, and resuming builds the rule again",
    () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(present)
        const workspace = yield* newWorkspace
        const api = yield* client
        yield* apply(identify(ada, [["plan", "pro"]], { in: workspace }))
        const { segment_id } = yield* create(workspace, "Free", planIs("free"))
        const params = { w: workspace.id, segment_id }
        yield* built(workspace)
        assert.strictEqual(
          (yield* api.segments.update({ params, payload: { paused: true } })).state,
          "paused",
        )
        yield* apply(identify(ada, [["plan", "free"]], { in: workspace }))
        assert.strictEqual((yield* api.segments.get({ params })).size, 0)
        yield* api.segments.update({ params, payload: { paused: false } })
        yield* built(workspace)
        assert.deepInclude(yield* api.segments.get({ params }), { state: "active", size: 1 })
      }),
  )
})
