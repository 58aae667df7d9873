import { describe, expect, it } from "vitest"
import { readRows, textOf } from "../src/pages/imports/readRows.ts"

async function* inParts(text: string, length: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += length) yield text.slice(at, at + length)
}

const rowsOf = async (text: string, lines: ReadonlyArray<number>, length = 3) => {
  const { byLine, header } = await readRows(inParts(text, length), new Set(lines))
  return { header, rows: [...byLine] }
}

describe("the rows of a file that begin on given lines", () => {
  it("CSV rows are found with each kind of line break, even if a line break is split between two parts of the file", async () => {
    for (const newline of ["\n", "\r\n", "\r"]) {
      const text = ["id,plan", "ada,pro", "", "bob,free", "eve,pro"].join(newline)
      for (const length of [1, 2, 3, 100]) {
        expect(await rowsOf(text, [2, 4], length)).toEqual({
          header: "id,plan",
          rows: [
            [2, "ada,pro"],
            [4, "bob,free"],
          ],
        })
      }
    }
  })

  it("a CSV row with line breaks inside quotes is read with all of its lines", async () => {
    const text = 'id,note\nada,"one ""1""\ntwo"\nbob,"three"\n'
    expect((await rowsOf(text, [2, 4])).rows).toEqual([
      [2, 'ada,"one ""1""\ntwo"'],
      [4, 'bob,"three"'],
    ])
  })

  it("if a quote stays open in a CSV row, only the first line of the row is read", async () => {
    const open = `id,note\nada,"open\n${"bob,x\n".repeat(200)}`
    expect((await rowsOf(open, [2, 3])).rows).toEqual([
      [2, 'ada,"open'],
      [3, "bob,x"],
    ])
    expect((await rowsOf(open, [2])).rows).toEqual([[2, 'ada,"open']])
  })

  it("if the header line of a CSV file has an error, the reader returns this line also as a row", async () => {
    expect(await rowsOf("\uFEFFname\n", [1])).toEqual({ header: "name", rows: [[1, "\uFEFFname"]] })
  })
})

/** A file that never ends, and that counts how often its reader cancelled it. */
const endlessFile = () => {
  const state = { cancelled: 0 }
  const stream = (): ReadableStream<Uint8Array<ArrayBuffer>> =>
    new ReadableStream({
      pull: (controller) => controller.enqueue(new TextEncoder().encode("ada,pro\n")),
      cancel: () => {
        state.cancelled++
      },
    })
  return { state, file: { stream, slice: () => new Blob(["id"]) } }
}

describe("the text of a file", () => {
  it("a CSV file is not read further than the last row that is needed", async () => {
    const { file, state } = endlessFile()
    const { byLine } = await readRows(textOf(file, new AbortController().signal), new Set([3]))
    expect(byLine.get(3)).toBe("ada,pro")
    expect(state.cancelled).toBe(1)
  })

  it("the reader of a CSV file does not read further after it was stopped", async () => {
    const { file, state } = endlessFile()
    const stopping = new AbortController()
    const reading = readRows(textOf(file, stopping.signal), new Set([Number.POSITIVE_INFINITY]))
    stopping.abort()
    await expect(reading).rejects.toThrow("aborted")
    expect(state.cancelled).toBe(1)
  })
})
