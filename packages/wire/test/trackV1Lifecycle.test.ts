import { assert, describe, it } from "@effect/vitest"
import type { ActivityKind } from "@inlethq/core/log/ActivityEntry"
import type { Command } from "@inlethq/core/Command"
import type { RejectOperation } from "@inlethq/core/operation/commands"
import { svcIdText, SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import { Result } from "effect"
import { decodeMerge, decodeSuppress, decodeUnsuppress } from "../src/track-v1/people.ts"
import type { Receipt } from "../src/decoding/Receipt.ts"
import {
  assertDecoded,
  bare,
  byEmail,
  byId,
  bySvcId,
  emailOnly,
  idOnly,
  receipt,
  receivedAt,
  workspace,
  envelopeFrom,
} from "./requests.ts"
import { table } from "./tables.ts"

const svc42 = svcIdText(WorkspaceId.make(7), SubjectKey.make(42))

type Decode = (receipt: Receipt, identifier: string) => Result.Result<Command, RejectOperation>

const operations: ReadonlyArray<readonly [title: string, decode: Decode, tag: string, kind: ActivityKind]> = [
  ["Track v1 suppress", decodeSuppress, "SuppressPerson", "suppress"],
  ["Track v1 unsuppress", decodeUnsuppress, "UnsuppressPerson", "unsuppress"],
]

for (const [title, decode, _tag, kind] of operations) {
  describe(title, () => {
    it("track-api §4.3: v1 calls accept any identifier in the path", () => {
      const target = bare(`cio_${svc42}`, bySvcId(42))
      assertDecoded(decode(receipt("track-v1"), "1/"), { _tag, target: byId("1/"), at: receivedAt })
      assertDecoded(decode(receipt("track-v1"), "a@b.io"), { target: bare("a@b.io", byEmail("a@b.io")) })
      assertDecoded(decode(receipt("track-v1"), `cio_${svc42}`), { target })
    })
    it("track-api §8 person id: an identifier of 151 bytes in the path is refused", () => {
      const refused = decode(receipt("track-v1"), "x".repeat(151))
      assertDecoded(refused, ["too_long identifier: id attribute cannot be longer than 150 bytes"])
      assert.deepInclude(Result.merge(refused), { kind })
    })
    it("a Track v1 call with an empty identifier is refused", () =>
      assertDecoded(decode(receipt("track-v1"), ""), ["required identifier: id attribute must be present"]))
  })
}

describe("Track v1 merge", () => {
  it("the decoder reads every field of a Track v1 merge", () =>
    assert.deepStrictEqual(
      Result.getOrThrow(
        decodeMerge(receipt("track-v1"), { primary: { id: 1 }, secondary: { cio_id: svc42 } }),
      ),
      {
        _tag: "MergePeople",
        ...envelopeFrom("track-v1"),
        primary: { _tag: "ByIdentifier", kind: "id", value: "1" },
        secondary: { _tag: "BySvcId", key: SubjectKey.make(42) },
      },
    ))
})

const primary = (over: typeof workspace, person: unknown) =>
  decodeMerge(receipt("track-v1", over), { primary: person, secondary: { id: "2" } })

table("Track v1 merge: identifiers of the two people", primary, [
  ["track-api §4.3: identifies a person by id", { id: "1" }, { primary: byId("1"), secondary: byId("2") }],
  [
    "reads a value under id as an id, even if it looks like an email",
    { id: "a@b.io" },
    { primary: byId("a@b.io") },
  ],
  ["track-api §4.3: identifies a person by email", { email: "a@b.io" }, { primary: byEmail("a@b.io") }],
  ["track-api §4.3: identifies a person by svc_id", { svc_id: svc42 }, { primary: bySvcId(42) }],
  [
    "contract §1: identifies a person by cio_id with its prefix",
    { cio_id: `cio_${svc42}` },
    { primary: bySvcId(42) },
  ],
  [
    "accepts a malformed svc_id, which matches no person",
    { cio_id: "CIO123" },
    { primary: { ...bySvcId(null), text: "CIO123" } },
  ],
  [
    "reads null and empty identifiers as missing",
    { id: "1", email: null, cio_id: "" },
    { primary: byId("1") },
  ],
  [
    "accepts a merge of a person with themselves, which is refused later, when the merge is applied",
    { id: "2" },
    { primary: byId("2"), secondary: byId("2") },
  ],
  [
    "contract §6: refuses a person with two identifiers",
    { id: "1", email: "a@b.io" },
    ["invalid primary: primary must contain exactly one identifier"],
  ],
  [
    "contract §6: refuses a svc_id together with another identifier",
    { id: "1", cio_id: svc42 },
    ["invalid primary: primary must contain exactly one identifier"],
  ],
  [
    "contract §6: refuses an anonymous id together with another identifier",
    { email: "a@b.io", anonymous_id: "an" },
    ["invalid primary: primary must contain exactly one identifier"],
  ],
  [
    "contract §6: refuses a kind of identifier that the workspace does not use, even together with a kind that it uses",
    { id: "1", email: "a@b.io" },
    ["invalid primary: primary must contain exactly one identifier"],
    idOnly,
  ],
  [
    "contract §6: refuses a person without an identifier",
    {},
    ["required primary: primary must contain an id, email or svc_id"],
  ],
  [
    "track-api §4.2: refuses an email if the workspace identifies people by id only",
    { email: "a@b.io" },
    ["invalid primary.email: email does not identify people in this workspace"],
    idOnly,
  ],
  [
    "refuses an id if the workspace identifies people by email only",
    { id: "1" },
    [
      "invalid primary.id: id does not identify people in this workspace",
      "invalid secondary.id: id does not identify people in this workspace",
    ],
    emailOnly,
  ],
  [
    "refuses an anonymous visitor",
    { anonymous_id: "an" },
    ["invalid primary.anonymous_id: anonymous_id cannot be used for this action"],
  ],
  [
    "refuses a phone number",
    { phone: "+49" },
    ["invalid primary.phone: phone does not identify people in this workspace"],
  ],
  [
    "refuses an id that is not a string",
    { id: true },
    ["invalid primary.id: id attribute must be a string value"],
  ],
  [
    "track-api §8 person id: refuses an id of 151 bytes in a merge",
    { id: "x".repeat(151) },
    ["too_long primary.id: id attribute cannot be longer than 150 bytes"],
  ],
  ["refuses a merge with a missing person", undefined, ["required primary: primary must be present"]],
  ["refuses a person that is not an object", "1", ["invalid primary: primary must be an object"]],
])

describe("Track v1 merge refusals", () => {
  it("a Track v1 merge reports the faults of both people", () => {
    const refused = decodeMerge(receipt("track-v1"), { primary: {}, secondary: null })
    assertDecoded(refused, [
      "required primary: primary must contain an id, email or svc_id",
      "required secondary: secondary must be present",
    ])
    assert.deepInclude(Result.merge(refused), { kind: "merge" })
  })
  it("contract §4: a merge with a body that is not an object is refused", () =>
    assertDecoded(decodeMerge(receipt("track-v1"), null), ["invalid : the body must be a JSON object"]))
})
