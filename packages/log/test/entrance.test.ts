import { describe, it } from "@effect/vitest"
import { Sequence } from "@inlethq/core/values/Identifier"
import { expect } from "vitest"
import { entranceOf, type Crossing, type KnownPast } from "../src/history/entrance.ts"

const crossing = (change: Crossing["change"], position: number): Crossing => ({
  at: position * 10,
  position: Sequence.make(position),
  batchIndex: null,
  change,
})

/** A silent build at position 50, and one before it at 30. */
const silentBuild = { at: 500, position: Sequence.make(50), after: 30 }

const positionOf = (known: Partial<KnownPast>) =>
  entranceOf({ person: { createdAt: 0 }, silentBuild, last: undefined, toldFrom: 1, ...known })?.position

describe("how a person entered a segment", () => {
  it("is told by the last entry that says so, unless two silent builds came later", () => {
    expect(positionOf({ last: crossing("entered", 60) })).toBe(60)
    expect(positionOf({ last: crossing("entered", 40) })).toBe(40)
    expect(positionOf({ last: crossing("entered", 20) })).toBe(50)
    expect(positionOf({ last: crossing("entered", 20), silentBuild: null })).toBe(20)
  })

  it("is a silent build if no entry says that the person entered", () => {
    expect(positionOf({})).toBe(50)
    expect(positionOf({ last: crossing("left", 40) })).toBe(50)
    expect(positionOf({ silentBuild: null })).toBeUndefined()
    expect(positionOf({ last: crossing("left", 40), silentBuild: null })).toBeUndefined()
  })

  it("is not known if an entry since the silent build may be gone, or the person came later", () => {
    expect(positionOf({ toldFrom: 50 })).toBe(50)
    expect(positionOf({ toldFrom: 51 })).toBeUndefined()
    expect(positionOf({ person: { createdAt: 501 } })).toBeUndefined()
  })
})
