import { describe, it } from "@effect/vitest"
import { SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import { expect } from "vitest"
import { NeedsCollector } from "../src/fold/Needs.ts"
import type { Concerns } from "../src/rule/Concerns.ts"
import { compile, withLeafStates, type Definition, type RuleIndex } from "../src/rule/RuleIndex.ts"
import { emptyPerson } from "../src/state/Person.ts"
import type { Subject } from "../src/state/Subject.ts"
import { decoded, planIs } from "./ruleExamples.ts"

const workspace = WorkspaceId.make(1)

const definition = (segment: number, rule: Parameters<typeof decoded>[0]): Definition => ({
  segment: {
    _tag: "Segment",
    key: SubjectKey.make(segment),
    workspace,
    name: "by rule",
    description: null,
    rule: null,
    next: null,
    paused: false,
    silentBuild: null,
    createdAt: 0,
  },
  current: {
    rule: decoded(rule),
    stored: {
      version: 1,
      source: rule,
      leaves: [SubjectKey.make(segment + 100)],
      countedFrom: [null],
      members: SubjectKey.make(segment + 200),
    },
  },
  next: null,
})

/** Returns what an identify call assigns that names attributes. */
const named = (...names: ReadonlyArray<string>) => [names.map((name) => ({ name, value: "x" }))]

const eventsOf = (name: string, ...eventTargets: Concerns["eventTargets"]): Partial<Concerns> => ({
  events: new Set([`event ${name}`]),
  eventTargets,
})

/** The event and an identify call that gives nobody an identifier. */
const beside = (...event: Parameters<typeof eventsOf>): Partial<Concerns> => ({
  ...eventsOf(...event),
  identifies: named("name"),
})

describe("the index of rules", () => {
  it("evaluates segments in the same order, in whatever order a store reads them", () => {
    const definitions = [
      definition(13, planIs("pro")),
      definition(14, { segment: { id: 16 } }),
      definition(16, planIs("free")),
    ]
    for (const read of [definitions, definitions.toReversed()]) {
      expect(compile(read).segments.map(({ key }) => key)).toEqual([13, 16, 14])
    }
  })

  const visitor: Subject = {
    _tag: "Visitor",
    key: SubjectKey.make(1),
    workspace,
    knownAs: { kind: "id", value: "ada" },
    attributes: new Map(),
    devices: new Map(),
    relationships: new Map(),
    createdAt: 0,
    updatedAt: 0,
  }

  const [ada, bob, merged] = [SubjectKey.make(1), SubjectKey.make(2), SubjectKey.make(3)]
  const people: ReadonlyArray<Subject> = [
    emptyPerson(ada, workspace, 0),
    emptyPerson(bob, workspace, 0),
    { _tag: "Attached", key: merged, workspace, owner: ada, at: 0, since: 0, merged: true },
  ]
  const identifiers = new Map([
    ["id:ada", ada],
    ["id:bob", bob],
    ["id:merged", merged],
  ])

  const readOf = (rules: RuleIndex, concerns: Partial<Concerns>, subjects: ReadonlyArray<Subject>) => {
    const all = { ...new NeedsCollector(workspace).concerns, ...concerns }
    const loaded = new Map(subjects.map((subject) => [subject.key, subject]))
    return [...withLeafStates(rules, all, { identifiers, subjects: loaded })].map(({ key }) => key)
  }

  it.for([
    ["an event that no rule counts", eventsOf("seen", "id:ada"), people, []],
    ["an event that a rule counts", eventsOf("bought", "id:ada"), people, [1, 2, 3]],
    ["an event beside an identify", beside("bought", "id:ada"), people, [1]],
    ["an event beside an identify, by key", beside("bought", bob), people, [2]],
    ["an event beside an identify, of somebody who was merged", beside("bought", "id:merged"), people, [1]],
    ["an event beside an identify, of somebody unknown", beside("bought", "id:new"), people, []],
    [
      "an event beside an identify with an identifier",
      { ...beside("bought", "id:new"), renames: true },
      people,
      [1, 2, 3],
    ],
    ["attributes that no rule is about", { identifies: named("name", "city") }, people, []],
    ["an attribute that a rule is about", { identifies: named("name", "plan") }, people, [1, 2, 3]],
    ["a visitor", { identifies: named("name") }, [visitor], [1]],
    ["anything else", { others: true }, people, [1, 2, 3]],
  ] as const)("what is stored about leaves is read of: %s", ([, concerns, subjects, read]) => {
    const rules = compile([
      definition(13, planIs("pro")),
      definition(14, { event: { name: "bought", within: "30d" } }),
    ])
    expect(readOf(rules, concerns, subjects)).toEqual(read)
  })

  it("what is stored about leaves is read for every identify if a rule is about identifiers", () => {
    const rules = compile([definition(13, { identity: { has: "email" } })])
    expect(readOf(rules, { identifies: named("name") }, people)).toEqual([1, 2, 3])
  })
})
