import { describe, expect, it } from "vitest"
import { limitsIn } from "../../src/documents/limitsPage.ts"

/** Returns what the page shows of each limit in this source. */
const shown = (source: string) =>
  limitsIn({ file: "packages/core/src/Example.ts", source }).map(({ name, text, value }) => [
    name,
    text,
    value,
  ])

describe("the page of limits", () => {
  it.each([
    ["export const heldBytesMax = 128 * 1024 * 1024", "128 MB"],
    ["const rejectedDaysMax = 36_500", "36,500"],
    ["export const openMsMax = 30 * 60 * 1000", "30 min"],
    ['const waitMax = "2 seconds"', "2 seconds"],
    ["const hourMs = 3_600_000\n/** The longest wait. */\nexport const waitMsMax = 24 * hourMs", "1 day"],
    [
      "const fromBytes = 4096\n/** The longest log. */\nexport const logBytesMax = fromBytes * (3 / 4)",
      "3 KB",
    ],
  ])("%j is shown as %s", (source, value) => {
    const documented = source.includes("/**") ? source : `/** The longest wait. */\n${source}`
    expect(shown(documented).map(([, , value]) => value)).toEqual([value])
  })

  it("a limit is described by the first sentence of its docstring", () => {
    const source = `
/**
 * The largest number of bytes of a name in UTF-8 (contract §5). A longer name is cut.
 */
export const nameBytesMax = 150
`
    expect(shown(source)).toEqual([["nameBytesMax", "bytes of a name", "150 bytes"]])
  })

  it("a field of an object is described by the docstring of its type", () => {
    const source = `
export interface Bounds {
  /** The largest number of commands in one commit. */
  readonly commandsMax: number
}

export const bounds: Bounds = { }
const defaults = {
  commandsMax: 5_000,
}
`
    expect(shown(source)).toEqual([["commandsMax", "commands in one commit", "5,000"]])
  })

  it("constants without a docstring, or without a value that is known, are left out", () => {
    expect(shown("export const rowsMax = 10\n/** The largest. */\nexport const sizeMax = sizeOf(3)")).toEqual(
      [],
    )
  })
})
