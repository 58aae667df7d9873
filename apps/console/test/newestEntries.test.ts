import { describe, expect, it } from "vitest"
import type { ActivityDocument } from "../src/api/documents.ts"
import { newestEntries } from "../src/shared/lists/newestEntries.ts"

// The other fields of an operation are not looked at.
const entry = (received_at: string) => ({ received_at }) as ActivityDocument

/** Answers with pages of so many operations, and says what was asked. */
const pagesOf = (...sizes: ReadonlyArray<number>) => {
  const asked: Array<readonly [after: string | undefined, limit: number]> = []
  const read = async (after: string | undefined, limit: number) => {
    asked.push([after, limit])
    const page = asked.length
    return {
      items: Array.from({ length: sizes[page - 1] ?? 0 }, () => entry(`t${page}`)),
      next: page < sizes.length ? `a${page}` : null,
      searched_to: { at: `to ${page}` },
    }
  }
  return { asked, read }
}

describe("the newest operations that a filter finds", () => {
  it("are looked for behind pages without any", async () => {
    const { asked, read } = pagesOf(0, 0, 2)
    expect(await newestEntries(read, 10)).toEqual({ items: [entry("t3"), entry("t3")], searchedTo: null })
    expect(asked).toEqual([
      [undefined, 10],
      ["a1", 10],
      ["a2", 10],
    ])
  })

  it("are as many as are wanted", async () => {
    const { asked, read } = pagesOf(1, 2, 1)
    expect(await newestEntries(read, 3)).toMatchObject({ items: { length: 3 }, searchedTo: "to 2" })
    expect(asked.map(([, limit]) => limit)).toEqual([3, 2])
  })

  it("are looked for in a few pages only, which is said", async () => {
    const { asked, read } = pagesOf(...Array.from({ length: 50 }, () => 0))
    expect(await newestEntries(read, 3)).toEqual({ items: [], searchedTo: "to 5" })
    expect(asked).toHaveLength(5)
  })
})
