import { describe, it } from "@effect/vitest"
import { SubjectKey, WorkspaceId } from "@inlet/core/values/Identifier"
import { expect } from "vitest"
import { compile, type Definition } from "../src/rule/RuleIndex.ts"
import { decoded, planIs } from "./ruleExamples.ts"

const definition = (segment: number, rule: Parameters<typeof decoded>[0]): Definition => ({
  segment: {
    _tag: "Segment",
    key: SubjectKey.make(segment),
    workspace: WorkspaceId.make(1),
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
})
