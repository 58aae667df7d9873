import { assert, it } from "@effect/vitest"
import { rowBytesMax } from "../src/csv/Records.ts"
import { ImportFile } from "../src/csv/ImportFile.ts"
import { Result } from "effect"
import { bytesOf, importTable } from "./csv.ts"
import {
  assignments,
  byEmail,
  byId,
  bySvcId,
  emailOnly,
  idOnly,
  receipt,
  receivedAt,
  workspace,
} from "./requests.ts"
import { withLimits } from "./tables.ts"

const table = importTable("people")

table("contract §13: a CSV row becomes an identify", [
  [
    "identifies a person by id and stores other cells as attributes",
    "id,plan,city\nada,pro,Paris\n",
    [
      [
        2,
        {
          _tag: "IdentifyPerson",
          source: "csv",
          target: byId("ada"),
          id: null,
          email: null,
          at: receivedAt,
          receivedAt,
          batchIndex: null,
          deduplicationKey: "key:2",
          assignments: assignments(["plan", "pro"], ["city", "Paris"]),
        },
      ],
    ],
  ],
  [
    "reads a file whose cells are separated by semicolons",
    'id;plan;note\nada;pro;"a, b"\nbob;free\n',
    [
      [2, { target: byId("ada"), assignments: assignments(["plan", "pro"], ["note", "a, b"]) }],
      [3, "expected 3 cells, got 2"],
    ],
  ],
  [
    "reads a file whose cells are separated by tabs",
    "name\temail\nAda;x\tada@example.com\n",
    [[2, { target: byEmail("ada@example.com"), assignments: assignments(["name", "Ada;x"]) }]],
  ],
  [
    "separates cells by commas if the header is valid with commas",
    "id,a;b\nada,1;2\n",
    [[2, { assignments: assignments(["a;b", "1;2"]) }]],
  ],
  [
    "identifies a person by email",
    "email\nAda@example.com\n",
    [[2, { target: byEmail("Ada@example.com"), email: null }]],
  ],
  [
    "identifies a person by id and sets the email of the row",
    "email,id\nada@example.com,ada\n",
    [[2, { target: byId("ada"), id: null, email: "ada@example.com" }]],
  ],
  [
    "identifies each row by its id or its email, whichever is present",
    "id,email,plan\nada,,\n,bob@example.com,\n,,pro\n",
    [
      [2, { target: byId("ada"), email: null }],
      [3, { target: byEmail("bob@example.com"), id: null }],
      [4, "the row has no identifier: expected an id, email or svc_id"],
    ],
  ],
  [
    "identifies a person by svc_id with either prefix",
    "svc_id,id\np17000000001,ada\ncio_p17000000002,\n",
    [
      [2, { target: bySvcId(1), id: "ada" }],
      [3, { target: bySvcId(2), id: null }],
    ],
  ],
  [
    "stores cells unchanged as text and ignores empty ones",
    "id,a,b,c,d\nada, 1 ,true,,null\n",
    [[2, { assignments: assignments(["a", " 1 "], ["b", "true"], ["d", "null"]) }]],
  ],
  [
    "accepts attribute names with dots, leading underscores and names such as __proto__",
    "id,a.b,__proto__,constructor,_x\nada,1,2,3,4\n",
    [[2, { assignments: assignments(["a.b", "1"], ["__proto__", "2"], ["constructor", "3"], ["_x", "4"]) }]],
  ],
  [
    "reads reserved columns such as created_at and _timestamp like a v1 identify",
    "id,created_at,unsubscribed,anonymous_id,_timestamp,_update\nada,1700000000,TRUE,visitor,1760000000,true\n",
    [
      [
        2,
        {
          assignments: assignments(["created_at", 1_700_000_000], ["unsubscribed", true]),
          anonymousId: "visitor",
          at: 1_760_000_000_000,
          updateOnly: true,
        },
      ],
    ],
  ],
  [
    "reads subscription topics with either prefix as booleans",
    "id,cio_subscription_preferences.topics.news,svc_subscription_preferences.topics.offers\nada,true,false\n",
    [
      [
        2,
        {
          assignments: assignments(
            ["svc_subscription_preferences.topics.news", true],
            ["svc_subscription_preferences.topics.offers", false],
          ),
        },
      ],
    ],
  ],
  [
    "leaves out an invalid created_at and reports it",
    "id,created_at\nada,yesterday\n",
    [
      [
        2,
        {
          assignments: [],
          faults: ["invalid created_at: created_at must be Unix seconds or an ISO 8601 date-time"],
        },
      ],
    ],
  ],
  [
    "stores email as a plain attribute if the workspace identifies people by id only",
    "id,email\nada,a@b.co\n",
    [[2, { target: byId("ada"), email: null, assignments: assignments(["email", "a@b.co"]) }]],
    idOnly,
  ],
])

table("contract §13 CSV: a file is read as spreadsheets write it", [
  [
    "trims spaces, no-break spaces and zero-width characters around column names",
    "id, email,\u00A0plan\u200B,\u2060city \n9, sp@example.com,pro,Paris\n",
    [
      [
        2,
        {
          target: byId("9"),
          email: "sp@example.com",
          assignments: assignments(["plan", "pro"], ["city", "Paris"]),
        },
      ],
    ],
  ],
  [
    "ignores columns that have neither a name nor cells",
    "id,,email,,\n1,,a@example.com,,\n2, ,b@example.com\n",
    [
      [2, { target: byId("1"), email: "a@example.com", assignments: [] }],
      [3, { target: byId("2"), email: "b@example.com", assignments: [] }],
    ],
  ],
  [
    "reports a cell in a column without a name",
    "id,,email,\n1,x,a@example.com,\n2,,b@example.com,y\n3,,c@example.com,\n",
    [
      [2, "column 2 has no name, but this row has a cell in it"],
      [3, "column 4 has no name, but this row has a cell in it"],
      [4, { target: byId("3") }],
    ],
  ],
  [
    "ignores rows without content, also before the header",
    ",\n , \nid,email\n1,a@example.com\n,\n, \n",
    [[4, { target: byId("1"), email: "a@example.com" }]],
  ],
  [
    "ignores empty cells after the last column",
    "email\nd@example.com,\ne@example.com,,,\nf@example.com,x\n",
    [
      [2, { target: byEmail("d@example.com") }],
      [3, { target: byEmail("e@example.com") }],
      [4, "expected 1 cells, got 2"],
    ],
  ],
  [
    "reads Email and E-mail as email",
    "Name,E-mail\nAda,ada@example.com\n",
    [[2, { target: byEmail("ada@example.com"), assignments: assignments(["Name", "Ada"]) }]],
  ],
  [
    "reads ID and Id as id",
    "Id,EMAIL\n7,ada@example.com\n",
    [[2, { target: byId("7"), email: "ada@example.com" }]],
  ],
  [
    "reads Email as an attribute beside a column email",
    "email,Email\nada@example.com,work@example.com\n",
    [[2, { target: byEmail("ada@example.com"), assignments: assignments(["Email", "work@example.com"]) }]],
  ],
  [
    "reads neither of two columns that could be the email",
    "id,Email,E-Mail\n1,a@example.com,b@example.com\n",
    [
      [
        2,
        {
          email: null,
          assignments: assignments(["Email", "a@example.com"], ["E-Mail", "b@example.com"]),
        },
      ],
    ],
  ],
])

table("contract §13: an invalid person row is reported and the other rows are imported", [
  [
    "reports rows with too few or too many cells",
    "id,a\nada\nbob,1,2\ncid,1\n",
    [
      [2, "expected 2 cells, got 1"],
      [3, "expected 2 cells, got 3"],
      [4, { target: byId("cid") }],
    ],
  ],
  [
    "reports an id that is too long",
    `id\n${"x".repeat(150)}\n${"x".repeat(151)}\n`,
    [
      [2, { target: byId("x".repeat(150)) }],
      [3, "id: id attribute cannot be longer than 150 bytes"],
    ],
  ],
  [
    "reports a value that is too long",
    `id,a\nada,${"é".repeat(500)}\nbob,${"é".repeat(501)}\n`,
    [
      [2, { target: byId("ada") }],
      [3, "a: value for attribute 'a' cannot be longer than 1000 bytes"],
    ],
  ],
  [
    "reports a row with too many attributes",
    "id,a,b,c,unsubscribed\nada,1,,3,1\nbob,1,2,3,1\n",
    [
      [2, { target: byId("ada") }],
      [3, "a row cannot set more than 2 attributes"],
    ],
    withLimits({ attributesPerPersonMax: 2 }),
  ],
  [
    "reports a cell with relationships, because CSV cannot represent relationships",
    "id,svc_relationships\nada,[]\nbob,\n",
    [
      [2, "svc_relationships must be an object"],
      [3, { target: byId("bob") }],
    ],
  ],
  [
    "reports a row that is larger than the limit of a batch item",
    `id,a\nada,"${"x".repeat(40_000)}"\nbob,1\n`,
    [
      [2, "the row is larger than 32768 bytes"],
      [3, { target: byId("bob") }],
    ],
  ],
])

table("contract §13: an invalid header of a people file is refused", [
  ["refuses an empty file", "", [[1, "the file is empty"]]],
  ["refuses a file of blank lines", "\n\n", [[1, "the file is empty"]]],
  [
    "refuses a header without an identifier column",
    "name,plan\nAda,pro\n",
    [[1, "missing column: id or email; the first line has `name`, `plan`"]],
  ],
  [
    "refuses a header without an identifier that the workspace uses",
    "id\nada\n",
    [[1, "missing column: email; the first line has `id`"]],
    emailOnly,
  ],
  ["refuses a repeated column name", "id,a,b,a\n1,2,3,4\n", [[1, "column 4 has the same name as column 2"]]],
  [
    "refuses the same column under both prefixes",
    "svc_id,cio_id\n1,2\n",
    [[1, "column 2 has the same name as column 1"]],
  ],
  [
    "shows the header that would be read below a title",
    "Customers of 2026,,\n\nid,email,name\nada,ada@example.com,Ada\n",
    [[1, "the file must begin with its header; line 3 would be one, with `id`, `email`, `name`"]],
  ],
  [
    "refuses a column name that is too long",
    `id,${"é".repeat(76)}\n`,
    [[1, "the name of column 2 is longer than 150 bytes"]],
  ],
  [
    "lists ten columns of a header at most, each with its first 40 characters",
    `${"n".repeat(50)},${Array.from({ length: 11 }, (_, i) => `c${i}`).join(",")}\n`,
    [
      [
        1,
        `missing column: id or email; the first line has \`${"n".repeat(40)}…\`, ${Array.from({ length: 9 }, (_, i) => `\`c${i}\``).join(", ")}, 2 more`,
      ],
    ],
  ],
  [
    "names the format of a file that is not CSV",
    Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]),
    [[1, "the file is not CSV in UTF-8, but a PNG image"]],
  ],
  [
    "names a spreadsheet",
    "PK\u0003\u0004\u0014\0",
    [[1, "the file is not CSV in UTF-8, but a spreadsheet (.xlsx) or another ZIP archive"]],
  ],
  ["names JSON", '{"id":"ada"}\n', [[1, "the file is not CSV in UTF-8, but JSON"]]],
  [
    "names UTF-16 with a byte order mark",
    Buffer.from("\uFEFFid\nada\n", "utf16le"),
    [[1, "the file is not CSV in UTF-8, but text in UTF-16"]],
  ],
  [
    "names UTF-16 without a byte order mark",
    Buffer.from("id\nada\n", "utf16le"),
    [[1, "the file is not CSV in UTF-8, but text in UTF-16"]],
  ],
  ["names binary data", "id\n\0\n", [[1, "the file is not CSV in UTF-8, but binary data"]]],
  [
    "refuses an unclosed quote in the header",
    'id,"a\nada,1\n',
    [[1, "a quoted cell begins here and has no closing quote"]],
  ],
  [
    "counts blank lines before the header in the reported line number",
    "\n\nname\n",
    [[3, "missing column: id or email; the first line has `name`"]],
  ],
])

it("a CSV row can be at most a quarter as large as a block of the file, even if the workspace allows larger rows", () => {
  assert.strictEqual(rowBytesMax(workspace.limits.batchItemBytesMax), 32 * 1024)
  assert.strictEqual(rowBytesMax(64 * 1024 * 1024), 64 * 1024)
})

it("a cell that is left out is kept with its fault", () => {
  const received = receipt("csv")
  const opened = new ImportFile("people", received)
  const read = opened.read({ bytes: bytesOf("id,created_at\n1,06/19/2017\n"), isLast: true })
  const [row] = Result.getOrThrow(read)
  const command = row?._tag === "CsvRow" ? Result.getOrThrow(opened.decode(received, row, "key")) : undefined
  assert.deepStrictEqual(
    command?.faults.map(({ field, value }) => ({ field, value })),
    [{ field: "created_at", value: "06/19/2017" }],
  )
})
