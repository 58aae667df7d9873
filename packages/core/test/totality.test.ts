import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import { isHidden, toActivityView } from "@inlethq/core/catalog/ActivityView"
import { decideAll } from "@inlethq/core/Batch"
import { Change } from "../src/fold/Change.ts"
import { Command } from "@inlethq/core/Command"
import { decide, evolve } from "../src/Transition.ts"
import { blank, fingerprint, recordOf, restrict, runWhole, needsIn } from "./harness.ts"
import { propertyOptions } from "./propertyOptions.ts"
import { property } from "./property.ts"
import { commandsOf, scriptOf, settings } from "./scripts.ts"

const anyCommands = Arbitrary.array(Arbitrary.schema(Command), { minLength: 1, maxLength: 5 })
/** Entries contain lists in lists, so generating one with the usual size takes 40 ms. */
const sizeOfEntries = 10

const anyChanges = Arbitrary.array(Arbitrary.schema(Change), { minLength: 1, maxLength: 5 })

/** Changes that apply to an existing person, object or other subject. */
const aboutSomebody: ReadonlySet<Change["_tag"]> = new Set([
  "IdentifierAssigned",
  "EmailRemoved",
  "IdentifierConfirmed",
  "AttributesAssigned",
  "VisitorAttached",
  "PersonAbsorbed",
  "DeviceAdded",
  "DeviceRemoved",
  "RelationshipAssigned",
  "RelationshipRemoved",
  "SegmentJoined",
  "SegmentLeft",
  "DeliveryRegistered",
  "MetricReported",
  "SubjectDeleted",
])

describe("totality", () => {
  it.prop(
    "the function `decide` returns changes for any command, and the last change is the log entry of the command",
    [anyCommands, scriptOf(1, 8), settings],
    ([commands, script, settings]) => {
      const state = runWhole(commandsOf(script, settings))
      for (const command of commands) {
        const { nextSequence } = state
        const changes = decide(state, command)
        const records = changes.filter((change) => change._tag === "OperationRecorded")
        assert.strictEqual(records.length, 1)
        assert.strictEqual(changes.at(-1), records[0])
        assert.strictEqual(records[0]?.entry.sequence, nextSequence)
        assert.deepStrictEqual(decide(restrict(state, needsIn([command])), command), changes)
        for (const change of changes) evolve(state, change)
      }
    },
    propertyOptions(200),
  )

  it.prop(
    "the function `evolve` applies any change to an empty working set without an error",
    [anyChanges],
    ([changes]) => {
      const state = blank()
      for (const change of changes) evolve(state, change)
    },
    propertyOptions(200, sizeOfEntries),
  )

  it.prop(
    "the function `evolve` applies any change to any state without an error",
    [anyChanges, scriptOf(1, 8), settings],
    ([changes, script, settings]) => {
      const state = runWhole(commandsOf(script, settings))
      for (const change of changes) evolve(state, change)
    },
    propertyOptions(100, sizeOfEntries),
  )

  property(
    "a change about an unknown subject has no effect",
    {
      of: Arbitrary.schema(Change),
      where: ({ _tag }) => aboutSomebody.has(_tag),
      size: sizeOfEntries,
    },
    (change) => {
      const state = blank()
      evolve(state, change)
      assert.strictEqual(fingerprint(state), fingerprint(blank()))
    },
    600,
  )

  it.prop(
    "every log entry can be displayed to operators without an error",
    [Arbitrary.schema(ActivityEntry), scriptOf(1, 8), settings],
    ([entry, script, settings]) => {
      const state = runWhole(commandsOf(script, settings))
      const record = recordOf(state, entry)
      isHidden(record)
      assert.strictEqual(toActivityView(record).sequence, entry.sequence)
    },
    propertyOptions(100, sizeOfEntries),
  )

  it.prop(
    "a change that is encoded and decoded is equal to the original change",
    [scriptOf(1, 15), settings],
    ([script, settings]) => {
      const { changes } = decideAll(blank(), commandsOf(script, settings))
      const codec = Schema.toCodecJson(Schema.Array(Change))
      const text = JSON.stringify(Schema.encodeUnknownSync(codec)(changes))
      const again = Schema.decodeUnknownSync(codec)(JSON.parse(text))
      assert.deepStrictEqual(again, changes)
    },
    propertyOptions(100),
  )
})
