import { threadCpuUsage } from "node:process"
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import {
  identifierText,
  looksLikeEmail,
  operationIdText,
  operationSequence,
  Sequence,
  SubjectKey,
  svcIdKey,
  svcIdText,
  WorkspaceId,
} from "@inlethq/core/values/Identifier"
import { isOperationId, isPersonId } from "@inlethq/core/values/idText"
import { propertyOptions } from "./propertyOptions.ts"
import { property } from "./property.ts"

const biggest = Number.MAX_SAFE_INTEGER

const first = WorkspaceId.make(1)

/** Texts that resemble a `svc_id` of the first workspace. Some are valid; others have a wrong sign, case or length. */
const nearSvcIds = Arbitrary.map(
  Arbitrary.all([
    Arbitrary.schema(Schema.Literals(["p11", "p11", "p11", "P11", "o11", "p-11", "p12", "p21", "p201", "p"])),
    Arbitrary.schema(SubjectKey),
  ]),
  ([prefix, key]) => prefix + key.toString(36).padStart(9, "0"),
)

describe("svc_id", () => {
  it.prop(
    "a svc_id decodes to its key and needs no URL escaping",
    [WorkspaceId, SubjectKey],
    ([workspace, key]) => {
      const text = svcIdText(workspace, key)
      assert.strictEqual(svcIdKey(workspace, text), key)
      assert.match(text, /^p[0-9a-z]+$/)
      assert.strictEqual(encodeURIComponent(text), text)
    },
    propertyOptions(500),
  )

  it.each([1, 35, 36, 36 ** 9 - 1, 36 ** 9, biggest - 1, biggest])(
    "the svc_id of key %d decodes to the key",
    (n) => {
      assert.strictEqual(svcIdKey(first, svcIdText(first, SubjectKey.make(n))), n)
    },
  )

  it.prop(
    "a svc_id and an operation id are told from each other without their workspace",
    [WorkspaceId, SubjectKey],
    ([workspace, key]) => {
      const svcId = svcIdText(workspace, key)
      const operation = operationIdText(workspace, Sequence.make(key), null)
      assert.deepStrictEqual([isPersonId(svcId), isOperationId(svcId)], [true, false])
      assert.deepStrictEqual([isPersonId(operation), isOperationId(operation)], [false, true])
      assert.isTrue(isOperationId(`${operation}-12`))
    },
    propertyOptions(500),
  )

  it("a svc_id contains the length of the workspace id and the workspace id before the key", () => {
    const texts = [1, 35, 36, 32_767, biggest].map((workspace) =>
      svcIdText(WorkspaceId.make(workspace), SubjectKey.make(36)),
    )
    assert.deepStrictEqual(texts, [
      "p11000000010",
      "p1z000000010",
      "p210000000010",
      "p3pa7000000010",
      "pb2gosa7pa2gv000000010",
    ])
  })

  it.prop(
    "a svc_id of one workspace is unknown in every other workspace",
    [WorkspaceId, WorkspaceId, SubjectKey],
    ([workspace, other, key]) => {
      if (workspace !== other) assert.isUndefined(svcIdKey(other, svcIdText(workspace, key)))
    },
    propertyOptions(500),
  )

  it.each([
    "",
    "p",
    "p11",
    "p11000000000",
    "p111",
    "p110000000001",
    "P11000000001",
    "p1100000000A",
    "p11-00000001",
    "p1100000001 ",
    " p1100000001",
    "op11000000001",
    "p12000000001",
    "p201000000001",
    "p000000001",
    "p1100000000.",
    "p11zzzzzzzzzzz",
    "p11zzzzzzzzzzzz",
    "p11000000001\n",
    "__proto__",
  ])("%j is not a svc_id", (text) => {
    assert.isUndefined(svcIdKey(first, text))
    if (text !== "p12000000001" && text !== "p201000000001") assert.isFalse(isPersonId(text))
  })

  property(
    "a text is a valid svc_id only in the form that the service writes",
    { of: nearSvcIds, where: (text) => svcIdKey(first, text) !== undefined },
    (text) => {
      const key = svcIdKey(first, text) ?? assert.fail("not a svc_id")
      assert.strictEqual(svcIdText(first, key), text)
    },
    500,
  )
})

describe("operation ids", () => {
  it.prop(
    "the id of a single operation or of a batch item decodes to its log position",
    [WorkspaceId, Sequence, Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 9999 }))],
    ([workspace, sequence, index]) => {
      assert.strictEqual(operationSequence(workspace, operationIdText(workspace, sequence, null)), sequence)
      if (sequence <= index) return
      const text = operationIdText(workspace, sequence, index)
      assert.strictEqual(operationSequence(workspace, text), sequence)
      assert.strictEqual(encodeURIComponent(text), text)
    },
    propertyOptions(500),
  )

  it("operation ids of one batch share the part before the index", () => {
    assert.strictEqual(operationIdText(first, Sequence.make(7), 0), "op11000000007-0")
    assert.strictEqual(operationIdText(first, Sequence.make(9), 2), "op11000000007-2")
    assert.strictEqual(operationIdText(first, Sequence.make(7), null), "op11000000007")
  })

  it.each([
    "",
    "op",
    "op11000000000",
    "op111",
    "op11000000001-",
    "op11000000001-01",
    "op11000000001--1",
    "op11000000001-1.5",
    "op11000000001-12345678",
    "OP11000000001",
    "p11000000001",
    "op12000000001",
    "op11000000001\n",
  ])("%j is not an operation id", (text) => {
    assert.isUndefined(operationSequence(first, text))
  })

  it.prop(
    "decoding any text as an operation id never throws",
    [Schema.String, Sequence, Schema.Natural],
    ([text, sequence, index]) => {
      operationSequence(first, text)
      operationSequence(first, `${operationIdText(first, sequence, null)}-${index}`)
    },
    propertyOptions(500),
  )

  it("an operation id is invalid if its log position is larger than the largest possible position", () => {
    assert.isUndefined(operationSequence(first, `${operationIdText(first, Sequence.make(biggest), null)}-1`))
  })
})

describe("the lookup text of an identifier", () => {
  it("the lookup text of an identifier ignores the case of emails and keeps the case of other identifiers", () => {
    assert.strictEqual(identifierText("email", "A@x"), identifierText("email", "a@X"))
    assert.notStrictEqual(identifierText("id", "A"), identifierText("id", "a"))
    assert.notStrictEqual(identifierText("anonymous_id", "A"), identifierText("anonymous_id", "a"))
  })

  it.prop(
    "the lookup texts of two identifiers differ if their kinds or their values differ",
    [Schema.String, Schema.String],
    ([one, other]) => {
      const texts = [one, other].flatMap((value) => [
        identifierText("id", value),
        identifierText("anonymous_id", value),
      ])
      assert.strictEqual(new Set(texts).size, one === other ? 2 : 4)
    },
    propertyOptions(500),
  )
})

describe("recognizing emails", () => {
  it.each(["a@b.c", "ann.b+tag@mail.example.org", "ü@ü.de"])("%j looks like an email", (text) => {
    assert.isTrue(looksLikeEmail(text))
  })

  it.each(["", "a", "a@b", "@b.c", "a@.c.", "a b@c.d", "a@b@c.d", "a@b.", "svc_p11000000001"])(
    "%j does not look like an email",
    (text) => {
      assert.isFalse(looksLikeEmail(text))
    },
  )

  it("an email is recognized in at most 250 ms of CPU time, even in texts that make a backtracking pattern slow", () => {
    const before = threadCpuUsage()
    for (const text of [`${"a@".repeat(20_000)}b`, `a@${".".repeat(40_000)}@`, `${"a".repeat(40_000)}@b`])
      assert.isFalse(looksLikeEmail(text))
    assert.isBelow(threadCpuUsage(before).user, 250_000)
  })
})
