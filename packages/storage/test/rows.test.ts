import { DatabaseSync, type SQLInputValue } from "node:sqlite"
import { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import { isOfOther } from "@inlethq/core/log/Overwritten"
import { noAttributes } from "@inlethq/core/state/Attributes"
import type { Device } from "@inlethq/core/state/Device"
import type { SubjectKey } from "@inlethq/core/values/Identifier"
import { toPlainSubject, Subject } from "@inlethq/core/state/Subject"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { addParts, partsIn } from "@inlethq/storage/read/activityRecords"
import { entryCodes } from "@inlethq/storage/columns/entryCodes"
import { entryFromRow, entryRow, type EntryRow, redactedDetail } from "@inlethq/storage/rows/entryRows"
import { type PartRow, partRows } from "@inlethq/storage/rows/partRows"
import { fromStored, toStored } from "@inlethq/storage/columns/storedText"
import { subjectFromRow, subjectRow, type SubjectRow } from "@inlethq/storage/rows/subjectRows"

/** Stores values in SQLite and returns what SQLite reads back. */
const throughSqlite = (stored: SubjectRow | EntryRow | PartRow) => {
  const values = Object.entries<SQLInputValue>({ ...stored })
  const columns = values.map(([name]) => `? AS ${name}`).join(", ")
  const row = new DatabaseSync(":memory:")
    .prepare(`SELECT ${columns}`)
    .get(...values.map(([, value]) => value))
  if (row === undefined) throw new Error("no row")
  return row
}

const throughRow = (subject: Subject) => {
  const row = subjectRow(subject)
  return toPlainSubject(subjectFromRow(throughSqlite(row)))
}

/**
 * Returns an entry that can occur: one without an `id` claims no deduplication key, and only items about others are `within` that
 * of somebody.
 */
const possible = (any: ActivityEntry): ActivityEntry => ({
  ...any,
  claimsId: any.id !== null && any.claimsId,
  overwritten: any.overwritten.map(({ within, ...one }) =>
    within === undefined || one.subject === any.subject ? one : { ...one, within },
  ),
})

/** Encodes a value as JSON, with maps as lists of entries, and decodes it again. This changes -0 to 0. */
const inJson = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, inner: unknown) => (inner instanceof Map ? [...inner] : inner)))

describe("rows of the database", () => {
  it.prop(
    "the row of any person, object or other subject decodes to an equal value, which the schema in packages/core accepts",
    [Subject],
    ([any]) => {
      // Whoever has something from merged people has them attached.
      const subject =
        any._tag === "Person" && any.attached.length === 0
          ? { ...any, origins: new Map<string, SubjectKey>() }
          : any
      const read = throughRow(subject)
      assert.deepStrictEqual(Schema.decodeUnknownSync(Subject)(read), read)
      assert.deepStrictEqual(inJson(read), inJson(subject))
    },
  )

  it("a row keeps the order of attributes, devices and relationships, whatever their names", () => {
    const attributes = new Map([
      ["z", { value: { deep: [null, "__proto__"] }, at: 5 }],
      ["__proto__", { value: "own", at: -3 }],
      ["10", { value: null, at: 9_000_000_000_000 }],
      ["9", { value: 1.5, at: 0 }],
    ])
    const device: Device = { platform: "ios", lastUsed: null, attributes: noAttributes }
    const subject = Schema.decodeUnknownSync(Subject)({
      _tag: "Person",
      key: 7,
      workspace: 1,
      id: "",
      email: null,
      idAt: -5,
      emailAt: 4,
      anonymousIds: ["b", "a"],
      attributes,
      devices: new Map([
        ["__proto__", { ...device, lastUsed: 0, attributes }],
        ["1", device],
        ["0", device],
      ]),
      relationships: new Map([
        [9, noAttributes],
        [8, attributes],
      ]),
      segments: [3, 1, 2],
      attached: [
        { key: 5, at: 1, since: 0, merged: true },
        { key: 4, at: 2, since: -1, merged: false },
      ],
      former: [{ at: 3, identifier: "digest" }],
      origins: new Map([
        ["attributes.z", 5],
        ["attributes.10", 4],
      ]),
      createdAt: 4,
      updatedAt: 6,
    })
    assert.deepStrictEqual(inJson(throughRow(subject)), inJson(subject))
  })

  it.prop(
    "the row of any log entry decodes to an equal log entry, which the schema in packages/core accepts",
    [ActivityEntry],
    ([any]) => {
      const entry = possible(any)
      const read = entryFromRow(throughSqlite(entryRow(entry, null, entryCodes(entry, new Map()))))
      assert.deepStrictEqual(Schema.decodeUnknownSync(ActivityEntry)(read), read)
      const refused = entry.refused.filter(({ other }) => other === null)
      const { own: overwritten } = overwrittenIn(entry)
      assert.deepStrictEqual(inJson(read), inJson({ ...entry, parts: [], refused, overwritten, call: null }))
    },
  )

  it.prop(
    "the rows of a log entry and of its parts decode to an equal entry, with what is about other people first",
    [ActivityEntry],
    ([any]) => {
      const entry = possible(any)
      const rows = partRows(entry)
        .toSorted((a, b) => a.place - b.place)
        .map(throughSqlite)
      const bare = entryFromRow(throughSqlite(entryRow(entry, null, entryCodes(entry, new Map()))))
      const [read] = addParts([bare], partsIn(rows), new Set()).entries
      assert.deepStrictEqual(Schema.decodeUnknownSync(ActivityEntry)(read), read)
      const refused = entry.refused.toSorted((a, b) => Number(a.other === null) - Number(b.other === null))
      const { others, own } = overwrittenIn(entry)
      const overwritten = [...own, ...others]
      assert.deepStrictEqual(inJson(read), inJson({ ...entry, refused, overwritten, call: null }))
    },
  )

  it("redacting the details of a log entry keeps only the rule, the batch index and the original timestamp", () => {
    const detail = redactedDetail(
      JSON.stringify({
        id: "k",
        rule: "r",
        reason: "s",
        batchIndex: 1,
        anonymousId: "a",
        data: 1,
        changes: [1],
      }),
      null,
    )
    assert.deepStrictEqual(JSON.parse(detail), { batchIndex: 1, rule: "r" })
  })

  it.prop(
    "different texts have different stored forms in the database, and each stored form decodes to its text",
    [Schema.String],
    ([text]) => {
      for (const one of [text, `${text}\0`, `${text}\ud800`, `${text}\uffff`, `${text}\uffff0000`]) {
        const stored = toStored(one)
        assert.strictEqual(fromStored(stored), one)
        assert.isTrue(stored.isWellFormed() && !stored.includes("\0"))
      }
    },
  )
})

/**
 * Returns what an entry overwrote, in the order in which it is stored: of its own subject, of which only one item can be
 * stored, and of others, with what stays when the subject is deleted first.
 */
const overwrittenIn = ({ overwritten, subject: about }: ActivityEntry) => {
  const others = overwritten.filter(({ subject }) => subject !== about)
  return {
    own: overwritten.filter(({ subject }) => subject === about).slice(0, 1),
    others: others.toSorted((a, b) => Number(isOfOther(b, about)) - Number(isOfOther(a, about))),
  }
}
