import { Catalog } from "@inlethq/core/catalog/Catalog"
import type { Command } from "@inlethq/core/Command"
import { ErasureIndex } from "@inlethq/core/ledger/ErasureIndex"
import { ErasureLedger } from "@inlethq/core/ports/ErasureLedger"
import { Digest, digestsOf } from "@inlethq/core/ports/Digest"
import { lakeCursor, LakeFiles } from "@inlethq/core/ports/LakeFiles"
import { LogCursors } from "@inlethq/core/ports/LogCursors"
import type { Registry } from "@inlethq/core/ports/Registry"
import type { Store } from "@inlethq/core/ports/Store"
import { Sequence, SubjectKey } from "@inlethq/core/values/Identifier"
import { systemEnvelope } from "@inlethq/engine/rules/nextBuildStep"
import { subjectDigest, type ErasureRecord } from "@inlethq/core/ledger/ErasureRecord"
import { Effect } from "effect"
import {
  byAnonymousId,
  byEmail,
  byId,
  event,
  first,
  identify,
  merge,
  noon,
  remove,
  report,
  suppress,
  unsuppress,
} from "../script/commands.ts"
import { plainDigest } from "../script/digest.ts"
import { expectSame, type Law } from "../script/Law.ts"
import { activity, apply, ledgerOf, people, sweepAll } from "../script/scenario.ts"

const digest = Effect.provide(
  Effect.map(Digest, (one) => digestsOf(one, first.id)),
  plainDigest,
)

/** Returns the command that repeats a record. `subjects` are the keys that the record is about. */
const repeat = (record: ErasureRecord, key: number, ...others: ReadonlyArray<number>): Command => ({
  ...systemEnvelope(first, noon + 1),
  _tag: "RepeatErasure",
  record,
  subjects: [SubjectKey.make(key), ...others.map((other) => SubjectKey.make(other))],
})

/** The record of an erasure that another store made of the people with the given keys. */
const recordOf = (
  digests: (text: string) => string,
  action: ErasureRecord["action"],
  given: Partial<ErasureRecord>,
  key: number,
  ...others: ReadonlyArray<number>
): ErasureRecord => ({
  workspace: first.id,
  position: Sequence.make(99),
  at: noon,
  action,
  subjects: [
    subjectDigest(digests, SubjectKey.make(key)),
    ...others.map((other) => subjectDigest(digests, SubjectKey.make(other))),
  ],
  identifiers: [],
  addresses: [],
  nextKey: SubjectKey.make(50),
  ...given,
})

/** The properties of the erasure ledger, and of what it does to restored data. */
export const ledgerLaws: ReadonlyArray<
  Law<Store | Catalog | Registry | ErasureLedger | LakeFiles | LogCursors>
> = [
  {
    name: "contract §16 lake erasure: a deletion that a restored store repeats waits for the files of a lake that it has",
    check: Effect.gen(function* () {
      const digests = yield* digest
      const lake = yield* LakeFiles
      const ledger = yield* ErasureLedger
      const { token } = yield* (yield* LogCursors).claim(lakeCursor(first.id))
      const ofAda = recordOf(digests, "delete", { position: Sequence.make(2) }, 1)
      const ofBob = recordOf(digests, "delete", { position: Sequence.make(4), at: noon + 1 }, 2)
      yield* apply(identify(byId("ada"), []), identify(byId("bob"), []))
      yield* apply(repeat(ofAda, 1))
      yield* expectSame("without a lake", yield* lake.erasures(first.id), [])
      const nothing = { added: [], replaced: [], noticed: [], followed: [], rewritten: [] }
      yield* lake.commit({ ...nothing, workspace: first.id, token, now: noon, to: Sequence.make(5) })
      yield* apply(repeat(ofBob, 2))
      const waiting = [{ position: ofBob.position, subject: SubjectKey.make(2), receivedAt: ofBob.at }]
      yield* expectSame("with a lake", yield* lake.erasures(first.id), waiting)
      const unsealed = (yield* ledger.unsealed(null)).items.map(({ position }) => position)
      yield* expectSame("receipts that do not wait", unsealed, [ofAda.position])
    }),
  },
  {
    name: "contract §16: the ledger has a record of each deletion, suppression and release, by digest",
    check: Effect.gen(function* () {
      const digests = yield* digest
      yield* apply(
        event(byAnonymousId("cookie"), "seen"),
        identify(byId("ada"), [["plan", "pro"]], { email: "Ada@example.com", anonymousId: "cookie" }),
        identify(byId("bob")),
        merge(byId("ada"), byId("bob")),
        remove(byEmail("ada@example.com")),
        remove(byId("nobody")),
        suppress(byId("cyd")),
        unsuppress(byId("cyd")),
      )
      const records = yield* ledgerOf()
      yield* expectSame(
        "records",
        records.map(({ action, position }) => [action, position] as const),
        [
          ["delete", Sequence.make(5)],
          ["suppress", Sequence.make(7)],
          ["unsuppress", Sequence.make(8)],
        ],
      )
      const [deleted] = records
      yield* expectSame(
        "the digests of the person's identifiers",
        new Set(deleted?.identifiers),
        new Set(["id:ada", "email:ada@example.com", "anonymous_id:cookie"].map(digests)),
      )
      yield* expectSame(
        "how much the profiles had",
        records.map(({ counts }) => counts),
        [
          {
            identifiers: 3,
            attributes: 1,
            devices: 0,
            relationships: 0,
            segments: 0,
            merged: 1,
            visitors: 1,
          },
          undefined,
          undefined,
        ],
      )
      const index = new ErasureIndex(digests, records)
      yield* expectSame(
        "what is erased about the visitor, the person, the merged person and somebody else",
        [1, 2, 3, 5].map((key) =>
          [4, 5].map((at) => index.erasesEntry(SubjectKey.make(key), Sequence.make(at))),
        ),
        [
          [true, false],
          [true, false],
          [true, false],
          [false, false],
        ],
      )
    }),
  },
  {
    name: "contract §16 erasure receipts: a receipt can be sealed once, and not before the rows are gone",
    check: Effect.gen(function* () {
      const ledger = yield* ErasureLedger
      yield* apply(identify(byId("ada")), remove(byId("ada")), suppress(byId("bob")), unsuppress(byId("bob")))
      const { items: unsealed } = yield* ledger.unsealed(null)
      yield* expectSame(
        "unsealed",
        unsealed.map(({ action }) => action),
        ["suppress", "delete"],
      )
      yield* expectSame("erasing", yield* ledger.erasing(first.id), [SubjectKey.make(1)])
      yield* sweepAll(noon)
      yield* expectSame("left to erase", yield* ledger.erasing(first.id), [])
      const deleted = unsealed.at(-1)
      if (deleted === undefined) return
      yield* expectSame("the receipt before", yield* ledger.receipt(first.id, deleted), null)
      yield* ledger.seal(first.id, deleted, { text: "{}", signature: "one" })
      yield* ledger.seal(first.id, deleted, { text: "{}", signature: "two" })
      yield* expectSame("the receipt", yield* ledger.receipt(first.id, deleted), {
        text: "{}",
        signature: "one",
      })
      yield* expectSame(
        "still unsealed",
        (yield* ledger.unsealed(null)).items.map(({ action }) => action),
        ["suppress"],
      )
    }),
  },
  {
    name: "contract §16 erasure ledger: a repeated deletion hides the person, the visitors and the merged people at once",
    check: Effect.gen(function* () {
      const digests = yield* digest
      yield* apply(
        event(byAnonymousId("cookie"), "seen"),
        identify(byId("ada"), [["plan", "pro"]], { anonymousId: "cookie" }),
        event(byId("ada"), "bought"),
        identify(byId("bob"), [["plan", "free"]]),
        identify(byId("cyd")),
      )
      yield* apply(repeat(recordOf(digests, "delete", {}, 2, 1, 3, 40), 2, 1, 3, 40))
      const check = Effect.gen(function* () {
        yield* expectSame(
          "people",
          (yield* people()).map(({ id }) => id),
          ["cyd"],
        )
        const left = yield* activity({ kind: "event" })
        yield* expectSame("events", left.length, 0)
      })
      yield* check
      yield* sweepAll(noon)
      yield* check
      yield* expectSame("the ledger", (yield* ledgerOf()).length, 1)
      const { state } = yield* apply(identify(byId("dan")))
      yield* expectSame("the next key", state.nextKey, SubjectKey.make(51))
      const [again] = (yield* apply(identify(byId("ada"), [["plan", "new"]]))).entries
      yield* sweepAll(noon)
      yield* expectSame("the outcome for a new person with the same id", again?.outcome, "created")
      yield* expectSame(
        "people with the new one",
        (yield* people()).map(({ id }) => id),
        ["cyd", "dan", "ada"],
      )
    }),
  },
  {
    name: "contract §16 erasure ledger: a repeated suppression ignores calls until it is released",
    check: Effect.gen(function* () {
      const digests = yield* digest
      yield* apply(identify(byId("ada")), report("d1", "opened", { recipient: "ada@example.com" }))
      const suppressed = recordOf(
        digests,
        "suppress",
        {
          identifiers: ["id:ada", "email:ada@example.com"].map(digests),
          addresses: [digests("address:email:ada@example.com")],
        },
        1,
      )
      yield* apply(repeat(suppressed, 1))
      yield* sweepAll(noon)
      const [ignored] = (yield* apply(identify(byEmail("ada@example.com")))).entries
      yield* expectSame("the outcome of a call", ignored?.outcome, "ignored")
      const isSuppressed = Effect.flatMap(Catalog, (catalog) =>
        catalog.isSuppressed(first.id, { kind: "id", value: "ada" }),
      )
      yield* expectSame("whether the id is suppressed", yield* isSuppressed, true)
      const reports = yield* activity({ kind: "delivery_metric" })
      yield* expectSame(
        "the data of the report",
        reports.map(({ data }) => data),
        [null],
      )
      const released = recordOf(digests, "unsuppress", { position: Sequence.make(100) }, 1)
      yield* apply(repeat(released, 1))
      yield* expectSame("whether the id is still suppressed", yield* isSuppressed, false)
      const [created] = (yield* apply(identify(byId("ada")))).entries
      yield* expectSame("the outcome after the release", created?.outcome, "created")
    }),
  },
]
