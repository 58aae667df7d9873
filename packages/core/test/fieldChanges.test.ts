import { describe, it } from "@effect/vitest"
import type { AddDevice } from "@inlet/core/device/commands"
import type { Command } from "@inlet/core/Command"
import { addDevice, by, identify, relate, toAcme } from "./commands.ts"
import { assertSame, runWhole } from "./harness.ts"
import { epoch } from "./scripts.ts"

const one = by("id", "1")

const phone = (parts: Partial<AddDevice> = {}): AddDevice => ({ ...addDevice(one, "phone"), ...parts })

interface Row {
  readonly says: string
  /** The last one is looked at. */
  readonly commands: ReadonlyArray<Command>
  readonly changes: ReadonlyArray<readonly [path: string, from: unknown, to: unknown]>
}

const rows: ReadonlyArray<Row> = [
  {
    says: "a relationship without attributes",
    commands: [identify(one), relate(one, "add")],
    changes: [["relationships.1.acme", null, {}]],
  },
  {
    says: "a relationship beside what else an identify says",
    commands: [identify(one), identify(one, { set: { a: 1 }, relationships: toAcme("add") })],
    changes: [
      ["attributes.a", null, 1],
      ["relationships.1.acme", null, {}],
    ],
  },
  {
    says: "a relationship with attributes, each of them",
    commands: [identify(one), relate(one, "add", { set: { role: "owner" } })],
    changes: [
      ["relationships.1.acme", null, {}],
      ["relationships.1.acme.role", null, "owner"],
    ],
  },
  {
    says: "an attribute of a relationship that is there, alone",
    commands: [
      identify(one, { relationships: toAcme("add") }),
      relate(one, "add", { set: { role: "owner" } }),
    ],
    changes: [["relationships.1.acme.role", null, "owner"]],
  },
  {
    says: "nothing of a relationship that is there as it is",
    commands: [identify(one, { relationships: toAcme("add") }), relate(one, "add")],
    changes: [],
  },
  {
    says: "a relationship that ends, with what it had",
    commands: [
      identify(one, { relationships: toAcme("add", { role: "owner", gone: 1 }) }),
      relate(one, "add", { set: { gone: null } }),
      relate(one, "delete"),
    ],
    changes: [["relationships.1.acme", { role: "owner" }, null]],
  },
  {
    says: "nothing of a relationship that is not there to end",
    commands: [identify(one), relate(by("id", "2"), "add"), relate(one, "delete")],
    changes: [],
  },
  {
    says: "a device and when it was used",
    commands: [identify(one), phone({ lastUsed: epoch })],
    changes: [
      ["devices.phone", null, "ios"],
      ["devices.phone.last_used", null, "2026-01-01T00:00:00.000Z"],
    ],
  },
  {
    says: "nothing of a device that is as it was",
    commands: [phone({ lastUsed: epoch }), phone({ lastUsed: epoch })],
    changes: [],
  },
  {
    says: "another platform of a device",
    commands: [phone(), phone({ platform: "android" })],
    changes: [["devices.phone", "ios", "android"]],
  },
  {
    says: "when a device was last used",
    commands: [phone({ lastUsed: epoch }), phone({ lastUsed: epoch + 1000 })],
    changes: [["devices.phone.last_used", "2026-01-01T00:00:00.000Z", "2026-01-01T00:00:01.000Z"]],
  },
  {
    says: "nothing of a use that comes late",
    commands: [phone({ lastUsed: epoch }), phone({ lastUsed: epoch - 1000 })],
    changes: [],
  },
]

describe("the changes of an entry tell of", () => {
  it.each(rows)("$says", ({ changes, commands }) => {
    assertSame(
      runWhole(commands).written.entries.at(-1)?.changes,
      changes.map(([path, from, to]) => ({ path, from, to })),
    )
  })
})
