import { assert, describe, it } from "@effect/vitest"
import type { ActivityDocument } from "@inlethq/contract/activity/ActivityLog"
import type { AttemptDocument } from "@inlethq/contract/webhooks/Webhooks"
import { Sequence } from "@inlethq/core/values/Identifier"
import { CliOutput } from "effect/cli"
import { attemptColumns } from "../src/output/attemptColumns.ts"
import { drawEntries, drawEntry } from "../src/output/entryLine.ts"
import { drawFields } from "../src/output/fields.ts"
import type { Screen } from "../src/output/Screen.ts"
import { drawTested } from "../src/output/sending.ts"
import { columnsLeftOut, drawTable } from "../src/output/table.ts"
import { clip, fit, printable } from "../src/output/text.ts"
import { wrap } from "../src/output/wrap.ts"
import { drawCheck, warning } from "../src/doctor/Check.ts"

const now = Date.parse("2026-01-31T18:00:00Z")
const times = { isUtc: true, isForPeople: true, now }
const terminal = (columns: number, hasColour = false): Screen => ({
  isTerminal: true,
  hasColour,
  columns,
  times,
})
const pipe: Screen = {
  isTerminal: false,
  hasColour: false,
  columns: 80,
  times: { ...times, isForPeople: false },
}

const name = "an event with a very long name that fits nowhere"
const reason = "attributes.plan: something is wrong with it, and the message is long"

const entry: ActivityDocument = {
  operation_id: "op11000000009",
  sequence: Sequence.make(9),
  at: "2026-01-31T12:00:00.000Z",
  original_timestamp: null,
  received_at: "2026-01-31T12:00:00.000Z",
  processed_at: null,
  source: "track-v2",
  sender: null,
  kind: "event",
  name,
  outcome: "partial",
  reason,
  reasons: [],
  rule: "track-api §2.5",
  subject: {
    svc_id: "p11000000001",
    id: "a-person-with-a-very-long-identifier@example.com",
    email: null,
    name: null,
    anonymous_id: null,
    object_type_id: null,
    object_id: null,
  },
  id: null,
  trigger_eligible: false,
  data: {},
  changes: [],
  request: null,
  refused: [],
  kept_as: [],
  effects: [],
}

const escape = "\u001b"

describe("lines of the activity log", () => {
  it.each([80, 100, 200])("lines of the log fit into a terminal with %i columns", (columns) => {
    const line = drawEntry(terminal(columns), entry)
    assert.isAtMost(CliOutput.displayWidth(line), columns)
    assert.include(line, "op11000000009")
    assert.include(line, "partial")
  })

  it("lines of the activity log have aligned columns", () => {
    const other = { ...entry, name: "a", outcome: "created", operation_id: "op11000000001-999" } as const
    const [first, second] = [entry, other].map((one) => drawEntry(terminal(80), one).indexOf("a-person"))
    assert.strictEqual(first, second)
  })

  it("if the output is piped, the lines of the activity log show the whole reason and the rule", () => {
    const line = drawEntry(pipe, entry)
    assert.include(line, reason)
    assert.include(line, "(track-api §2.5)")
    assert.include(line, name)
  })

  it("lines of the activity log say of an operation without a reason where it does not fit its plan", () => {
    const violations = [{ path: `total${escape}`, clause: "type", got: "text(5)" }]
    const plan = { name, version: 1, violations }
    const observed = { ...entry, outcome: "applied", reason: null, plan } as const
    assert.include(drawEntry(pipe, observed), "does not fit its plan: total")
    assert.notInclude(drawEntry(pipe, observed), escape)
    assert.isAtMost(CliOutput.displayWidth(drawEntry(terminal(80), observed)), 80)
    assert.notInclude(drawEntry(pipe, { ...observed, reason }), "its plan")
  })

  it("lines of the log show the date of times that are not today", () => {
    const yesterday = { ...entry, received_at: "2026-01-30T12:00:00.000Z" }
    assert.match(drawEntry(terminal(120), entry), /^12:00:00 op/)
    const lines = drawEntries(terminal(120), [entry, yesterday])
    assert.match(lines[0] ?? "", /^ {11}12:00:00 op/)
    assert.match(lines[1] ?? "", /^2026-01-30 12:00:00 op/)
    assert.isAtMost(CliOutput.displayWidth(drawEntry(terminal(80), yesterday)), 80)
  })

  it("in a pipe, lines of the log have times in ISO 8601 with their offset", () =>
    assert.match(drawEntry(pipe, entry), /^2026-01-31T12:00:00Z op/))

  it("lines of the log have colours only on a screen with colours", () => {
    assert.include(drawEntry(terminal(80, true), entry), escape)
    assert.notInclude(drawEntry(terminal(80), entry), escape)
  })

  it("lines of the log never contain a control character of a client's text", () => {
    const line = drawEntry(pipe, { ...entry, name: `${escape}[2J\n\r\u0007`, reason: `${escape}]0;title` })
    assert.notMatch(line, new RegExp(`[${escape}\\n\\r\\u0007]`))
  })
})

describe("tables", () => {
  const columns = [
    { heading: "ID", text: ({ id }: { id: string }) => id },
    { heading: "NAME", text: ({ name }: { name: string }) => name, shrinks: true },
    { heading: "N", text: () => "1" },
  ]
  const rows = [
    { id: "a", name: "short" },
    { id: "bb", name: "a name that is much too long for the terminal" },
  ]

  it("the columns of a table are aligned and cut to the width of a terminal", () => {
    assert.deepStrictEqual(drawTable(terminal(20), columns, rows), [
      "ID  NAME           N",
      "a   short          1",
      "bb  a name that …  1",
    ])
  })

  it("a table leaves out optional columns if they do not fit otherwise", () => {
    const optional = columns.map((column) => ({ ...column, isOptional: column.heading === "N" }))
    assert.deepStrictEqual(drawTable(terminal(13), optional, rows)[0], "ID  NAME")
    assert.deepStrictEqual(drawTable(terminal(80), optional, rows)[0]?.endsWith("N"), true)
  })

  it("says which columns a table leaves out, and leaves out none that it can cut", () => {
    const optional = columns.map((column) => ({ ...column, isOptional: column.heading === "N" }))
    assert.deepStrictEqual(columnsLeftOut(terminal(13), optional, rows), ["N"])
    assert.deepStrictEqual(columnsLeftOut(terminal(80), optional, rows), [])
    assert.deepStrictEqual(columnsLeftOut(pipe, optional, rows), [])
  })

  it("values that wrap go on below, and nothing of them is cut", () =>
    assert.deepStrictEqual(
      drawTable(
        terminal(40),
        [
          { heading: "ID", text: ({ id }: { readonly id: string; readonly change: string }) => id },
          { heading: "CHANGE", text: ({ change }) => change, wraps: true },
        ],
        [
          { id: "op11000000001", change: "The path total was number, and is string too." },
          { id: "op2", change: "short" },
        ],
      ),
      [
        "ID             CHANGE",
        "op11000000001  The path total was",
        "               number, and is string",
        "               too.",
        "op2            short",
      ],
    ))

  it("cuts columns that usually keep their values rather than exceed the terminal", () => {
    const fixed = columns.map(({ heading, text }) => ({ heading, text }))
    const lines = drawTable(terminal(20), fixed, rows)
    assert.deepStrictEqual(lines.at(-1), "bb  a name that …  1")
  })

  it("in a pipe, a table has no headings, and each row is a line of uncut values separated by tabs", () =>
    assert.deepStrictEqual(drawTable(pipe, columns, rows), [
      "a\tshort\t1",
      "bb\ta name that is much too long for the terminal\t1",
    ]))

  it("tabs and line breaks in the values of a table are replaced, because they would look like more cells or rows", () =>
    assert.deepStrictEqual(drawTable(pipe, columns, [{ id: "a\tb", name: "c\nd" }]), ["a�b\tc�d\t1"]))
})

describe("texts", () => {
  it.each([
    ["short", 10, "short"],
    ["exactly 10", 10, "exactly 10"],
    ["longer than 10", 10, "longer th…"],
    ["ファイル名です", 8, "ファイ…"],
    ["a", 0, ""],
  ] as const)("clip cuts %j to %i cells", (text, width, shown) => {
    assert.strictEqual(clip(text, width), shown)
    assert.isAtMost(CliOutput.displayWidth(clip(text, width)), width)
  })

  it("the function `fit` pads a text with spaces to the given width", () =>
    assert.strictEqual(fit("ab", 4), "ab  "))

  it("printable replaces control characters and characters that change the direction of text", () =>
    assert.strictEqual(printable(`a${escape}b\u0085c\u202ed`), "a�b�c�d"))

  it("the function `wrap` breaks lines between words", () =>
    assert.deepStrictEqual(wrap("one two three incomprehensibilities", 8), [
      "one two",
      "three",
      "incomprehensibilities",
    ]))

  it("`drawFields` leaves out fields without a value", () =>
    assert.deepStrictEqual(
      drawFields(pipe, [
        ["a", "1"],
        ["long", null],
        ["bcd", "2"],
      ]),
      ["  a    1", "  bcd  2"],
    ))
})

const attempt: AttemptDocument = {
  attempt_id: "a7",
  event_id: "01EY90TVAW0000100000000014",
  operation_id: "op11000000009",
  number: 1,
  at: "2026-01-31T12:00:00.000Z",
  status: "delivered",
  response_status: 200,
  duration_ms: 12,
  response_excerpt: "a response that is much longer than the terminal is wide",
  next_at: null,
}

describe("the table of attempts", () => {
  it.each([
    ["delivered", 32],
    ["retrying", 33],
    ["failed", 31],
    ["skipped", 34],
  ] as const)("shows the status %s with the colour code %i", (status, code) => {
    const [, line] = drawTable(terminal(120, true), attemptColumns, [{ ...attempt, status }])
    assert.include(line, `${escape}[${code}m${status}`)
  })

  it("the table of webhook attempts is aligned, and responses are shortened to fit a terminal of 100 columns", () => {
    const failed: AttemptDocument = {
      ...attempt,
      attempt_id: "a12345",
      status: "failed",
      response_excerpt: null,
    }
    const lines = drawTable(terminal(100), attemptColumns, [attempt, failed])
    assert.strictEqual(new Set(lines.map((line) => line.search(/op110|OPERATION/))).size, 1)
    for (const line of lines) assert.isAtMost(CliOutput.displayWidth(line), 100)
  })
})

describe("a check of inlet doctor", () => {
  const check = warning(
    "kafka",
    "entries that wait: 12, the oldest since 90 s, ".repeat(3).trim(),
    "Start the brokers.",
  )

  it("draws the answer of a receiver on one line, without stray marks", () =>
    assert.deepStrictEqual(
      drawTested(
        {
          status: "failed",
          response_status: 502,
          duration_ms: 12,
          response_excerpt: "<html>\r\n<body>\n\tbad gateway\n</body>\n",
        },
        terminal(80),
      ),
      [
        "failed",
        "  response status  502",
        "  duration         12 ms",
        "  response         <html> <body> bad gateway </body>",
      ],
    ))

  it("the terminal output of a check is wrapped to the width of the terminal and indented", () => {
    const lines = drawCheck(terminal(80), check)
    assert.isAbove(lines.length, 2)
    for (const line of lines) assert.isAtMost(CliOutput.displayWidth(line), 80)
    assert.strictEqual(lines[0]?.indexOf("entries"), lines[1]?.search(/\S/))
    assert.strictEqual(lines.at(-1)?.trim(), "Start the brokers.")
  })

  it("in a pipe, a check has one line for the result and one line for the advice", () => {
    const advice = "Start the brokers and check their disks. ".repeat(3).trim()
    const lines = drawCheck(pipe, { ...check, advice })
    assert.strictEqual(lines.length, 2)
    assert.include(lines[0], check.found)
    assert.include(lines[1], advice)
  })
})
