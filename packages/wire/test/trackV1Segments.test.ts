import { assert, describe, it } from "@effect/vitest"
import { svcIdText, SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import { Result } from "effect"
import { decodeMembership } from "../src/track-v1/segments.ts"
import {
  assertDecoded,
  byEmail,
  byId,
  bySvcId,
  idOnly,
  receipt,
  workspace,
  envelopeFrom,
} from "./requests.ts"
import { table, withLimits } from "./tables.ts"

const svc42 = svcIdText(WorkspaceId.make(7), SubjectKey.make(42))
const noPerson = bySvcId(null)

describe("Track v1 segment membership", () => {
  it("the decoder reads every field of a segment call", () =>
    assert.deepStrictEqual(
      Result.getOrThrow(decodeMembership(receipt("track-v1"), "add", "12", "", { ids: ["5"] })),
      {
        _tag: "ChangeMembership",
        ...envelopeFrom("track-v1"),
        segment: SubjectKey.make(12),
        action: "add",
        people: [{ _tag: "ByIdentifier", kind: "id", value: "5" }],
      },
    ))

  it("a refused segment call is recorded with the kind of its operation", () => {
    const refused = decodeMembership(receipt("track-v1"), "remove", "12", "", [])
    assertDecoded(refused, ["invalid : the body must be a JSON object"])
    assert.deepInclude(Result.merge(refused), { kind: "segment_remove" })
  })
})

const segment = (_over: typeof workspace, segmentId: string) =>
  decodeMembership(receipt("track-v1"), "remove", segmentId, "", { ids: ["5"] })

table("Track v1 segment id", segment, [
  ["track-api §2.8: accepts an integer", "12", { action: "remove", segment: 12 }],
  ["accepts the largest exact integer", "9007199254740991", { segment: 9_007_199_254_740_991 }],
  ["accepts an integer beyond 2^53, which matches no segment", "9007199254740993", { segment: null }],
  ["contract §12: accepts a text that is not a number, which matches no segment", "abc", { segment: null }],
  ["contract §12: accepts a decimal, which matches no segment", "1.5", { segment: null }],
  ["contract §12: accepts zero, which matches no segment", "0", { segment: null }],
  ["contract §12: accepts a negative number, which matches no segment", "-1", { segment: null }],
  ["contract §12: accepts a number with an exponent, which matches no segment", "1e3", { segment: null }],
  ["contract §12: accepts an empty segment id, which matches no segment", "", { segment: null }],
])

const by = (over: typeof workspace, [query, ids]: readonly [query: string, ids: unknown]) =>
  decodeMembership(receipt("track-v1", over), "add", "12", query, { ids })

table("Track v1 segment people", by, [
  ["track-api §4.3: reads ids by default", ["", ["1", "a@b.io"]], { people: [byId("1"), byId("a@b.io")] }],
  ["track-api §4.3: reads ids if id_type is id", ["id_type=id", ["1"]], { people: [byId("1")] }],
  [
    "track-api §4.3: reads emails if id_type is email",
    ["x=1&id_type=email", ["a@b.io", "5"]],
    { people: [byEmail("a@b.io"), noPerson] },
  ],
  [
    "track-api §4.3: reads svc_ids if id_type is svc_id",
    ["id_type=svc_id", [svc42]],
    { people: [bySvcId(42)] },
  ],
  [
    "contract §1: reads svc_ids with and without a prefix if id_type is cio_id",
    ["id_type=cio_id", [`cio_${svc42}`, svc42, "cio_abc123"]],
    { people: [bySvcId(42), bySvcId(42), { ...noPerson, text: "cio_abc123" }] },
  ],
  ["reads ids if id_type is empty", ["id_type=", ["1"]], { people: [byId("1")] }],
  ["decodes percent escapes in id_type", ["id_type=%65mail", ["a@b.io"]], { people: [byEmail("a@b.io")] }],
  [
    "contract §12: refuses an unknown id_type",
    ["id_type=phone", ["1"]],
    ["invalid id_type: id_type must be one of id, email and svc_id"],
  ],
  [
    'refuses the text "constructor" as id_type',
    ["id_type=constructor", ["1"]],
    ["invalid id_type: id_type must be one of id, email and svc_id"],
  ],
  [
    "contract §12: reads emails even if the workspace identifies people by id only",
    ["id_type=email", ["a@b.io"]],
    { people: [byEmail("a@b.io")] },
    idOnly,
  ],
  ["accepts numbers as ids", ["", [1, 2.5]], { people: [byId("1"), byId("2.5")] }],
  [
    "contract §12: ignores an id that no person can have",
    ["", ["", "é".repeat(75), `${"é".repeat(75)}x`]],
    { people: [noPerson, byId("é".repeat(75)), noPerson] },
  ],
  [
    "refuses ids that are not strings",
    ["", ["1", null, {}, true]],
    [
      "invalid ids.1: ids.1 must be a string",
      "invalid ids.2: ids.2 must be a string",
      "invalid ids.3: ids.3 must be a string",
    ],
  ],
  ["contract §4: refuses a body without ids", ["", undefined], ["required ids: ids must be present"]],
  ["contract §4: refuses an empty list of ids", ["", []], ["required ids: ids must contain at least one id"]],
  ["refuses ids that are not an array", ["", "1"], ["invalid ids: ids must be an array"]],
  [
    "track-api §8 ids: accepts as many ids as the workspace allows",
    ["", ["1", "2"]],
    { people: [byId("1"), byId("2")] },
    withLimits({ segmentIdsMax: 2 }),
  ],
  [
    "track-api §8 ids: refuses one id more than the workspace allows",
    ["", ["1", "2", "3"]],
    ["too_many ids: ids cannot contain more than 2 ids"],
    withLimits({ segmentIdsMax: 2 }),
  ],
  [
    "track-api §8 ids: refuses 1001 ids",
    ["", Array.from({ length: 1001 }, String)],
    ["too_many ids: ids cannot contain more than 1000 ids"],
  ],
  [
    "reports a wrong id_type and missing ids together",
    ["id_type=x", null],
    ["invalid id_type: id_type must be one of id, email and svc_id", "required ids: ids must be present"],
  ],
])
