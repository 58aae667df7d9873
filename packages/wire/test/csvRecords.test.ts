import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema, Stream } from "effect"
import { Csv } from "effect/encoding"
import { blocks, pieceBytesMax, piecesOf } from "../src/csv/Blocks.ts"
import { arriving, bytesOf, recordsOf } from "./csv.ts"

const bytes = (...parts: ReadonlyArray<string | ReadonlyArray<number>>): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === "string" ? [...bytesOf(part)] : part)))

const long = "x".repeat(60)

/**
 * Test cases: a title, the content of a file, and the expected records. A row is written as `line: cells`, and an error
 * as `line! message`. The limit for a row is 50 bytes.
 */
const rows: ReadonlyArray<readonly [string, string | Uint8Array, ReadonlyArray<string>]> = [
  ["an empty file has no records", "", []],
  ["splits lines that end in LF", "a,b\n1,2\n", ["1: a|b", "2: 1|2"]],
  ["splits lines that end in CRLF", "a,b\r\n1,2\r\n", ["1: a|b", "2: 1|2"]],
  ["splits lines that end in CR", "a,b\r1,2\r", ["1: a|b", "2: 1|2"]],
  ["reads a last line without a line break", "a,b\n1,2", ["1: a|b", "2: 1|2"]],
  [
    "drops the byte order mark at the beginning of a file",
    bytes([0xef, 0xbb, 0xbf], "a,b\n1,2"),
    ["1: a|b", "2: 1|2"],
  ],
  ["keeps a byte order mark at the beginning of a later line", "a\n\uFEFFb\n", ["1: a", "2: \uFEFFb"]],
  ["skips blank lines, but counts them in line numbers", "a,b\n\n\r\n1,2\n\n", ["1: a|b", "4: 1|2"]],
  ["reads empty cells", "a,\n,b\n", ["1: a|", "2: |b"]],
  ["skips rows of delimiters alone", "a,b\n,\n , \n1,2\n", ["1: a|b", "4: 1|2"]],
  [
    "reads quoted cells with commas and doubled quotes",
    '"a,1","say ""hi"""\nx,y\n',
    ['1: a,1|say "hi"', "2: x|y"],
  ],
  [
    "reads cells that contain line breaks, and counts every line",
    '"a\nb\r\nc",1\nx,y\n',
    ["1: a\nb\r\nc|1", "4: x|y"],
  ],
  ["keeps spaces around cells", " a , b \n", ["1:  a | b "]],
  ["reads characters of several bytes", "é,日本,😀\n", ["1: é|日本|😀"]],
  [
    "reports a quote inside an unquoted cell and continues",
    'a,b\n5" pipe,1\nx,y\n',
    ["1: a|b", "2! unexpected quote in an unquoted field", "3: x|y"],
  ],
  [
    "reports text after a closing quote and continues",
    'a\n"b"c\nd\n',
    ["1: a", "2! expected a delimiter or line break after a closing quote", "3: d"],
  ],
  [
    "reports several invalid rows and reads the valid ones between them",
    'a\nb"\nc"\n"d\nd"\ne"\nf',
    [
      "1: a",
      "2! unexpected quote in an unquoted field",
      "3! unexpected quote in an unquoted field",
      "4: d\nd",
      "6! unexpected quote in an unquoted field",
      "7: f",
    ],
  ],
  [
    "reports an unclosed quote and continues on the next line",
    'a\n"b\nc\nd\n',
    ["1: a", "2! a quoted cell begins here and has no closing quote", "3: c", "4: d"],
  ],
  [
    "reports a quoted cell longer than a row and continues on the next line",
    `a\n"b\n${"c\n".repeat(30)}"\n`,
    [
      "1: a",
      "2! a quoted cell begins here and has no closing quote within 50 bytes",
      ...Array.from({ length: 30 }, (_, i) => `${i + 3}: c`),
      "33! a quoted cell begins here and has no closing quote",
    ],
  ],
  [
    "reports a row that is too long and continues",
    `a\n${long}\nb\n`,
    ["1: a", "2! the row is larger than 50 bytes", "3: b"],
  ],
  [
    "measures the length of a row in bytes",
    `a\n${"é".repeat(30)}\nb\n`,
    ["1: a", "2! the row is larger than 50 bytes", "3: b"],
  ],
  ["reports a last row that is too long", `a\n${long}`, ["1: a", "2! the row is larger than 50 bytes"]],
  [
    "reports lines that are not valid UTF-8 and reads the other lines",
    bytes("a\nb", [0xff], "\nc\n\xe9\n", [0xc3], "\n"),
    ["1: a", "2! the row is not valid UTF-8", "3: c", "4: é", "5! the row is not valid UTF-8"],
  ],
  [
    "reports invalid UTF-8 in a cell with line breaks at the first line of the cell",
    bytes('a\n"b\n', [0xff], '\nc"\nd\n'),
    ["1: a", "2! the row is not valid UTF-8", "5: d"],
  ],
]

describe("track-api §6 rule 2: the CSV reader splits a file into records", () => {
  for (const [name, file, expected] of rows) {
    it.effect(name, () =>
      Effect.map(recordsOf(file, 50), (records) => assert.deepStrictEqual(records, expected)),
    )
  }

  for (const [name, file] of rows) {
    it.effect(`${name} (if the record is in the last of several blocks of the file)`, () =>
      Effect.gen(function* () {
        const shifted = bytes("b,b\n".repeat(49), [...bytesOf(file)])
        assert.deepStrictEqual(yield* recordsOf(shifted, 50, 200), yield* recordsOf(shifted, 50))
      }),
    )
  }

  const Piece = Schema.Literals([
    '"',
    '"',
    ",",
    "\n",
    "\r",
    "\r\n",
    "a",
    "é",
    "😀",
    "bcd",
    '"e\nf"',
    '""',
    "0123456789",
  ])

  it.effect.prop(
    "the CSV reader returns the same records for every block size",
    [Schema.Array(Piece)],
    ([pieces]) =>
      Effect.gen(function* () {
        const file = pieces.join("").repeat(5)
        const whole = yield* recordsOf(file, 16)
        assert.deepStrictEqual(yield* recordsOf(file, 16, 64), whole)
        assert.deepStrictEqual(yield* recordsOf(file, 16, 101), whole)
        assert.deepStrictEqual(yield* recordsOf(file, 16, 101, 23), whole)
      }),
    { arbitrary: { runs: 300 } },
  )
})

/** Reads the records of a whole file without faults with the CSV decoder of Effect. */
const decoded = (file: string) =>
  Stream.make(file).pipe(
    Stream.pipeThroughChannel(Csv.decodeString()),
    Stream.runCollect,
    Effect.map((rows) => rows.filter((cells) => cells.some((cell) => cell.trim() !== ""))),
  )

describe("the CSV reader compared with the CSV decoder of Effect", () => {
  const Cell = Schema.Literals(["", "a", "é😀", '"b"', '""', '"c\nd\r\n"', '"e,""f"""'])

  it.effect.prop(
    "the CSV reader reads the same cells from a valid file",
    [Schema.Array(Schema.Tuple([Cell, Cell])), Schema.Literals(["\n", "\r\n", "\r"])],
    ([rows, lineBreak]) =>
      Effect.gen(function* () {
        const file = rows.map((cells) => cells.join(",") + lineBreak).join("")
        const found = yield* recordsOf(file, 1000, 100_000, 5)
        const expected = (yield* decoded(file)).map((cells) => cells.join("|"))
        assert.deepStrictEqual(
          found.map((record) => record.replace(/^\d+: /, "")),
          expected,
        )
      }),
    { arbitrary: { runs: 300 } },
  )
})

/** Files in which nearly every byte is a row, a blank line or a fault. */
const hostile: ReadonlyArray<readonly [string, Uint8Array]> = [
  ["rows in Latin-1", bytes("id\n", ...Array.from({ length: 100 }, () => [0xe9, 10]))],
  ["blank lines", bytesOf("\n".repeat(256))],
  ["lone CRs", bytesOf("\r".repeat(256))],
  ["rows with a fault", bytesOf('"a"b\n'.repeat(64))],
  ["opened quotes", bytesOf('"a\n'.repeat(86))],
  ["short rows", bytesOf("a\n".repeat(128))],
]

describe("the pieces of a block", () => {
  it.each(hostile)("a block of %s is split into pieces that together are the block", (_, file) => {
    const block = {
      bytes: Uint8Array.from({ length: 250_000 }, (_, i) => file[i % file.length] ?? 0),
      isLast: true,
    }
    const pieces = [...piecesOf(block)]
    assert.isAtLeast(pieces.length, block.bytes.length / pieceBytesMax)
    for (const piece of pieces) assert.isAtMost(piece.bytes.length, pieceBytesMax)
    assert.deepStrictEqual(Buffer.concat(pieces.map((piece) => piece.bytes)), Buffer.from(block.bytes))
    assert.deepStrictEqual(
      pieces.map(({ isLast }) => isLast),
      pieces.map((_, i) => i === pieces.length - 1),
    )
  })

  it("a piece ends after the line that is longer than a piece", () => {
    const lines = [`${"a".repeat(50)}\r\n`, "b\n", `${"c".repeat(30)}\r`, `${"d".repeat(40)}`]
    const pieces = [...piecesOf({ bytes: bytesOf(lines.join("")), isLast: false }, 20)]
    assert.deepStrictEqual(
      pieces.map((piece) => new TextDecoder().decode(piece.bytes)),
      lines,
    )
  })
})

const cut = (file: Uint8Array, size: number) => Stream.runCollect(blocks(arriving(file, size), 64))

describe("the blocks of a file", () => {
  it.effect.prop(
    "the CSV reader splits a file at the same bytes, whatever the size of the arriving chunks",
    [Schema.Array(Schema.Literals(["\n", "\r", "\r\n", "a", "bcdefgh", "é"]))],
    ([pieces]) =>
      Effect.gen(function* () {
        const file = bytesOf(pieces.join("").repeat(9))
        const whole = yield* cut(file, 1_000_000)
        assert.deepStrictEqual(yield* cut(file, 1), whole)
        assert.deepStrictEqual(yield* cut(file, 63), whole)
        assert.deepStrictEqual(
          whole.flatMap((block) => [...block.bytes]),
          [...file],
        )
        assert.deepStrictEqual(
          whole.map(({ isLast }) => isLast),
          whole.map((_, i) => i === whole.length - 1),
        )
        for (const block of whole) assert.isAtMost(block.bytes.length, 64)
      }),
    { arbitrary: { runs: 200 } },
  )

  it.effect.each([
    ["after the last LF", "a\r\nb\nc", 5, "a\r\nb\n"],
    ["after a CR that is not part of a CRLF", "a\rb\rcd", 5, "a\rb\r"],
    ["before a final CR, since an LF may follow", "abcd\r\n", 5, "abcd"],
    ["within a line that is longer than a block", "abcdefgh", 5, "abcde"],
  ] as const)("a block ends %s", ([, file, size, first]) =>
    Effect.gen(function* () {
      const [block] = yield* Stream.runCollect(blocks(arriving(bytesOf(file), 2), size))
      assert.deepStrictEqual(block, { bytes: bytesOf(first), isLast: false })
    }),
  )
})
