import { assert, describe, it } from "@effect/vitest"
import { svcIdText, SubjectKey } from "@inlet/core/values/Identifier"
import { Result } from "effect"
import { decodeMembership } from "@inlet/api/track-v1/segments"
import { assertDecoded, byEmail, byId, bySvcId, idOnly, receipt, receivedAt, workspace } from "./requests.ts"
import { table, withLimits } from "./tables.ts"

const svc42 = svcIdText(SubjectKey.make(42))
const nobody = bySvcId(null)

describe("v1 segment membership", () => {
  it("fills the whole envelope", () =>
    assert.deepStrictEqual(
      Result.getOrThrow(decodeMembership(receipt("track-v1"), "add", "12", "", { ids: ["5"] })),
      {
        _tag: "ChangeMembership",
        workspace,
        source: "track-v1",
        receivedAt,
        at: receivedAt,
        followsReceipt: true,
        originalTimestamp: null,
        batchIndex: null,
        deduplicationKey: null,
        faults: [],
        segment: SubjectKey.make(12),
        action: "add",
        people: [{ _tag: "ByIdentifier", kind: "id", value: "5" }],
      },
    ))

  it("knows what it refuses", () => {
    const refused = decodeMembership(receipt("track-v1"), "remove", "12", "", [])
    assertDecoded(refused, ["invalid : the body must be a JSON object"])
    assert.deepInclude(Result.merge(refused), { kind: "segment_remove" })
  })
})

const segment = (_over: typeof workspace, segmentId: string) =>
  decodeMembership(receipt("track-v1"), "remove", segmentId, "", { ids: ["5"] })

table("v1 segment id", segment, [
  ["track-api §2.8: an integer", "12", { action: "remove", segment: 12 }],
  ["the largest one", "9007199254740991", { segment: 9_007_199_254_740_991 }],
  ["beyond all integers", "9007199254740993", { segment: null }],
  ["contract §12: none", "abc", { segment: null }],
  ["contract §12: a decimal", "1.5", { segment: null }],
  ["contract §12: zero", "0", { segment: null }],
  ["contract §12: negative", "-1", { segment: null }],
  ["contract §12: an exponent", "1e3", { segment: null }],
  ["contract §12: nothing", "", { segment: null }],
])

const by = (over: typeof workspace, [query, ids]: readonly [query: string, ids: unknown]) =>
  decodeMembership(receipt("track-v1", over), "add", "12", query, { ids })

table("v1 segment ids", by, [
  ["track-api §4.3: ids by default", ["", ["1", "a@b.io"]], { people: [byId("1"), byId("a@b.io")] }],
  ["track-api §4.3: ids", ["id_type=id", ["1"]], { people: [byId("1")] }],
  ["track-api §4.3: emails", ["x=1&id_type=email", ["a@b.io", "5"]], { people: [byEmail("a@b.io"), nobody] }],
  ["track-api §4.3: svc_id", ["id_type=svc_id", [svc42]], { people: [bySvcId(42)] }],
  [
    "contract §1: svc_id in the other spelling, with its prefix or another's",
    ["id_type=cio_id", [`cio_${svc42}`, svc42, "cio_abc123"]],
    { people: [bySvcId(42), bySvcId(42), nobody] },
  ],
  ["an empty id_type", ["id_type=", ["1"]], { people: [byId("1")] }],
  ["an escaped id_type", ["id_type=%65mail", ["a@b.io"]], { people: [byEmail("a@b.io")] }],
  [
    "contract §12: another id_type",
    ["id_type=phone", ["1"]],
    ["invalid id_type: id_type must be one of id, email and svc_id"],
  ],
  [
    "an id_type of the prototype",
    ["id_type=constructor", ["1"]],
    ["invalid id_type: id_type must be one of id, email and svc_id"],
  ],
  [
    "contract §12: emails where people have only ids",
    ["id_type=email", ["a@b.io"]],
    { people: [byEmail("a@b.io")] },
    idOnly,
  ],
  ["numbers become strings", ["", [1, 2.5]], { people: [byId("1"), byId("2.5")] }],
  [
    "contract §12: what can be nobody's id counts",
    ["", ["", "é".repeat(75), `${"é".repeat(75)}x`]],
    { people: [nobody, byId("é".repeat(75)), nobody] },
  ],
  [
    "ids of a wrong type",
    ["", ["1", null, {}, true]],
    [
      "invalid ids.1: ids.1 must be a string",
      "invalid ids.2: ids.2 must be a string",
      "invalid ids.3: ids.3 must be a string",
    ],
  ],
  ["contract §4: no ids", ["", undefined], ["required ids: ids must be present"]],
  ["contract §4: empty ids", ["", []], ["required ids: ids must hold at least one id"]],
  ["ids that are no array", ["", "1"], ["invalid ids: ids must be an array"]],
  [
    "track-api §8 ids: as many as there may be",
    ["", ["1", "2"]],
    { people: [byId("1"), byId("2")] },
    withLimits({ segmentIdsMax: 2 }),
  ],
  [
    "track-api §8 ids: one more",
    ["", ["1", "2", "3"]],
    ["too_many ids: ids cannot hold more than 2 ids"],
    withLimits({ segmentIdsMax: 2 }),
  ],
  [
    "track-api §8 ids: 1001",
    ["", Array.from({ length: 1001 }, String)],
    ["too_many ids: ids cannot hold more than 1000 ids"],
  ],
  [
    "everything that is wrong",
    ["id_type=x", null],
    ["invalid id_type: id_type must be one of id, email and svc_id", "required ids: ids must be present"],
  ],
])
