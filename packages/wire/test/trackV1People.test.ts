import { assert, describe, it } from "@effect/vitest"
import { svcIdText, SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import { Result } from "effect"
import { valueTexts } from "../src/texts/wireTexts.ts"
import { errorBody, errorsBody } from "../src/track-v1/answers.ts"
import { decodeDelete, decodeIdentify } from "../src/track-v1/people.ts"
import { defaultBrand, makeBrand } from "../src/decoding/Brand.ts"
import {
  assertDecoded,
  assignments,
  bare,
  byEmail,
  byId,
  bySvcId,
  emailOnly,
  idOnly,
  receipt,
  receivedAt,
  envelopeFrom,
} from "./requests.ts"
import { identifyTable } from "./trackV1Identify.ts"

const differing = (kind: string) => [
  `invalid ${kind}: ${kind} differs from the ${kind} that addresses the person`,
]

const svc42 = svcIdText(WorkspaceId.make(7), SubjectKey.make(42))
const longEmail = `${"x".repeat(995)}@a.io`
const svc43 = svcIdText(WorkspaceId.make(7), SubjectKey.make(43))

describe("Track v1 identify", () => {
  it("the decoder reads every field of a Track v1 identify", () => {
    assert.deepStrictEqual(
      Result.getOrThrow(decodeIdentify(receipt("track-v1"), "5", { first_name: "Bob" })),
      {
        _tag: "IdentifyPerson",
        ...envelopeFrom("track-v1"),
        target: { _tag: "ByIdentifier", kind: "id", value: "5" },
        id: null,
        email: null,
        removeEmail: false,
        anonymousId: null,
        assignments: [{ name: "first_name", value: "Bob" }],
        relationships: null,
        device: null,
        updateOnly: false,
      },
    )
  })

  identifyTable("Track v1 identify: the path identifies the person", [
    ["reads the path as an id", "5", {}, { target: byId("5") }],
    ["accepts an id with slashes", "user/with/slashes", {}, { target: byId("user/with/slashes") }],
    ["does not trim an id", "5 ", {}, { target: byId("5 ") }],
    ["reads a phone number as an id", "+4930123456", {}, { target: byId("+4930123456") }],
    ["reads a path with an @ as an email", "a@b.io", {}, { target: bare("a@b.io", byEmail("a@b.io")) }],
    [
      "reads an email as an id if the workspace does not use emails",
      "a@b.io",
      {},
      { target: byId("a@b.io") },
      idOnly,
    ],
    ["reads a@b as an id, since it is not an email", "a@b", {}, { target: byId("a@b") }],
    ["accepts an email of 1000 bytes", longEmail, {}, { target: bare(longEmail, byEmail(longEmail)) }],
    [
      "refuses an email of 1001 bytes",
      `x${longEmail}`,
      {},
      ["too_long identifier: email attribute cannot be longer than 1000 bytes"],
    ],
    [
      "reads a path with the svc prefix as a svc_id",
      `svc_${svc42}`,
      {},
      { target: bare(`svc_${svc42}`, bySvcId(42)) },
    ],
    [
      "reads a path with the cio prefix as a svc_id",
      `cio_${svc42}`,
      {},
      { target: bare(`cio_${svc42}`, bySvcId(42)) },
    ],
    [
      "accepts a malformed svc_id, which matches no person",
      "cio_347f00d",
      {},
      { target: bare("cio_347f00d", bySvcId(null)) },
    ],
    ["accepts an id of 150 bytes", "é".repeat(75), {}, { target: byId("é".repeat(75)) }],
    [
      "refuses an id of 151 bytes in the path",
      `${"é".repeat(75)}x`,
      {},
      ["too_long identifier: id attribute cannot be longer than 150 bytes"],
    ],
    ["refuses an empty path", "", {}, ["required identifier: id attribute must be present"]],
  ])

  identifyTable("Track v1 identify: identifiers in the body", [
    [
      "reads the new email of the person from the body",
      "5",
      { email: "A@b.io" },
      { target: byId("5"), email: "A@b.io", assignments: [] },
    ],
    ["reads the new id of a person addressed by email", "a@b.io", { id: "5" }, { id: "5" }],
    ["accepts a number as id", "5", { id: 5 }, { target: byId("5"), id: "5" }],
    [
      "accepts an id in the body that differs from the id in the path",
      "1234",
      { id: "5" },
      { target: byId("1234"), id: "5" },
    ],
    [
      "reads the anonymous_id to attach to the person",
      "5",
      { anonymous_id: "an" },
      { anonymousId: "an", assignments: [] },
    ],
    ["accepts a number as anonymous_id", "5", { anonymous_id: 12 }, { anonymousId: "12" }],
    [
      "reads null and empty identifiers as missing",
      "5",
      { id: null, email: "", anonymous_id: null, cio_id: "" },
      { id: null, email: null, anonymousId: null, assignments: [] },
    ],
    [
      "stores email as an attribute if the workspace does not use emails",
      "5",
      { email: "a@b.io" },
      { email: null, assignments: assignments(["email", "a@b.io"]) },
      idOnly,
    ],
    [
      "stores id as an attribute if the workspace does not use ids",
      "a@b.io",
      { id: "" },
      { id: null, assignments: assignments(["id", ""]) },
      emailOnly,
    ],
    [
      "prefers a svc_id in the body over the path",
      "5",
      { svc_id: svc42, email: "a@b.io" },
      { target: bySvcId(42), id: "5", email: "a@b.io" },
    ],
    [
      "reads a svc_id in the body with either prefix",
      "5",
      { cio_id: `cio_${svc42}` },
      { target: bySvcId(42), id: "5" },
    ],
    [
      "prefers a svc_id in the body over an email in the path",
      "a@b.io",
      { svc_id: svc42, email: "A@B.io" },
      { target: bySvcId(42), email: "a@b.io" },
    ],
    [
      "accepts the same svc_id in path and body",
      `cio_${svc42}`,
      { cio_id: svc42, id: 5 },
      { target: bare(`cio_${svc42}`, bySvcId(42)), id: "5", assignments: [] },
    ],
    [
      "keeps the svc_id in the path and reports a different svc_id in the body",
      `cio_${svc42}`,
      { cio_id: svc43 },
      {
        target: bare(`cio_${svc42}`, bySvcId(42)),
        faults: differing("svc_id"),
      },
    ],
    [
      "keeps the id in the path and reports a different id in the body",
      "5",
      { svc_id: svc42, id: "6" },
      { target: bySvcId(42), id: "5", faults: differing("id") },
    ],
    ["refuses an empty id", "5", { id: "" }, ["invalid id: id attribute cannot be an empty string"]],
    [
      "refuses an id that is an object",
      "5",
      { id: { a: 1 } },
      ["invalid id: id attribute must be a string value"],
    ],
    [
      "refuses an email that is a boolean",
      "5",
      { email: true },
      ["invalid email: email attribute must be a string value"],
    ],
    [
      "refuses an id of 151 bytes in the body",
      "5",
      { id: "x".repeat(151) },
      ["too_long id: id attribute cannot be longer than 150 bytes"],
    ],
    [
      "refuses an anonymous_id of 151 bytes",
      "5",
      { anonymous_id: "x".repeat(151) },
      ["too_long anonymous_id: anonymous_id attribute cannot be longer than 150 bytes"],
    ],
  ])

  identifyTable("Track v1 identify: the body must be an object", [
    ["refuses an array as body", "5", [1], ["invalid : the body must be a JSON object"]],
    [
      "contract §2 null body: reads a null body as an empty object",
      "5",
      null,
      { target: byId("5"), assignments: [] },
    ],
    ["refuses a string as body", "5", "x", ["invalid : the body must be a JSON object"]],
  ])
})

describe("Track v1 delete", () => {
  it("a Track v1 delete deletes the person in the path", () =>
    assertDecoded(decodeDelete(receipt("track-v1"), "1/"), {
      _tag: "DeletePerson",
      target: byId("1/"),
      at: receivedAt,
    }))
  it("a Track v1 identify refuses an identifier of 151 bytes", () =>
    assertDecoded(decodeDelete(receipt("track-v1"), "x".repeat(151)), [
      "too_long identifier: id attribute cannot be longer than 150 bytes",
    ]))
})

describe("Track v1 error bodies", () => {
  const faults = [valueTexts.missing("a"), valueTexts.notObject("b")]
  it("a Track v1 error joins the messages of all faults", () =>
    assert.deepStrictEqual(errorBody("svc", faults), {
      meta: { error: "a must be present; b must be an object" },
    }))
  it("a Track v1 error body lists the message of each fault", () =>
    assert.deepStrictEqual(errorsBody("svc", faults), {
      meta: { errors: ["a must be present", "b must be an object"] },
    }))
})

describe("configured brand prefixes", () => {
  const brand = makeBrand(["acme", "svc"])
  it("the decoder reads reserved names with each configured brand prefix, such as acme_ or svc_, and with no other prefix", () => {
    const own = { ...receipt("track-v1"), brand }
    assertDecoded(
      decodeIdentify(own, `acme_${svc42}`, { "acme_subscription_preferences.topics.a": true, cio_id: "x" }),
      {
        target: bare(`acme_${svc42}`, bySvcId(42)),
        assignments: assignments(["svc_subscription_preferences.topics.a", true], ["cio_id", "x"]),
      },
    )
    assertDecoded(decodeIdentify(own, "cio_x", {}), { target: byId("cio_x") })
    assert.deepStrictEqual(defaultBrand.prefixes, ["svc_", "cio_"])
  })
})
