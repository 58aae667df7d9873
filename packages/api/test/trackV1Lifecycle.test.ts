import { assert, describe, it } from "@effect/vitest"
import type { ActivityKind } from "@inlet/core/log/ActivityEntry"
import type { Command } from "@inlet/core/Command"
import type { RejectOperation } from "@inlet/core/operation/commands"
import { svcIdText, SubjectKey } from "@inlet/core/values/Identifier"
import { Result } from "effect"
import { decodeMerge, decodeSuppress, decodeUnsuppress } from "@inlet/api/track-v1/people"
import type { Receipt } from "@inlet/api/wire/Receipt"
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
} from "./requests.ts"
import { table } from "./tables.ts"

const svc42 = svcIdText(SubjectKey.make(42))

type Decode = (receipt: Receipt, identifier: string) => Result.Result<Command, RejectOperation>

const operations: ReadonlyArray<readonly [title: string, decode: Decode, tag: string, kind: ActivityKind]> = [
  ["v1 suppress", decodeSuppress, "SuppressPerson", "suppress"],
  ["v1 unsuppress", decodeUnsuppress, "UnsuppressPerson", "unsuppress"],
]

for (const [title, decode, _tag, kind] of operations) {
  describe(title, () => {
    it("track-api §4.3: by any identifier", () => {
      const target = bare(`cio_${svc42}`, bySvcId(42))
      assertDecoded(decode(receipt("track-v1"), "1/"), { _tag, target: byId("1/"), at: receivedAt })
      assertDecoded(decode(receipt("track-v1"), "a@b.io"), { target: bare("a@b.io", byEmail("a@b.io")) })
      assertDecoded(decode(receipt("track-v1"), `cio_${svc42}`), { target })
    })
    it("track-api §8 person id: 151 bytes", () => {
      const refused = decode(receipt("track-v1"), "x".repeat(151))
      assertDecoded(refused, ["too_long identifier: id attribute cannot be longer than 150 bytes"])
      assert.deepInclude(Result.merge(refused), { kind })
    })
    it("nobody", () =>
      assertDecoded(decode(receipt("track-v1"), ""), ["required identifier: id attribute must be present"]))
  })
}

describe("v1 merge", () => {
  it("fills the whole envelope", () =>
    assert.deepStrictEqual(
      Result.getOrThrow(
        decodeMerge(receipt("track-v1"), { primary: { id: 1 }, secondary: { cio_id: svc42 } }),
      ),
      {
        _tag: "MergePeople",
        workspace,
        source: "track-v1",
        receivedAt,
        at: receivedAt,
        followsReceipt: true,
        originalTimestamp: null,
        batchIndex: null,
        deduplicationKey: null,
        faults: [],
        primary: { _tag: "ByIdentifier", kind: "id", value: "1" },
        secondary: { _tag: "BySvcId", key: SubjectKey.make(42) },
      },
    ))
})

const primary = (over: typeof workspace, person: unknown) =>
  decodeMerge(receipt("track-v1", over), { primary: person, secondary: { id: "2" } })

table("v1 merge: each of the two", primary, [
  ["track-api §4.3: by id", { id: "1" }, { primary: byId("1"), secondary: byId("2") }],
  ["an id that looks like an email", { id: "a@b.io" }, { primary: byId("a@b.io") }],
  ["track-api §4.3: by email", { email: "a@b.io" }, { primary: byEmail("a@b.io") }],
  ["track-api §4.3: by svc_id", { svc_id: svc42 }, { primary: bySvcId(42) }],
  ["contract §1: by cio_id, with its prefix", { cio_id: `cio_${svc42}` }, { primary: bySvcId(42) }],
  ["by a svc_id that is none of ours", { cio_id: "CIO123" }, { primary: bySvcId(null) }],
  ["null and empty are absent", { id: "1", email: null, cio_id: "" }, { primary: byId("1") }],
  ["the same person is left to be decided", { id: "2" }, { primary: byId("2"), secondary: byId("2") }],
  [
    "contract §6: two identifiers",
    { id: "1", email: "a@b.io" },
    ["invalid primary: primary must hold exactly one identifier"],
  ],
  [
    "contract §6: a svc_id and another",
    { id: "1", cio_id: svc42 },
    ["invalid primary: primary must hold exactly one identifier"],
  ],
  [
    "contract §6: an anonymous id beside",
    { email: "a@b.io", anonymous_id: "an" },
    ["invalid primary: primary must hold exactly one identifier"],
  ],
  [
    "contract §6: one that is not used beside one that is",
    { id: "1", email: "a@b.io" },
    ["invalid primary: primary must hold exactly one identifier"],
    idOnly,
  ],
  ["contract §6: none", {}, ["required primary: primary must hold one of id, email and svc_id"]],
  [
    "track-api §4.2: an email where people have only ids",
    { email: "a@b.io" },
    ["invalid primary.email: email does not identify people in this workspace"],
    idOnly,
  ],
  [
    "an id where people have only emails",
    { id: "1" },
    [
      "invalid primary.id: id does not identify people in this workspace",
      "invalid secondary.id: id does not identify people in this workspace",
    ],
    emailOnly,
  ],
  [
    "a visitor",
    { anonymous_id: "an" },
    ["invalid primary.anonymous_id: anonymous_id cannot be used for this action"],
  ],
  ["a phone", { phone: "+49" }, ["invalid primary.phone: phone does not identify people in this workspace"]],
  ["a wrong type", { id: true }, ["invalid primary.id: id attribute must be a string value"]],
  [
    "track-api §8 person id: 151 bytes",
    { id: "x".repeat(151) },
    ["too_long primary.id: id attribute cannot be longer than 150 bytes"],
  ],
  ["absent", undefined, ["required primary: primary must be present"]],
  ["no object", "1", ["invalid primary: primary must be an object"]],
])

describe("v1 merge refusals", () => {
  it("say everything that is wrong", () => {
    const refused = decodeMerge(receipt("track-v1"), { primary: {}, secondary: null })
    assertDecoded(refused, [
      "required primary: primary must hold one of id, email and svc_id",
      "required secondary: secondary must be present",
    ])
    assert.deepInclude(Result.merge(refused), { kind: "merge" })
  })
  it("contract §4: want an object", () =>
    assertDecoded(decodeMerge(receipt("track-v1"), null), ["invalid : the body must be a JSON object"]))
})
