import { Effect } from "effect"
import { deviceText, type SubjectKey } from "@inlethq/core/values/Identifier"
import {
  addDevice,
  byAnonymousId,
  byId,
  deleteDevice,
  event,
  identify,
  merge,
  noon,
  remove,
  second,
  suppress,
} from "../script/commands.ts"
import { expectSame, type Law } from "../script/Law.ts"
import { apply, load, personBy, sweepAll } from "../script/scenario.ts"

const day = 24 * 60 * 60 * 1000

/** For each device token, returns the key of the person or visitor that has the device, or null if nobody has it. */
const holders = Effect.fnUntraced(function* (...tokens: ReadonlyArray<string>) {
  const texts = tokens.map((token) => deviceText(token))
  const { identifiers } = yield* load({ identifiers: new Set(texts) })
  return texts.map((text): SubjectKey | null => identifiers.get(text) ?? null)
})

const tokensOf = Effect.fnUntraced(function* (id: string) {
  return [...((yield* personBy({ kind: "id", value: id }))?.devices.keys() ?? [])]
})

const keyOf = Effect.fnUntraced(function* (id: string) {
  return (yield* personBy({ kind: "id", value: id }))?.key ?? null
})

/** The properties that every store must have in the handling of devices. */
export const deviceLaws: ReadonlyArray<Law> = [
  {
    name: "contract §10: a device is stored with its attributes and belongs to one person or visitor at a time",
    check: Effect.gen(function* () {
      yield* apply(
        addDevice(byId("ada"), "phone", [["model", "A1"]], { platform: "android", lastUsed: noon }),
        addDevice(byId("ada"), "tablet"),
        addDevice(byId("bob"), "__proto__"),
        addDevice(byId("ada"), "phone", [], { in: second }),
      )
      const ada = yield* personBy({ kind: "id", value: "ada" })
      yield* expectSame("phone", ada?.devices.get("phone"), {
        platform: "android",
        lastUsed: noon,
        attributes: new Map([["model", { value: "A1", at: noon }]]),
      })
      yield* expectSame("devices of ada", yield* tokensOf("ada"), ["phone", "tablet"])
      yield* apply(addDevice(byId("bob"), "phone"))
      yield* expectSame("devices of ada after the move", yield* tokensOf("ada"), ["tablet"])
      yield* expectSame("devices of bob", yield* tokensOf("bob"), ["__proto__", "phone"])
      yield* expectSame("holders of the tokens", yield* holders("phone", "tablet", "unknown"), [
        yield* keyOf("bob"),
        yield* keyOf("ada"),
        null,
      ])
    }),
  },
  {
    name: "a device token resolves to nobody after the device or its person was deleted",
    check: Effect.gen(function* () {
      const people = ["ada", "bob", "cyd"].map(byId)
      yield* apply(
        ...people.flatMap((person, i) => [addDevice(person, `${i}`), addDevice(person, `second ${i}`)]),
      )
      const gone = [remove(byId("ada")), suppress(byId("bob")), deleteDevice(byId("cyd"), "2")]
      for (const command of gone) yield* apply(command)
      const tokens = ["0", "second 0", "1", "second 1", "2", "second 2"]
      const left = [null, null, null, null, null, yield* keyOf("cyd")]
      yield* expectSame("holders of the tokens", yield* holders(...tokens), left)
      yield* sweepAll(noon + 1000)
      yield* expectSame("after erasing", yield* holders(...tokens), left)
      yield* apply(addDevice(byId("dan"), "0"))
      yield* expectSame("holder of a token that is used again", yield* holders("0"), [yield* keyOf("dan")])
    }),
  },
  {
    name: "devices move from a merged person to the primary, and from an identified visitor to the person",
    check: Effect.gen(function* () {
      yield* apply(
        addDevice(byAnonymousId("cookie"), "visitor's"),
        addDevice(byId("bob"), "bob's"),
        addDevice(byId("ada"), "ada's"),
        identify(byId("ada"), [], { anonymousId: "cookie" }),
        merge(byId("ada"), byId("bob")),
      )
      yield* expectSame("devices of ada", yield* tokensOf("ada"), ["ada's", "visitor's", "bob's"])
      const ada = yield* keyOf("ada")
      yield* expectSame("holders of the tokens", yield* holders("ada's", "visitor's", "bob's"), [
        ada,
        ada,
        ada,
      ])
    }),
  },
  {
    name: "contract §13: devices of an expired visitor are deleted with the visitor",
    check: Effect.gen(function* () {
      const old = { receivedAt: noon - 31 * day }
      yield* apply(
        addDevice(byAnonymousId("old"), "old", [], old),
        addDevice(byAnonymousId("back"), "back", [], old),
        event(byAnonymousId("back"), "back", { receivedAt: noon - day }),
        addDevice(byAnonymousId("moved"), "moved", [], old),
        addDevice(byId("ada"), "moved", [], old),
      )
      const before = yield* holders("back", "moved")
      yield* sweepAll(noon)
      yield* expectSame("holder of an expired visitor's token", yield* holders("old"), [null])
      yield* expectSame("holders of the remaining tokens", yield* holders("back", "moved"), before)
    }),
  },
]
