import { assert, describe, it } from "@effect/vitest"
import { explain, type Circumstances } from "../src/explanation/explain.ts"
import { concernOf, operationTitle } from "../src/explanation/operationTitle.ts"
import { changedPaths, overridesOf, stalePaths } from "../src/explanation/overriding.ts"
import type { ActivityDocument } from "@inlethq/contract/activity/ActivityLog"
import { decisionTexts, dropTexts, ignoreTexts } from "@inlethq/core/log/operationTexts"
import { Outcome } from "@inlethq/core/log/Outcome"
import { reasonsOf } from "@inlethq/core/log/reasonsOf"
import { clauseNames } from "@inlethq/core/log/ClauseName"
import { SubjectKey } from "@inlethq/core/values/Identifier"
import { remediesOf } from "@inlethq/wire/texts/sentences"
import { attributeTexts, requestTexts, valueTexts } from "@inlethq/wire/texts/wireTexts"
import { entryWith } from "./entries.ts"

const alone: Circumstances = { brand: "svc", replacedLater: [], newerBefore: [], owners: [] }

const nobody = { ...entryWith({}).subject, svc_id: null, id: null }

const setTo = (path: string) => ({ path, from: null, to: "x" })

const stale = (field: string) =>
  decisionTexts.stale(field, { sent: "2026-01-01T00:00:00.000Z", stored: "2026-01-02T00:00:00.000Z" })

describe("the summary of an operation", () => {
  it.each([
    [{}, 'The event "signed_up" for ada was stored. It changed no field.'],
    [
      { kind: "identify", name: null, changes: ["a", "b", "c", "d", "e", "f", "g"].map(setTo) },
      "The identify call for ada was applied. It set a, b, c, d, e and 2 more.",
    ],
    [
      { kind: "identify", name: null, outcome: "created", changes: [setTo("id"), setTo("email")] },
      "The identify call for ada was applied and created the person. It set id and email.",
    ],
    [
      {
        kind: "identify",
        name: null,
        outcome: "partial",
        reasons: reasonsOf([decisionTexts.takenIdentifier("email")]),
      },
      "The identify call for ada was applied in part. Left out: email: email belongs to another person.",
    ],
    [
      {
        outcome: "dropped",
        reasons: [dropTexts.unknownSvcId()],
        subject: { ...entryWith({}).subject, svc_id: null, id: null },
      },
      'The event "signed_up" was dropped: unknown svc_id (no person has it). Nothing was changed.',
    ],
    [{ outcome: "ignored" }, 'The event "signed_up" for ada was ignored, because the person is suppressed.'],
    [
      { outcome: "ignored", reasons: [ignoreTexts.suppressed()] },
      'The event "signed_up" for ada was ignored, because the person is suppressed.',
    ],
    [
      { outcome: "ignored", reasons: [ignoreTexts.bot()] },
      'The event "signed_up" for ada was ignored, because the user agent is that of a bot.',
    ],
    [
      { kind: null, name: null, outcome: "rejected", reasons: reasonsOf([requestTexts.malformed("")]) },
      "The request for ada was rejected: the body is not valid JSON. Nothing was changed.",
    ],
  ] satisfies ReadonlyArray<readonly [Parameters<typeof entryWith>[0], string]>)(
    "explains an entry with the fields %j",
    (over, summary) => assert.strictEqual(explain(entryWith(over), alone).summary, summary),
  )

  it("the summary of an operation names the fields that later operations set again", () => {
    const replacedLater = [{ path: "attributes.plan", operation_id: "op1100000000b" }]
    const { overridden_by, summary } = explain(entryWith({ changes: [setTo("attributes.plan")] }), {
      ...alone,
      replacedLater,
    })
    assert.include(summary, "Later operations set attributes.plan again.")
    assert.deepStrictEqual(overridden_by, replacedLater)
  })

  it("the summary of every outcome has whole sentences, and advice if something went wrong", () => {
    for (const outcome of Outcome.literals) {
      const { advice, summary } = explain(entryWith({ outcome }), alone)
      for (const text of [advice, summary]) assert.match(text, /^[A-Z].*\.$/)
    }
  })
})

describe("the title of an operation", () => {
  const none = { kind: null, name: null }
  it.each([
    [{ kind: "event", name: "bought" }, ["event", "bought"]],
    [{ ...none, data: { delivery_id: "d1", channel: "email" } }, ["delivery", "d1"]],
    [{ ...none, data: { segment_id: 3, name: "Beta" } }, ["segment", "Beta"]],
    [{ ...none, data: { segment_id: 3 } }, ["segment", "3"]],
    [{ ...none, data: { form_id: "contact", mapping: {} } }, ["form", "contact"]],
    [{ ...none, data: null }, ["request", null]],
    [{ ...none, data: null, source: "system" }, ["segment_build", null]],
    [{ ...none, outcome: "rejected", data: { type: "person", action: "fly" } }, ["person fly", null]],
    [{ ...none, outcome: "rejected", data: { type: "x".repeat(99), form_id: "a" } }, ["x".repeat(60), null]],
    [{ ...none, outcome: "rejected", data: { action: 1 } }, ["request", null]],
  ] satisfies ReadonlyArray<readonly [Partial<ActivityDocument>, readonly [string, string | null]]>)(
    "an operation with the fields %j is called %j",
    (over, [kind, name]) => assert.deepStrictEqual(operationTitle(entryWith(over)), { kind, name }),
  )

  it("the summary names what was changed if the operation has no kind", () => {
    const created = { ...none, outcome: "created", data: { segment_id: 3, name: "Beta" } } as const
    assert.strictEqual(
      explain(entryWith({ ...created, subject: nobody }), alone).summary,
      'The change of the segment "Beta" was applied and created the segment.',
    )
  })
})

describe("what an operation concerns that is about nobody", () => {
  const segment = { segment_id: SubjectKey.make(3), name: "Beta" }
  const path = "/api/v1/customers/ada"
  const request = { path, key_id: null, key_name: null, user_agent: null, address: null }
  const refused = { outcome: "rejected", subject: nobody, request } as const
  it.each([
    [{ kind: "segment_add", subject: { ...nobody, segment } }, "segment Beta"],
    [{ kind: null, subject: { ...nobody, segment }, data: { segment_id: 3, name: "Beta" } }, "nothing"],
    [{ ...refused, source: "track-v2", data: { identifiers: { id: "ada" } } }, "sent ada"],
    [
      { ...refused, source: "track-v2", data: { action: "merge", primary: { email: "a@b.c" } } },
      "sent a@b.c",
    ],
    [{ ...refused, source: "pipelines", data: { userId: "", anonymousId: "v1" } }, "sent v1"],
    [{ ...refused, source: "track-v1", data: { identifiers: { id: "bob" } } }, `path ${path}`],
    [{ ...refused, source: "track-v2", data: null }, `path ${path}`],
    [{ subject: nobody }, "nothing"],
  ] satisfies ReadonlyArray<readonly [Partial<ActivityDocument>, string]>)(
    "an operation with the fields %j concerns %s",
    (over, concern) => {
      const found = concernOf(entryWith({ source: "management", data: null, ...over }))
      assert.strictEqual(found === null ? "nothing" : `${found.kind} ${found.text}`, concern)
    },
  )

  it("the summary names the segment unless the title does", () => {
    const about = { name: null, data: null, subject: { ...nobody, segment } }
    const summaryOf = (over: Partial<ActivityDocument>) =>
      explain(entryWith({ ...about, ...over }), alone).summary
    assert.include(summaryOf({ kind: "segment_add" }), 'The addition to a segment for "Beta" was applied.')
    const step = { kind: null, source: "system" } as const
    assert.include(summaryOf(step), 'The step of building a rule for "Beta" was applied.')
    const data = { segment_id: 3, name: "Beta" }
    assert.include(summaryOf({ kind: null, data }), 'The change of the segment "Beta" was applied.')
  })
})

describe("the owner of a refused identifier", () => {
  const ada = { svc_id: "p11000000002", id: "ada", email: "ada@example.com" }
  const email = {
    path: "email",
    value: "ada@example.com",
    reason: "email belongs to another person",
    code: "taken_identifier",
    rule: "contract §6 taken identifiers",
    other: { svc_id: "p11000000002" },
  }
  const bob = { ...entryWith({}).subject, svc_id: "p11000000001", id: "bob" }
  const entry = entryWith({
    kind: "identify",
    outcome: "partial",
    subject: bob,
    refused: [email],
    reasons: reasonsOf([decisionTexts.takenIdentifier("email")]),
  })
  const owners = [{ path: "email", person: ada }]

  it("names the owner, and advises the merge with both people", () => {
    const { advice, merge, summary } = explain(entry, { ...alone, owners })
    assert.include(summary, "Left out: email belongs to ada@example.com.")
    assert.strictEqual(
      advice,
      "If bob and ada@example.com are the same person, merge ada@example.com into bob. Otherwise correct the call.",
    )
    assert.deepStrictEqual(merge, {
      primary: { svc_id: "p11000000001", id: "bob", email: null },
      secondary: ada,
    })
  })

  it("advises no merge once the owner is gone, or of one person with themselves", () => {
    assert.isNull(explain(entry, alone).merge)
    const self = { path: "email", person: { ...ada, svc_id: "p11000000001" } }
    assert.isNull(explain(entry, { ...alone, owners: [self] }).merge)
  })

  it("says that the person has the identifier once the two people are merged", () => {
    const self = { path: "email", person: { ...ada, svc_id: "p11000000001" } }
    const { advice, summary } = explain(entry, { ...alone, owners: [self] })
    assert.include(summary, "Left out: email: email belongs to another person.")
    assert.strictEqual(advice, "The person has this email by now. There is nothing to do.")
    const bad = { ...entry, reasons: [...entry.reasons, ...reasonsOf([requestTexts.malformed("")])] }
    const others = explain(bad, { ...alone, owners: [self] })
    assert.strictEqual(others.advice, `The person has this email by now. ${requestTexts.malformed.remedy}`)
  })

  it("advises the merge for the identifier that somebody else still has", () => {
    const id = { ...email, path: "id", value: "ada" }
    const self = { path: "email", person: { ...ada, svc_id: "p11000000001" } }
    const { advice, merge } = explain(
      { ...entry, refused: [email, id] },
      { ...alone, owners: [self, { path: "id", person: ada }] },
    )
    assert.deepStrictEqual(merge?.secondary, ada)
    assert.match(advice, /^The person has this email by now\. If bob and .*correct the call\.$/)
  })
})

describe("the rule of an explanation", () => {
  it("an explanation has the title and text of each rule that an entry can name", () => {
    for (const name of clauseNames) {
      const { rule } = explain(entryWith({ rule: name }), alone)
      assert.strictEqual(rule?.rule, name)
      assert.notStrictEqual(rule?.text, "")
    }
  })

  it("an explanation has no rule if the log entry does not name a rule", () =>
    assert.isNull(explain(entryWith({ rule: null }), alone).rule))
})

describe("the remedies of reasons", () => {
  it("the remedies are those of the codes, each once and in order", () => {
    const reasons = reasonsOf([
      decisionTexts.takenIdentifier("email"),
      decisionTexts.fixedIdentifier("attributes.id"),
      decisionTexts.takenIdentifier("id"),
      valueTexts.notObject("attributes"),
      stale("plan"),
    ])
    assert.deepStrictEqual(remediesOf("svc", reasons), [
      decisionTexts.takenIdentifier.remedy,
      decisionTexts.fixedIdentifier.remedy,
      valueTexts.notObject.remedy,
      decisionTexts.stale.remedy,
    ])
  })

  it("a code of another version has no remedy", () =>
    assert.deepStrictEqual(remediesOf("svc", [{ code: "something_else" }]), []))

  it("an attribute that is called like a message changes no advice", () => {
    const attribute = `x; ${decisionTexts.stale.template}; y`
    const fault = attributeTexts.outOfRange(`attributes.${attribute}`, { attribute })
    assert.deepStrictEqual(remediesOf("svc", reasonsOf([fault])), [attributeTexts.outOfRange.remedy])
  })
})

describe("operations that override another one", () => {
  const first = entryWith({ operation_id: "op1", changes: [setTo("attributes.plan"), setTo("email")] })
  const second = entryWith({
    operation_id: "op2",
    changes: [setTo("attributes.plan"), setTo("attributes.a.b")],
  })

  it("an overriding operation is the first operation that changed the same field, an object that contains the field, or a part of the field", () => {
    const paths = changedPaths(entryWith({ changes: ["attributes.plan", "attributes.a", "id"].map(setTo) }))
    assert.deepStrictEqual(overridesOf(paths, [first, second]), [
      { path: "attributes.plan", operation_id: "op1" },
      { path: "attributes.a", operation_id: "op2" },
    ])
    assert.deepStrictEqual(overridesOf(["attributes.a.b.c", "attributes.plan2"], [first, second]), [
      { path: "attributes.a.b.c", operation_id: "op2" },
    ])
  })

  it("an explanation reads in the reason which fields were not changed because their stored values are newer", () => {
    const faults = [stale("attributes.plan"), stale("email")]
    const reasons = reasonsOf([decisionTexts.takenIdentifier("id"), ...faults])
    assert.deepStrictEqual(stalePaths(entryWith({ reasons })), ["attributes.plan", "email"])
    assert.deepStrictEqual(stalePaths(entryWith({ reasons: reasons.slice(0, 1) })), [])
  })
})
