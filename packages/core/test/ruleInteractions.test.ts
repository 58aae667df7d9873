import { describe, it } from "@effect/vitest"
import type { Command } from "@inlethq/core/Command"
import { dayMs } from "@inlethq/core/values/Timestamp"
import {
  addDevice,
  alias,
  by,
  deleteDevice,
  event,
  identify,
  relate,
  relateAcme,
  submit,
  suppress,
  toAcme,
} from "./commands.ts"
import { assertSame, runWhole, type VisibleHolder } from "./harness.ts"
import { epoch } from "./scripts.ts"
import { visibleIn } from "./visible.ts"

const one = by("id", "1")
const two = by("id", "2")
const ann = by("email", "ann@x.org")
const visitor = by("anonymous_id", "u")

/** A receipt time more than 30 days after the first command. The visitor of that command has then expired. */
const late = { received: 30 * dayMs + 1 }

interface Row {
  readonly commands: ReadonlyArray<Command>
  readonly outcomes: ReadonlyArray<string>
  /**
   * One text for each person, followed by one for each visitor. The text lists the identifier, attributes, devices and
   * relationships.
   */
  readonly everybody: ReadonlyArray<string>
}

const had = ({ attributes, devices, relationships }: VisibleHolder): string =>
  [
    ...attributes.map(([name]) => name),
    ...devices.map(([token, , , own]) => `${token}(${own.map(([name]) => name).join()})`),
    ...relationships.map(([, own]) => `acme(${own.map(([name]) => name).join()})`),
  ].join(" ")

const check = (title: string, { commands, everybody, outcomes }: Row): void =>
  it(title, () => {
    const state = runWhole(commands)
    assertSame(
      state.written.entries.map(({ outcome }) => outcome),
      outcomes,
    )
    const { people, visitors } = visibleIn(state, commands.at(-1)?.receivedAt ?? epoch)
    assertSame(
      [
        ...people.map((person) => `${person.id ?? person.email}: ${had(person)}`),
        ...visitors.map((known) => `${known.anonymousId}: ${had(known)}`),
      ],
      everybody,
    )
  })

describe("interactions of rules", () => {
  check("contract §13: stores a visitor's relationships even if the same request creates the objects", {
    commands: [identify(visitor, { relationships: toAcme("add") }), identify(one, { anonymousId: "u" })],
    outcomes: ["pending", "created"],
    everybody: ["1: acme()"],
  })
  check("contract §13: a device that an expired visitor had is added again without its old attributes", {
    commands: [addDevice(visitor, "phone", { set: { a: 1 } }), addDevice(visitor, "phone", late)],
    outcomes: ["pending", "pending"],
    everybody: ["u: phone()"],
  })
  check("contract §13: moving a device away from an expired visitor does not restore the visitor", {
    commands: [
      addDevice(visitor, "phone", { set: { a: 1 } }),
      identify(visitor, { set: { b: 1 } }),
      addDevice(one, "phone", late),
      identify(one, { anonymousId: "u", ...late }),
    ],
    outcomes: ["pending", "pending", "created", "applied"],
    everybody: ["1: phone()"],
  })
  check("contract §13: removing a device or a relationship of an expired visitor is dropped", {
    commands: [
      identify(visitor, { set: { a: 1 } }),
      deleteDevice(visitor, "phone", late),
      relate(visitor, "delete", late),
      relateAcme(visitor, "add", late),
      relateAcme(visitor, "delete", { received: 61 * dayMs }),
    ],
    outcomes: ["pending", "dropped", "dropped", "created", "applied"],
    everybody: [],
  })
  check("contract §6: deleting a device of an id that only events have named is dropped", {
    commands: [event(one), deleteDevice(one, "phone")],
    outcomes: ["pending", "dropped"],
    everybody: [],
  })
  check(
    "contract §6: deleting relationships of an id that only events have named is dropped and creates no person",
    {
      commands: [event(one), relate(one, "delete")],
      outcomes: ["pending", "dropped"],
      everybody: [],
    },
  )
  check("contract §6: a person does not inherit a relationship that the request removes", {
    commands: [relate(visitor, "add"), identify(one, { anonymousId: "u", relationships: toAcme("delete") })],
    outcomes: ["pending", "created"],
    everybody: ["1: "],
  })
  check("contract §13: a person does not inherit a device that the request removes", {
    commands: [
      addDevice(visitor, "phone"),
      identify(one, { anonymousId: "u", device: { _tag: "DeviceRemoval", token: "phone" } }),
    ],
    outcomes: ["pending", "created"],
    everybody: ["1: "],
  })
  check("contract §5: attributes inherited from a visitor do not exceed the limit of a relationship", {
    commands: [
      relate(visitor, "add", { set: { b: 1 } }),
      identify(one, {
        anonymousId: "u",
        relationships: toAcme("add", { a: 1 }),
        settings: { objectAttributesMax: 1 },
      }),
    ],
    outcomes: ["pending", "partial"],
    everybody: ["1: acme(a)"],
  })
  check("contract §6: an alias with an unknown previous id is dropped", {
    commands: [alias(one, "never seen")],
    outcomes: ["dropped"],
    everybody: [],
  })
  check("contract §13: an alias attaches the visitor if the previous id is known only as an anonymous id", {
    commands: [identify(visitor, { set: { a: 1 } }), alias(one, "u")],
    outcomes: ["pending", "created"],
    everybody: ["1: a"],
  })
  check("contract §6: adding or removing an object's relationships leaves out suppressed people", {
    commands: [relateAcme(two, "add"), suppress(one), relateAcme(one, "delete")],
    outcomes: ["created", "applied", "partial"],
    everybody: ["2: acme()"],
  })

  it("contract §6: no entry contains an email that was refused because it belongs to another person", () => {
    const { entries } = runWhole([
      identify(ann),
      identify(one),
      submit({ id: "1", email: "ann@x.org" }),
    ]).written
    assertSame([entries[2]?.outcome, entries[2]?.data], ["partial", { id: "1" }])
  })

  it("contract §6: no entry contains an anonymous id that was refused because it belongs to another person", () => {
    const { entries } = runWhole([
      identify(one, { anonymousId: "u" }),
      identify(two, { anonymousId: "u" }),
    ]).written
    assertSame(
      [entries[1]?.outcome, entries[1]?.anonymousId, JSON.stringify(entries[1]?.data)],
      ["partial", null, "{}"],
    )
  })

  it("contract §5: the devices and the relationships of a person are limited in bytes", () => {
    const value = "x".repeat(1000)
    const set = Object.fromEntries(Array.from({ length: 250 }, (_, index) => [`a${index}`, value]))
    const tokens = ["t1", "t2", "t3", "t4", "t5"]
    const state = runWhole(tokens.map((token) => addDevice(one, token, { set })))
    assertSame(
      state.written.entries.map(({ outcome }) => outcome),
      ["created", "applied", "applied", "applied", "partial"],
    )
    const [person] = visibleIn(state, epoch).people
    assertSame(person?.devices.length, 4)
  })

  it("contract §4: the reason of a log entry contains the first faults in full and the number of the remaining faults", () => {
    const faults = Array.from(
      { length: 50 },
      (_, n) => ({ reason: "invalid", code: "value_not_text", field: `f${n}`, values: {} }) as const,
    )
    const { entries } = runWhole([{ ...identify(one), faults }]).written
    assertSame(entries[0]?.reasons.slice(19), [
      { code: "value_not_text", field: "f19", values: {} },
      { code: "more", field: "", values: { count: 30 } },
    ])
  })
})
