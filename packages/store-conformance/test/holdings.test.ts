import { describe, it } from "@effect/vitest"
import type { Command } from "@inlethq/core/Command"
import { defaultLimits, type Limits } from "@inlethq/core/workspace/Limits"
import type { Person } from "@inlethq/core/state/Person"
import {
  addDevice,
  byAnonymousId,
  byEmail,
  byId,
  bySvcId,
  event,
  first,
  identify,
  merge,
  objectOf,
  relate,
  relatePeople,
} from "@inlethq/store-conformance/script/commands"
import { createSegment, joinSegment } from "@inlethq/store-conformance/script/segmentCommands"
import { assertSame, runWhole } from "./whole.ts"

const times = <A>(count: number, f: (index: number) => A) => Array.from({ length: count }, (_, n) => f(n))

const workspaceWith = (limits: Partial<Limits>) => ({ ...first, limits: { ...defaultLimits, ...limits } })

const deviceNamed = (token: string) => ({
  _tag: "DeviceUpdate" as const,
  token,
  platform: "ios",
  lastUsed: null,
  lastUsedGiven: false,
  assignments: [],
})

const entriesAfter = (commands: ReadonlyArray<Command>) => runWhole(commands).written.entries

const personWith = (commands: ReadonlyArray<Command>, id: string): Person | undefined => {
  for (const subject of runWhole(commands).subjects.values()) {
    if (subject._tag === "Person" && subject.id === id) return subject
  }
  return undefined
}

const objects = (prefix: string, count: number) =>
  times(count, (n) => [objectOf("1", `${prefix}${n}`)] as const)

describe("the limits on the data of one person", () => {
  it("contract §5 merged limits: a merge keeps all relationships, and a person above the limit cannot add further relationships", () => {
    const merged = [
      relate(byId("a"), objects("a", 800)),
      relate(byId("b"), objects("b", 800)),
      merge(byId("a"), byId("b")),
    ]
    assertSame(personWith(merged, "a")?.relationships.size, 1600)
    const more = [
      ...merged,
      relate(byId("a"), objects("c", 1)),
      relate(byId("a"), [[objectOf("1", "a0"), [["n", 1]]]]),
    ]
    assertSame(personWith(more, "a")?.relationships.size, 1600)
    assertSame(
      entriesAfter(more)
        .map(({ outcome, reasons }) => [outcome, ...reasons])
        .slice(-3),
      [
        ["applied", { code: "gains_unlisted", field: "", values: { count: 300 } }],
        [
          "partial",
          {
            code: "too_many_relationships",
            field: "svc_relationships.0.identifiers",
            values: { max: 1000 },
          },
        ],
        ["applied"],
      ],
    )
  })

  it("if a request about an object lists a person twice, the bytes of their relationship count once", () => {
    const acme = objectOf("1", "acme")
    const commands = [
      relate(
        byId("a"),
        times(10, (n) => [objectOf("1", `a${n}`), [["n", "x".repeat(100_000)]]] as const),
      ),
      relatePeople(acme, [
        [byId("a"), [["first", "x".repeat(30_000)]]],
        [byId("a"), [["second", "x".repeat(30_000)]]],
      ]),
    ]
    const person = personWith(commands, "a")
    const names = [...(person?.relationships.values() ?? [])].flatMap((attributes) => [...attributes.keys()])
    assertSame(names.slice(10), ["first"])
    assertSame(entriesAfter(commands).at(-1)?.outcome, "partial")
  })

  it("a merge keeps all devices, segments and attributes, and a person above a limit cannot add more of them", () => {
    const few = workspaceWith({ devicesPerPersonMax: 3, segmentsPerPersonMax: 2, attributesPerPersonMax: 2 })
    const inFew = { in: few }
    const holding = (who: string) => [
      identify(
        byId(who),
        [
          [`${who}1`, 1],
          [`${who}2`, 2],
        ],
        inFew,
      ),
      ...times(3, (n) => addDevice(byId(who), `${who}${n}`, [], inFew)),
    ]
    const segments = times(5, (n) => createSegment(`s${n}`, inFew))
    const merged = [
      ...segments,
      ...holding("a"),
      ...holding("b"),
      joinSegment(1, [byId("a")], inFew),
      joinSegment(2, [byId("a")], inFew),
      joinSegment(3, [byId("b")], inFew),
      joinSegment(4, [byId("b")], inFew),
      merge(byId("a"), byId("b"), inFew),
    ]
    const more = [
      ...merged,
      addDevice(byId("a"), "new", [], inFew),
      joinSegment(5, [byId("a")], inFew),
      identify(
        byId("a"),
        [
          ["new", 1],
          ["a1", 9],
        ],
        inFew,
      ),
      addDevice(byId("a"), "b0", [["n", 1]], inFew),
    ]
    for (const commands of [merged, more]) {
      const person = personWith(commands, "a")
      assertSame([...(person?.devices.keys() ?? [])].toSorted(), ["a0", "a1", "a2", "b0", "b1", "b2"])
      assertSame(person?.segments.toSorted(), [1, 2, 3, 4])
      assertSame([...(person?.attributes.keys() ?? [])].toSorted(), ["a1", "a2", "b1", "b2"])
    }
    assertSame(
      entriesAfter(more)
        .map(({ outcome }) => outcome)
        .slice(-5),
      ["applied", "partial", "applied", "partial", "applied"],
    )
  })

  it("a merge is refused as a whole if its result would exceed twice a limit, and its log entry gives the reason", () => {
    const few = { in: workspaceWith({ devicesPerPersonMax: 2 }) }
    const holding = (who: string) => times(2, (n) => addDevice(byId(who), `${who}${n}`, [], few))
    const commands = [
      ...["a", "b", "c"].flatMap(holding),
      merge(byId("a"), byId("b"), few),
      merge(byId("a"), byId("c"), few),
      merge(byId("c"), byId("a"), few),
    ]
    const values = { what: "devices", total: 6, max: 4 }
    const tooMuch = { code: "too_much_merged", field: "", values }
    assertSame(personWith(commands, "a")?.devices.size, 4)
    assertSame(personWith(commands, "c")?.devices.size, 2)
    assertSame(
      entriesAfter(commands)
        .map(({ outcome, reasons }) => [outcome, ...reasons])
        .slice(-3),
      [["applied"], ["dropped", tooMuch], ["dropped", tooMuch]],
    )
  })

  it("if an identify attaches two visitors and the first visitor's devices exceed the limit of the person, the second visitor's devices are left out", () => {
    const few = { in: workspaceWith({ devicesPerPersonMax: 2 }) }
    const holding = (who: string) => times(2, (n) => addDevice(byAnonymousId(who), `${who}${n}`, [], few))
    const waiting = times(2, (n) => event(byId("w"), "opened", { ...few, device: deviceNamed(`w${n}`) }))
    const commands = [
      identify(byEmail("p@x.org"), [], few),
      ...times(2, (n) => addDevice(byEmail("p@x.org"), `p${n}`, [], few)),
      ...waiting,
      ...holding("v"),
      identify(bySvcId(1), [["plan", "pro"]], {
        ...few,
        id: "w",
        anonymousId: "v",
        device: deviceNamed("own"),
      }),
    ]
    const tokens = [...(personWith(commands, "w")?.devices.keys() ?? [])].toSorted()
    assertSame(tokens, ["p0", "p1", "w0", "w1"])
    const last = entriesAfter(commands).at(-1)
    const fault = { code: "too_many_devices", field: "device", values: { max: 2 } }
    assertSame([last?.outcome, last?.reasons], ["partial", [fault, fault]])
  })

  it("a visitor's data all move to the person if the result is within the limits", () => {
    const few = { in: workspaceWith({ relationshipsPerPersonMax: 2 }) }
    const commands = [
      relate(byId("a"), objects("a", 2), few),
      relate(byAnonymousId("v"), objects("v", 2), few),
      relate(byAnonymousId("u"), objects("u", 1), few),
      identify(byId("a"), [], { ...few, anonymousId: "v" }),
      identify(byId("a"), [], { ...few, anonymousId: "u" }),
    ]
    assertSame(personWith(commands, "a")?.relationships.size, 4)
    assertSame(
      entriesAfter(commands)
        .map(({ outcome }) => outcome)
        .slice(-2),
      ["applied", "partial"],
    )
  })
})
