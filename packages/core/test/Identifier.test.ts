import { threadCpuUsage } from "node:process"
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import {
  deduplicationText,
  identifierText,
  looksLikeEmail,
  operationIdText,
  operationSequence,
  Sequence,
  SubjectKey,
  svcIdKey,
  svcIdText,
  WorkspaceId,
} from "@inlet/core/values/Identifier"
import { propertyOptions } from "./propertyOptions.ts"
import { property } from "./property.ts"

const biggest = Number.MAX_SAFE_INTEGER

/** Texts that resemble a `svc_id`. Some are valid; others have a wrong sign, case or length. */
const nearSvcIds = Arbitrary.map(
  Arbitrary.all([
    Arbitrary.schema(Schema.Literals(["p", "p", "p", "P", "o", "p-"])),
    Arbitrary.schema(SubjectKey),
  ]),
  ([prefix, key]) => prefix + key.toString(36).padStart(9, "0"),
)

describe("svc_id", () => {
  it.prop(
    "a svc_id decodes to its key and needs no URL escaping",
    [SubjectKey],
    ([key]) => {
      const text = svcIdText(key)
      assert.strictEqual(svcIdKey(text), key)
      assert.strictEqual(encodeURIComponent(text), text)
    },
    propertyOptions(500),
  )

  it.each([1, 35, 36, 36 ** 9 - 1, 36 ** 9, biggest - 1, biggest])(
    "the svc_id of key %d decodes to the key",
    (n) => {
      assert.strictEqual(svcIdKey(svcIdText(SubjectKey.make(n))), n)
    },
  )

  it.each([
    "",
    "p",
    "p0",
    "p000000000",
    "p1",
    "p0000000001",
    "P000000001",
    "p00000000A",
    "p-00000001",
    "p00000001 ",
    " p00000001",
    "op0000000001",
    "p00000000.",
    "pzzzzzzzzzzz",
    "pzzzzzzzzzzzz",
    "p000000001\n",
    "__proto__",
  ])("%j is not a svc_id", (text) => {
    assert.isUndefined(svcIdKey(text))
  })

  property(
    "a text is a valid svc_id only in the form that the service writes",
    { of: nearSvcIds, where: (text) => svcIdKey(text) !== undefined },
    (text) => {
      const key = svcIdKey(text) ?? assert.fail("not a svc_id")
      assert.strictEqual(svcIdText(key), text)
    },
    500,
  )
})

describe("operation ids", () => {
  it.prop(
    "an operation id decodes to its position, alone and in a batch",
    [Sequence, Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 9999 }))],
    ([sequence, index]) => {
      assert.strictEqual(operationSequence(operationIdText(sequence, null)), sequence)
      if (sequence <= index) return
      const text = operationIdText(sequence, index)
      assert.strictEqual(operationSequence(text), sequence)
      assert.strictEqual(encodeURIComponent(text), text)
    },
    propertyOptions(500),
  )

  it("operation ids of one batch share the part before the index", () => {
    assert.strictEqual(operationIdText(Sequence.make(7), 0), "op0000000007-0")
    assert.strictEqual(operationIdText(Sequence.make(9), 2), "op0000000007-2")
    assert.strictEqual(operationIdText(Sequence.make(7), null), "op0000000007")
  })

  it.each([
    "",
    "op",
    "op0000000000",
    "op1",
    "op0000000001-",
    "op0000000001-01",
    "op0000000001--1",
    "op0000000001-1.5",
    "op0000000001-12345678",
    "OP0000000001",
    "p000000001",
    "op0000000001\n",
  ])("%j is not an operation id", (text) => {
    assert.isUndefined(operationSequence(text))
  })

  it.prop(
    "decoding an operation id never throws",
    [Schema.String, Sequence, Schema.Natural],
    ([text, sequence, index]) => {
      operationSequence(text)
      operationSequence(`${operationIdText(sequence, null)}-${index}`)
    },
    propertyOptions(500),
  )

  it("an operation id beyond the last position is invalid", () => {
    assert.isUndefined(operationSequence(`${operationIdText(Sequence.make(biggest), null)}-1`))
  })
})

describe("the lookup text of an identifier", () => {
  const workspace = WorkspaceId.make(1)

  it("ignores the case of emails and keeps the case of other identifiers", () => {
    assert.strictEqual(identifierText(workspace, "email", "A@x"), identifierText(workspace, "email", "a@X"))
    assert.notStrictEqual(identifierText(workspace, "id", "A"), identifierText(workspace, "id", "a"))
    assert.notStrictEqual(
      identifierText(workspace, "anonymous_id", "A"),
      identifierText(workspace, "anonymous_id", "a"),
    )
  })

  it.prop(
    "differs if workspace, kind or value differ",
    [WorkspaceId, Schema.String, WorkspaceId, Schema.String],
    ([one, text, other, otherText]) => {
      const all = [
        [one, text],
        [other, otherText],
      ] as const
      const texts = all.flatMap(([id, value]) => [
        identifierText(id, "id", value),
        identifierText(id, "anonymous_id", value),
      ])
      const same = one === other && text === otherText
      assert.strictEqual(new Set(texts).size, same ? 2 : 4)
      assert.strictEqual(deduplicationText(one, text) === deduplicationText(other, otherText), same)
    },
    propertyOptions(500),
  )
})

describe("recognizing emails", () => {
  it.each(["a@b.c", "ann.b+tag@mail.example.org", "ü@ü.de"])("%j looks like an email", (text) => {
    assert.isTrue(looksLikeEmail(text))
  })

  it.each(["", "a", "a@b", "@b.c", "a@.c.", "a b@c.d", "a@b@c.d", "a@b.", "svc_p000000001"])(
    "%j does not look like an email",
    (text) => {
      assert.isFalse(looksLikeEmail(text))
    },
  )

  it("takes at most 250 ms of CPU time for texts that make a backtracking pattern slow", () => {
    const before = threadCpuUsage()
    for (const text of [`${"a@".repeat(20_000)}b`, `a@${".".repeat(40_000)}@`, `${"a".repeat(40_000)}@b`])
      assert.isFalse(looksLikeEmail(text))
    assert.isBelow(threadCpuUsage(before).user, 250_000)
  })
})
