import { importTable } from "./csv.ts"
import { bare, byEmail, byId, bySvcId, emailOnly, idOnly, receivedAt } from "./requests.ts"
import { withLimits } from "./tables.ts"

const table = importTable("events")

const mail = (text: string) => bare(text, byEmail(text))

table("track-api §6 rule 2: a CSV row becomes an event", [
  [
    "decodes the name, the person and the time, and stores other cells as data",
    "_svc_name,_svc_customer_id,_svc_timestamp,plan,total\n signed up ,ada,1700000000,pro,12\n",
    [
      [
        2,
        {
          _tag: "RecordEvent",
          source: "csv",
          kind: "event",
          target: byId("ada"),
          anonymousId: null,
          name: "signed up",
          at: 1_700_000_000_000,
          receivedAt,
          batchIndex: null,
          deduplicationKey: "key:2",
          data: { plan: "pro", total: "12" },
          device: null,
        },
      ],
    ],
  ],
  [
    "accepts the cio prefix and columns in any order",
    "total,_cio_timestamp,_cio_customer_id,_cio_name\n1,2024-02-29T12:00:00Z,ada,bought\n",
    [
      [
        2,
        {
          target: byId("ada"),
          name: "bought",
          at: Date.parse("2024-02-29T12:00:00Z"),
          data: { total: "1" },
        },
      ],
    ],
  ],
  [
    "uses the time of receipt if the timestamp cell is empty",
    "_svc_name,_svc_customer_id,_svc_timestamp\na,ada,\n",
    [[2, { at: receivedAt, data: {} }]],
  ],
  [
    "stores column names unchanged as keys and leaves out empty cells",
    "_svc_name,_svc_customer_id,a.b,a,svc_id,__proto__,empty\nx,ada,1,2,3,4,\n",
    [
      [
        2,
        {
          data: Object.fromEntries([
            ["a.b", "1"],
            ["a", "2"],
            ["svc_id", "3"],
            ["__proto__", "4"],
          ]),
        },
      ],
    ],
  ],
])

table("track-api §6 rule 2: all rows of an event file use one kind of identifier", [
  [
    "refuses an email in a file of ids",
    "_svc_name,_svc_customer_id\na,ada\na,ada@example.com\na,bob\n",
    [
      [2, { target: byId("ada") }],
      [3, "_svc_customer_id: every row must use the same kind of identifier: expected id, got email"],
      [4, { target: byId("bob") }],
    ],
  ],
  [
    "refuses an id in a file of emails",
    "_svc_name,_svc_customer_id\na,ada@example.com\na,bob\na,Bob@example.com\n",
    [
      [2, { target: mail("ada@example.com") }],
      [3, "_svc_customer_id: every row must use the same kind of identifier: expected email, got id"],
      [4, { target: mail("Bob@example.com") }],
    ],
  ],
  [
    "refuses an id in a file of svc_ids",
    "_svc_name,_svc_customer_id\na,svc_p17000000001\na,bob\n",
    [
      [2, { target: bare("svc_p17000000001", bySvcId(1)) }],
      [3, "_svc_customer_id: every row must use the same kind of identifier: expected svc_id, got id"],
    ],
  ],
  [
    "takes the kind of identifier from the first row with a valid identifier",
    `_svc_name,_svc_customer_id\na,\na,${"x".repeat(151)}\na,ada@example.com\n`,
    [
      [2, "_svc_customer_id: id attribute must be present"],
      [3, "_svc_customer_id: id attribute cannot be longer than 150 bytes"],
      [4, { target: mail("ada@example.com") }],
    ],
  ],
  [
    "reads every text as an id if the workspace identifies people by id only",
    "_svc_name,_svc_customer_id\na,ada@example.com\na,bob\n",
    [
      [2, { target: byId("ada@example.com") }],
      [3, { target: byId("bob") }],
    ],
    idOnly,
  ],
  [
    "refuses ids if the workspace identifies people by email only",
    "_svc_name,_svc_customer_id\na,bob\na,ada@example.com\n",
    [
      [
        2,
        "_svc_customer_id: invalid identifier: this workspace identifies people by email; send an email or a svc_id",
      ],
      [3, { target: mail("ada@example.com") }],
    ],
    emailOnly,
  ],
])

table("track-api §6 rule 2: an invalid event row is reported and the other rows are imported", [
  [
    "reports a name that is blank or too long",
    `_svc_name,_svc_customer_id\n  ,ada\n${"x".repeat(101)},ada\n ${"x".repeat(100)} ,ada\n`,
    [
      [2, "_svc_name: event name must not be blank"],
      [3, "_svc_name: event name cannot be longer than 100 bytes"],
      [4, { name: "x".repeat(100) }],
    ],
  ],
  [
    "keeps an event whose timestamp is no time, at the time of receipt",
    "_svc_name,_svc_customer_id,_svc_timestamp\na,ada,soon\na,ada,1700000000.9\n",
    [
      [
        2,
        {
          at: receivedAt,
          faults: ["invalid _svc_timestamp: _svc_timestamp must be Unix seconds or an ISO 8601 date-time"],
        },
      ],
      [3, { at: 1_700_000_000_000 }],
    ],
  ],
  [
    "reports data that is too large",
    `_svc_name,_svc_customer_id,a\na,ada,${"x".repeat(200)}\na,ada,1\n`,
    [
      [2, "data: event data cannot be longer than 100 bytes"],
      [3, { data: { a: "1" } }],
    ],
    withLimits({ eventDataBytesMax: 100 }),
  ],
  [
    "reports all faults of a row in one message",
    "_svc_name,_svc_customer_id,_svc_timestamp\n,,x\n",
    [[2, "_svc_name: event name must not be blank; _svc_customer_id: id attribute must be present"]],
  ],
])

table("track-api §6 rule 2: an invalid header of an event file is refused", [
  [
    "reports the missing required columns",
    "name,id\na,ada\n",
    [[1, "missing column: _svc_name and _svc_customer_id; the first line has `name`, `id`"]],
  ],
  [
    "reports the same column under both prefixes",
    "_svc_name,_cio_name,_svc_customer_id\na,b,ada\n",
    [[1, "column 2 has the same name as column 1"]],
  ],
])
