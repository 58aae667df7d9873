import { callTable } from "./pipelinesCalls.ts"
import { receivedAt } from "./requests.ts"

const hour = 3_600_000

callTable("contract §13 clock: the time of a call is corrected by its sentAt", [
  [
    "uses the time of receipt if the call has no timestamp",
    "track",
    { event: "a", sentAt: "2026-03-01T12:00:00Z" },
    { at: receivedAt, originalTimestamp: null },
  ],
  [
    "uses the timestamp unchanged without a sentAt",
    "track",
    { event: "a", timestamp: "2026-03-01T11:00:00.000Z" },
    { at: receivedAt - hour, originalTimestamp: receivedAt - hour },
  ],
  [
    "accepts a timestamp after the time of receipt without a sentAt",
    "track",
    { event: "a", timestamp: "2026-03-01T13:00:00Z" },
    { at: receivedAt + hour },
  ],
  [
    "reads a timestamp with an offset and microseconds",
    "track",
    { event: "a", timestamp: "2026-03-01T12:00:00.123456+01:00" },
    { at: receivedAt - hour + 123 },
  ],
  [
    "prefers originalTimestamp over timestamp",
    "track",
    { event: "a", timestamp: "2026-03-01T11:30:00Z", originalTimestamp: "2026-03-01T11:00:00Z" },
    { at: receivedAt - hour },
  ],
  [
    "corrects the timestamp by the difference of sentAt and receipt",
    "track",
    { event: "a", timestamp: "2009-11-10T22:00:00Z", sentAt: "2009-11-10T23:00:00Z" },
    { at: receivedAt - hour, originalTimestamp: Date.parse("2009-11-10T22:00:00Z") },
  ],
  [
    "caps a corrected time at the time of receipt",
    "track",
    { event: "a", timestamp: "2026-03-01T13:00:00Z", sentAt: "2026-03-01T12:00:00Z" },
    { at: receivedAt, originalTimestamp: receivedAt + hour },
  ],
  [
    "ignores an invalid sentAt",
    "track",
    { event: "a", timestamp: "2026-03-01T11:00:00Z", sentAt: "x" },
    { at: receivedAt - hour },
  ],
  [
    "uses the time of receipt for an invalid timestamp and reports it",
    "track",
    { event: "a", timestamp: "x", sentAt: "2026-03-01T12:00:00Z" },
    {
      at: receivedAt,
      originalTimestamp: null,
      faults: ["invalid timestamp: timestamp must be Unix seconds or an ISO 8601 date-time"],
    },
  ],
  [
    "reports each invalid time of a view",
    "page",
    { timestamp: {}, originalTimestamp: "x" },
    {
      at: receivedAt,
      faults: [
        "invalid originalTimestamp: originalTimestamp must be Unix seconds or an ISO 8601 date-time",
        "invalid timestamp: timestamp must be Unix seconds or an ISO 8601 date-time",
      ],
    },
  ],
  [
    "uses timestamp if originalTimestamp is invalid",
    "track",
    { event: "a", originalTimestamp: "x", timestamp: "2026-03-01T11:00:00Z" },
    { at: receivedAt - hour },
  ],
  [
    "reads a date without a time",
    "track",
    { event: "a", timestamp: "2026-03-01" },
    { at: receivedAt - 12 * hour },
  ],
  [
    "reads a timestamp without seconds",
    "track",
    { event: "a", timestamp: "2026-03-01T11:00Z" },
    { at: receivedAt - hour },
  ],
  [
    "reads a timestamp with nanoseconds",
    "track",
    { event: "a", timestamp: "2026-03-01T11:00:00.123456789Z" },
    { at: receivedAt - hour + 123 },
  ],
  [
    "reads an offset without a colon",
    "track",
    { event: "a", timestamp: "2026-03-01T13:00:00+0200" },
    { at: receivedAt - hour },
  ],
  [
    "reads a number as Unix seconds",
    "track",
    { event: "a", timestamp: receivedAt / 1000 },
    { at: receivedAt },
  ],
  [
    "reads a large number as Unix milliseconds",
    "track",
    { event: "a", timestamp: receivedAt - 1 },
    { at: receivedAt - 1 },
  ],
  [
    "uses the time of receipt if the corrected time is before 1970",
    "track",
    { event: "a", timestamp: 0, sentAt: "2200-01-01" },
    { at: receivedAt, originalTimestamp: 0 },
  ],
])
