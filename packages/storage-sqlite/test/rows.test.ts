import { DatabaseSync, type SQLInputValue } from "node:sqlite"
import { ActivityEntry } from "@inlet/core/Activity"
import { noAttributes } from "@inlet/core/Attributes"
import { plain as plainSubject, Subject } from "@inlet/core/Subject"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { entryBindings, entryOf, redacted } from "../src/entries.ts"
import { fromStored, toStored } from "../src/storedText.ts"
import { bindingsOf, columnsOf, subjectOf } from "../src/subjects.ts"

/** What SQLite makes of values on their way in and out. */
const throughSqlite = (names: ReadonlyArray<string>, values: ReadonlyArray<SQLInputValue>) => {
  const columns = names.map((name) => `? AS ${name}`).join(", ")
  const row = new DatabaseSync(":memory:").prepare(`SELECT ${columns}`).get(...values)
  if (row === undefined) throw new Error("no row")
  return row
}

const subjectColumns = ["workspace", "state", "owner", "created", "updated", "doc", "key"]

const entryColumns = [
  ["sequence", "workspace", "subject", "kind", "name", "source", "outcome"],
  ["at", "received", "processed", "claim", "detail"],
].flat()

const throughRow = (subject: Subject) =>
  plainSubject(subjectOf(throughSqlite(subjectColumns, bindingsOf(subject.key, columnsOf(subject)))))

/** -0 is 0 in JSON, and nobody can tell. */
const withoutNegativeZero = <A>(value: A): A => JSON.parse(JSON.stringify(value))

describe("rows", () => {
  it.prop("give back any subject, and nothing that core's schema would not", [Subject], ([subject]) => {
    const read = throughRow(subject)
    assert.deepStrictEqual(Schema.decodeUnknownSync(Subject)(read), read)
    assert.deepStrictEqual(withoutNegativeZero(plain(read)), withoutNegativeZero(plain(subject)))
  })

  it("give back attributes in their order, whatever their names", () => {
    const subject: Subject = Schema.decodeUnknownSync(Subject)({
      _tag: "Visitor",
      key: 7,
      workspace: 1,
      knownAs: { kind: "anonymous_id", value: "cookie" },
      attributes: new Map([
        ["z", { value: { deep: [null, "__proto__"] }, at: 5 }],
        ["__proto__", { value: "own", at: -3 }],
        ["10", { value: null, at: 9_000_000_000_000 }],
        ["9", { value: 1.5, at: 0 }],
      ]),
      createdAt: 4,
      updatedAt: 6,
    })
    const read = throughRow(subject)
    assert.deepStrictEqual(plain(read), plain(subject))
    assert.deepStrictEqual(attributesOf(read), attributesOf(subject))
  })

  it.prop(
    "give back any entry of the log, and nothing that core's schema would not",
    [ActivityEntry],
    ([any]) => {
      // What takes a deduplication key has one.
      const entry = any.id === null ? { ...any, claimsId: false } : any
      const read = entryOf(throughSqlite(entryColumns, entryBindings(entry)))
      assert.deepStrictEqual(Schema.decodeUnknownSync(ActivityEntry)(read), read)
      assert.deepStrictEqual(withoutNegativeZero(read), withoutNegativeZero(entry))
    },
  )

  it("keep nothing about anybody in a redacted detail", () => {
    const detail = redacted(
      JSON.stringify({
        id: "k",
        rule: "r",
        reason: "s",
        batchIndex: 1,
        anonymousId: "a",
        data: 1,
        changes: [1],
      }),
    )
    assert.deepStrictEqual(JSON.parse(detail), { batchIndex: 1, reason: "s", rule: "r" })
  })

  it.prop("keep every text apart from every other", [Schema.String], ([text]) => {
    for (const one of [text, `${text}\0`, `${text}\ud800`, `${text}\uffff`, `${text}\uffff0000`]) {
      const stored = toStored(one)
      assert.strictEqual(fromStored(stored), one)
      assert.isTrue(stored.isWellFormed() && !stored.includes("\0"))
    }
  })
})

const attributesOf = (subject: Subject) =>
  "attributes" in subject ? [...subject.attributes] : [...noAttributes]

const plain = (subject: Subject) => ({ ...subject, attributes: attributesOf(subject) })
