import { assert, describe, it } from "@effect/vitest"
import { isHidden, toActivityView, type ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import { noAttributes } from "@inlethq/core/state/Attributes"
import type { Command } from "@inlethq/core/Command"
import { noDevices } from "@inlethq/core/state/Device"
import { Sequence, SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import type { Json } from "@inlethq/core/values/Json"
import { patchPerson, emptyPerson, type Person } from "@inlethq/core/state/Person"
import { noRelationships } from "@inlethq/core/state/Relationships"
import type { Subject } from "@inlethq/core/state/Subject"
import { hourMs, minuteMs, type EpochMillis } from "@inlethq/core/values/Timestamp"
import { by, event, identify, remove } from "./commands.ts"
import { recordOf, runWhole } from "./harness.ts"

const workspace = WorkspaceId.make(1)
const now = 1_700_000_000_000

const entryOf = (fields: Partial<ActivityEntry> = {}): ActivityEntry => ({
  sequence: Sequence.make(10),
  workspace,
  subject: SubjectKey.make(1),
  kind: "event",
  name: "bought",
  source: "track-v1",
  sender: null,
  at: now,
  receivedAt: now,
  processedAt: now,
  outcome: "applied",
  id: "k",
  claimsId: true,
  batchIndex: null,
  originalTimestamp: null,
  anonymousId: null,
  reasons: [],
  rule: "track-api §2.5",
  data: null,
  changes: [],
  parts: [],
  refused: [],
  keptAs: [],
  effects: [],
  overwritten: [],
  call: null,
  ...fields,
})

const person: Person = patchPerson(emptyPerson(SubjectKey.make(1), workspace, now), {
  id: "1",
  email: "ann@x.org",
})

const attached = {
  _tag: "Attached",
  key: SubjectKey.make(2),
  workspace,
  owner: person.key,
  at: now + hourMs,
  since: now,
  merged: false,
} as const satisfies Subject

const waiting: Subject = {
  _tag: "Visitor",
  key: SubjectKey.make(2),
  workspace,
  knownAs: { kind: "anonymous_id", value: "u" },
  attributes: noAttributes,
  devices: noDevices,
  relationships: noRelationships,
  createdAt: now,
  updatedAt: now,
}

const erased: Subject = {
  _tag: "Erased",
  key: person.key,
  workspace,
  before: Sequence.make(11),
  addresses: [],
}

const recordWith = (fields: Partial<ActivityEntry>, subject: Subject | null = person): ActivityRecord => ({
  entry: entryOf(fields),
  subject,
  owner: subject?._tag === "Attached" ? person : null,
  sender: null,
  isErased: subject?._tag === "Erased" && entryOf(fields).sequence < subject.before,
})

const pending = { outcome: "pending", processedAt: null } as const

describe("the view of an activity entry", () => {
  it("the view of an entry shows the person of the entry", () => {
    const view = toActivityView(recordWith({}))
    assert.strictEqual(view.person, person)
    assert.deepStrictEqual(view.knownAs, {
      id: "1",
      email: "ann@x.org",
      anonymousId: null,
      objectTypeId: null,
      objectId: null,
    })
  })

  it("the view of a visitor's entry shows the identifier that the visitor is known by", () => {
    const view = toActivityView(recordWith(pending, waiting))
    assert.isNull(view.person)
    assert.deepStrictEqual(view.knownAs, {
      id: null,
      email: null,
      anonymousId: "u",
      objectTypeId: null,
      objectId: null,
    })
    assert.deepStrictEqual([view.outcome, view.processedAt, view.triggerEligible], ["pending", null, false])
  })

  it("the processed time of an attached visitor's entry is the time when the visitor was attached to a person", () => {
    const view = toActivityView(recordWith(pending, attached))
    assert.strictEqual(view.person, person)
    assert.deepStrictEqual([view.outcome, view.processedAt], ["applied", now + hourMs])
  })

  it("contract §6: events that a merge moved to the primary person trigger no messages", () => {
    const merged = { ...attached, at: now - hourMs, since: 0, merged: true }
    assert.isTrue(toActivityView(recordWith({}, { ...merged, merged: false })).triggerEligible)
    const view = toActivityView(recordWith({}, merged))
    assert.deepStrictEqual([view.person, view.triggerEligible, view.processedAt], [person, false, now])
  })

  it("the view of an attached visitor's entry shows no person if the entry was received before the merge window", () => {
    const view = toActivityView(recordWith({ ...pending, receivedAt: now - 1 }, attached))
    assert.isNull(view.person)
    assert.deepStrictEqual([view.outcome, view.processedAt], ["pending", null])
  })

  it("if an entry was recorded before its person was created, its processed time is the time when the person was created", () => {
    const view = toActivityView(recordWith({ ...pending, receivedAt: now - hourMs }))
    assert.deepStrictEqual([view.outcome, view.processedAt], ["applied", now])
  })

  it("the view of an entry without a subject (a person, object or other target) shows no person", () => {
    assert.isNull(toActivityView(recordWith({ ...pending, subject: null }, null)).person)
  })
})

const checkTrigger = (title: string, at: EpochMillis, expected: boolean): void =>
  it(title, () => {
    assert.strictEqual(toActivityView(recordWith({ at })).triggerEligible, expected)
  })

describe("whether an event can trigger messages", () => {
  checkTrigger("an event dated now can trigger messages", now, true)
  checkTrigger("an event 72 hours old can trigger messages", now - 72 * hourMs, true)
  checkTrigger("an event older than 72 hours cannot trigger messages", now - 72 * hourMs - 1, false)
  checkTrigger("an event dated one minute into the future can trigger messages", now + minuteMs, true)
  checkTrigger("an event dated one hour into the future cannot trigger messages", now + hourMs, false)

  it.each(["event", "page", "screen", "anonymous_event"] as const)(
    "an entry of kind %s can trigger messages",
    (kind) => {
      assert.isTrue(toActivityView(recordWith({ kind })).triggerEligible)
    },
  )

  it.each(["identify", "delete", "delivery_metric", null] as const)(
    "an entry of kind %s cannot trigger messages",
    (kind) => {
      assert.isFalse(toActivityView(recordWith({ kind })).triggerEligible)
    },
  )

  it.each(["duplicate", "ignored", "dropped", "rejected"] as const)(
    "an event with outcome %s cannot trigger messages",
    (outcome) => {
      assert.isFalse(toActivityView(recordWith({ outcome })).triggerEligible)
    },
  )
})

describe("message overrides of an event", () => {
  it.each<readonly [data: Json, expected: Json]>([
    [
      { recipient: "a@b.c", from_address: "d@e.f", reply_to: "g@h.i", x: 1 },
      { recipient: "a@b.c", from_address: "d@e.f", reply_to: "g@h.i" },
    ],
    [{ recipient: null }, { recipient: null }],
    [{ x: { recipient: "a@b.c" } }, null],
    [{}, null],
    [null, null],
    [["recipient"], null],
    ["recipient", null],
  ])("an event with the data %j has the message overrides %j", (data, expected) => {
    assert.deepStrictEqual(toActivityView(recordWith({ data })).messageOverrides, expected)
  })

  it("an entry that is not an event does not override the recipient of its message, even if its data has a recipient", () => {
    assert.isNull(
      toActivityView(recordWith({ kind: "identify", data: { recipient: "a@b.c" } })).messageOverrides,
    )
  })
})

describe("entries after a person was deleted", () => {
  it("the views of the entries of a deleted person hide the events and show all other entries", () => {
    assert.isTrue(isHidden(recordWith({}, erased)))
    assert.isTrue(isHidden(recordWith({ kind: "page" }, erased)))
    assert.isFalse(isHidden(recordWith({ kind: "identify" }, erased)))
    assert.isFalse(isHidden(recordWith({ kind: null }, erased)))
    assert.isFalse(isHidden(recordWith({}, person)))
    assert.isFalse(isHidden(recordWith({}, null)))
  })

  it("the view of an entry that was recorded after the deletion of its person shows the entry in full", () => {
    assert.isFalse(isHidden(recordWith({ sequence: Sequence.make(11) }, erased)))
    const view = toActivityView(recordWith({ sequence: Sequence.make(11), kind: "delete" }, erased))
    assert.strictEqual(view.id, "k")
  })

  it("no view of an entry shows personal data of a deleted person", () => {
    const secret = by("id", "secret-id")
    const commands: ReadonlyArray<Command> = [
      event(by("anonymous_id", "secret-visitor"), { data: { what: "secret" }, key: "secret-key-1" }),
      identify(by("anonymous_id", "secret-visitor"), { set: { "secret-name": "secret" } }),
      event(secret, { data: { what: "secret" } }),
      identify(secret, {
        email: "secret@x.org",
        anonymousId: "secret-visitor",
        set: { plan: "secret" },
        key: "secret-key-2",
      }),
      identify(by("email", "SECRET@x.org"), { id: "secret-other", anonymousId: "secret-third" }),
      identify(by("anonymous_id", "secret-visitor"), { set: { plan: "secret-later" } }),
      event(by("anonymous_id", "secret-visitor"), { data: "secret" }),
      remove(by("email", "Secret@x.org")),
    ]
    const state = runWhole(commands)
    const views = state.written.entries
      .map((entry) => recordOf(state, entry))
      .filter((record) => !isHidden(record))
      .map(toActivityView)
    assert.deepStrictEqual(
      views.map(({ kind }) => kind),
      ["identify", "identify", "identify", "identify", "delete"],
    )
    assert.notMatch(JSON.stringify(views), /secret/i)
    assert.notMatch(JSON.stringify([...state.identifiers, ...state.subjects]), /secret/i)
  })
})
