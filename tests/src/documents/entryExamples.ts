interface Request {
  readonly method: string
  readonly path: string
  readonly body?: unknown
}

interface Call {
  readonly key: "track" | "pipelines" | "management"
  readonly request: Request
}

/** An entry on docs/entry.md, with the call that made it. */
export interface EntryExample extends Call {
  readonly title: string
  readonly about: string
  readonly entry: unknown
}

const workspace = "/management/v1/workspaces/1"

/** What a new server receives before the calls of the examples. */
export const preparations: ReadonlyArray<Call> = [
  {
    key: "track",
    request: { method: "PUT", path: "/api/v1/customers/ada", body: { email: "ada@example.com" } },
  },
  {
    key: "management",
    request: {
      method: "POST",
      path: `${workspace}/segments`,
      body: { name: "Buyers", rule: { event: { name: "bought" } } },
    },
  },
]

/** The examples, in the order in which a server receives their calls. */
export const entryExamples: ReadonlyArray<EntryExample> = [
  {
    title: "A call that was applied in part",
    about:
      "Bob is given the email of Ada. An email belongs to one person, so the rest is applied, and the entry says what was left out, why, and to whom it belongs.",
    key: "track",
    request: {
      method: "PUT",
      path: "/api/v1/customers/bob",
      body: { email: "ada@example.com", plan: "pro" },
    },
    entry: {
      operation_id: "op11000000006",
      sequence: 6,
      at: "2026-01-31T12:00:00.000Z",
      original_timestamp: null,
      received_at: "2026-01-31T12:00:00.000Z",
      processed_at: "2026-01-31T12:00:00.000Z",
      source: "track-v1",
      sender: {
        key: {
          key_id: "key_1",
          name: "default",
        },
        token: null,
        user_agent: "curl/8.14.1",
        route: "PUT /api/v1/customers/:identifier",
      },
      kind: "identify",
      name: null,
      outcome: "partial",
      reason: "email: email belongs to another person",
      reasons: [
        {
          code: "taken_identifier",
          field: "email",
          values: {},
        },
      ],
      rule: "contract §6 taken identifiers",
      subject: {
        svc_id: "p11000000006",
        id: "bob",
        email: null,
        name: null,
        anonymous_id: null,
        object_type_id: null,
        object_id: null,
      },
      id: null,
      trigger_eligible: false,
      data: {
        plan: "pro",
      },
      changes: [
        {
          path: "id",
          from: null,
          to: "bob",
        },
        {
          path: "attributes.plan",
          from: null,
          to: "pro",
        },
      ],
      refused: [
        {
          path: "email",
          value: "ada@example.com",
          reason: "email belongs to another person",
          code: "taken_identifier",
          rule: "contract §6 taken identifiers",
          other: {
            svc_id: "p11000000001",
          },
        },
      ],
      kept_as: [],
      effects: [],
      request: null,
    },
  },
  {
    title: "An event",
    about:
      "Ada buys something, and enters the segment *Buyers*, whose rule asks for such an event. A second call with the same `messageId` would be a `duplicate`.",
    key: "pipelines",
    request: {
      method: "POST",
      path: "/v1/track",
      body: {
        userId: "ada",
        event: "bought",
        messageId: "order-1",
        properties: { film: "Alien", price: 9.5 },
      },
    },
    entry: {
      operation_id: "op11000000007",
      sequence: 7,
      at: "2026-01-31T12:00:00.000Z",
      original_timestamp: null,
      received_at: "2026-01-31T12:00:00.000Z",
      processed_at: "2026-01-31T12:00:00.000Z",
      source: "pipelines",
      sender: {
        key: {
          key_id: "key_1",
          name: "default",
        },
        token: null,
        user_agent: "curl/8.14.1",
        route: "POST /v1/track",
      },
      kind: "event",
      name: "bought",
      outcome: "applied",
      reason: null,
      reasons: [],
      rule: "track-api §2.5",
      subject: {
        svc_id: "p11000000001",
        id: "ada",
        email: "ada@example.com",
        name: null,
        anonymous_id: null,
        object_type_id: null,
        object_id: null,
      },
      id: "order-1",
      trigger_eligible: true,
      data: {
        film: "Alien",
        price: 9.5,
      },
      changes: [],
      refused: [],
      kept_as: [],
      effects: [
        {
          svc_id: "p11000000001",
          segment_id: 2,
          version: 1,
          change: "entered",
        },
      ],
      request: null,
    },
  },
  {
    title: "A call that was rejected",
    about:
      "An event of somebody whose email is none is answered with a 400. Nothing changed, and the entry keeps what was sent for `rejected_days`.",
    key: "track",
    request: {
      method: "POST",
      path: "/api/v2/entity",
      body: { type: "person", identifiers: { email: "nobody" }, action: "event", name: "bought" },
    },
    entry: {
      operation_id: "op11000000008",
      sequence: 8,
      at: "2026-01-31T12:00:00.000Z",
      original_timestamp: null,
      received_at: "2026-01-31T12:00:00.000Z",
      processed_at: "2026-01-31T12:00:00.000Z",
      source: "track-v2",
      sender: {
        key: {
          key_id: "key_1",
          name: "default",
        },
        token: null,
        user_agent: "curl/8.14.1",
        route: "POST /api/v2/entity",
      },
      kind: "event",
      name: "bought",
      outcome: "rejected",
      reason: "identifiers.email: email must be an address such as name@example.com, without spaces",
      reasons: [
        {
          code: "identifier_not_email",
          field: "identifiers.email",
          values: {},
        },
      ],
      rule: "contract §4 recorded refusals",
      subject: {
        svc_id: null,
        id: null,
        email: null,
        name: null,
        anonymous_id: null,
        object_type_id: null,
        object_id: null,
      },
      id: null,
      trigger_eligible: false,
      data: {
        type: "person",
        identifiers: {
          email: "nobody",
        },
        action: "event",
        name: "bought",
      },
      changes: [],
      refused: [],
      kept_as: [],
      effects: [],
      request: {
        path: "/api/v2/entity",
        key_id: "key_1",
        key_name: "default",
        user_agent: "curl/8.14.1",
        address: "127.0.0.0",
      },
    },
  },
]
