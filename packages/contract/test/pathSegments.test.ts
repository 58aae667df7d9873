import { describe, expect, it } from "vitest"
import { idInSegment, segmentOfId } from "../src/values/pathSegments.ts"

describe("the path segment of an id", () => {
  it.each(["a", "...", "~", "~a", "~...", ".a", "a/b", "%2E%2E"])("is the id itself for %j", (id) => {
    expect(segmentOfId(id)).toBe(id)
    expect(idInSegment(id)).toBe(id)
  })

  it.each([".", "..", "~.", "~..", "~~."])("is a name that browsers do not resolve for %j", (id) => {
    const segment = segmentOfId(id)
    expect(new URL(`https://example.com/forms/${encodeURIComponent(segment)}`).pathname).toBe(
      `/forms/${segment}`,
    )
    expect(idInSegment(segment)).toBe(id)
  })

  it.each([".", ".."])("can also be %j, which clients that send paths unchanged may use", (segment) => {
    expect(idInSegment(segment)).toBe(segment)
  })
})
