import { describe, it } from "@effect/vitest"
import type { AddDevice } from "@inlethq/core/device/commands"
import type { Command } from "@inlethq/core/Command"
import { addDevice, by, identify, relate, toAcme } from "./commands.ts"
import { assertSame, runWhole } from "./harness.ts"
import { epoch } from "./scripts.ts"

const one = by("id", "1")

const phone = (parts: Partial<AddDevice> = {}): AddDevice => ({ ...addDevice(one, "phone"), ...parts })

interface Row {
  /** The commands to run. The test checks only the field changes of the last command. */
  readonly commands: ReadonlyArray<Command>
  readonly changes: ReadonlyArray<readonly [path: string, from: unknown, to: unknown]>
}

const check = (title: string, { changes, commands }: Row): void =>
  it(title, () => {
    assertSame(
      runWhole(commands).written.entries.at(-1)?.changes,
      changes.map(([path, from, to]) => ({ path, from, to })),
    )
  })

describe("the field changes of an entry", () => {
  check("an entry lists a new relationship without attributes", {
    commands: [identify(one), relate(one, "add")],
    changes: [["relationships.1.acme", null, {}]],
  })
  check("an entry lists a new relationship together with the other changes of an identify", {
    commands: [identify(one), identify(one, { set: { a: 1 }, relationships: toAcme("add") })],
    changes: [
      ["attributes.a", null, 1],
      ["relationships.1.acme", null, {}],
    ],
  })
  check("an entry lists a new relationship and each of its attributes", {
    commands: [identify(one), relate(one, "add", { set: { role: "owner" } })],
    changes: [
      ["relationships.1.acme", null, {}],
      ["relationships.1.acme.role", null, "owner"],
    ],
  })
  check("an entry lists only the new attribute of an existing relationship", {
    commands: [
      identify(one, { relationships: toAcme("add") }),
      relate(one, "add", { set: { role: "owner" } }),
    ],
    changes: [["relationships.1.acme.role", null, "owner"]],
  })
  check("an entry lists nothing for an unchanged relationship", {
    commands: [identify(one, { relationships: toAcme("add") }), relate(one, "add")],
    changes: [],
  })
  check("an entry lists a removed relationship with its attributes", {
    commands: [
      identify(one, { relationships: toAcme("add", { role: "owner", gone: 1 }) }),
      relate(one, "add", { set: { gone: null } }),
      relate(one, "delete"),
    ],
    changes: [["relationships.1.acme", { role: "owner" }, null]],
  })
  check("an entry lists nothing if a relationship to remove does not exist", {
    commands: [identify(one), relate(by("id", "2"), "add"), relate(one, "delete")],
    changes: [],
  })
  check("an entry lists a new device and its last use", {
    commands: [identify(one), phone({ lastUsed: epoch })],
    changes: [
      ["devices.phone", null, "ios"],
      ["devices.phone.last_used", null, "2026-01-01T00:00:00.000Z"],
    ],
  })
  check("an entry lists nothing for an unchanged device", {
    commands: [phone({ lastUsed: epoch }), phone({ lastUsed: epoch })],
    changes: [],
  })
  check("an entry lists a new platform of a device", {
    commands: [phone(), phone({ platform: "android" })],
    changes: [["devices.phone", "ios", "android"]],
  })
  check("an entry lists a newer last use of a device", {
    commands: [phone({ lastUsed: epoch - 1000 }), phone({ lastUsed: epoch })],
    changes: [["devices.phone.last_used", "2025-12-31T23:59:59.000Z", "2026-01-01T00:00:00.000Z"]],
  })
  check("an entry lists nothing for an older last use of a device", {
    commands: [phone({ lastUsed: epoch }), phone({ lastUsed: epoch - 1000 })],
    changes: [],
  })
})
