import { describe, it } from "@effect/vitest"
import { SubjectKey, WorkspaceId } from "@inlet/core/values/Identifier"
import { expect } from "vitest"
import { NeedsCollector } from "../src/Needs.ts"
import { compile, needsLeafStates, type Definition } from "../src/rule/RuleIndex.ts"
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

  it.for([
    ["an event that no rule counts", { events: new Set(["event seen"]) }, [], false],
    ["an event that a rule counts", { events: new Set(["event bought"]) }, [], true],
    ["attributes that no rule is about", { identifies: named("name", "city") }, [], false],
    ["an attribute that a rule is about", { identifies: named("name", "plan") }, [], true],
    ["a visitor", { identifies: named("name") }, [visitor], true],
    ["anything else", { others: true }, [], true],
  ] as const)("what is stored about leaves is read or not: %s", ([, concerns, subjects, isRead]) => {
    const rules = compile([
      definition(13, planIs("pro")),
      definition(14, { event: { name: "bought", within: "30d" } }),
    ])
    const all = { ...new NeedsCollector(workspace).concerns, ...concerns }
    expect(needsLeafStates(rules, all, subjects)).toBe(isRead)
  })

  it("what is stored about leaves is read for every identify if a rule is about identifiers", () => {
    const rules = compile([definition(13, { identity: { has: "email" } })])
    const concerns = { ...new NeedsCollector(workspace).concerns, identifies: named("name") }
    expect(needsLeafStates(rules, concerns, [])).toBe(true)
  })
})
