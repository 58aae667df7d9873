import { isMergeKind, type ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import type { Identifier } from "@inlethq/core/values/Identifier"
import type { Json } from "@inlethq/core/values/Json"
import { personEntity, type Draft, type EntryNames } from "./Draft.ts"

const prefix = "devices."

/**
 * Returns what an identify call or an event changed of devices, as operations of their own. The entry has no other record
 * of the device in the call.
 */
export const deviceEntities = (
  entry: ActivityEntry,
  address: Identifier,
  { platformOf }: EntryNames,
): ReadonlyArray<Draft> =>
  [...tokensOf(entry, platformOf)].flatMap((token): ReadonlyArray<Draft> => {
    const path = prefix + token
    const own = entry.changes.find((change) => change.path === path)
    if (own?.to === null) return [personEntity("delete_device", address, { device: { token } })]
    const platform = own?.to ?? platformOf(token)
    if (platform === null) return []
    const attributes: Record<string, Json> = {}
    let lastUsed: Json = null
    for (const change of entry.changes) {
      if (!change.path.startsWith(`${path}.`)) continue
      const name = change.path.slice(path.length + 1)
      if (name === "last_used") lastUsed = change.to
      else attributes[name] = change.to
    }
    const device = { token, platform, attributes, ...(lastUsed !== null && { last_used: lastUsed }) }
    return [personEntity("add_device", address, { device })]
  })

/**
 * Returns the tokens of the devices that an entry changed. Only an entry that does not say what it overwrote, because it is
 * about a visitor or created its person, leaves them to be read from the paths of its changes.
 */
const tokensOf = (
  { changes, overwritten, subject }: ActivityEntry,
  platformOf: EntryNames["platformOf"],
): ReadonlySet<string> => {
  const before = overwritten.find((one) => one.subject === subject)?.before
  if (before != null) return new Set(before.devices?.keys())
  const tokens = new Set<string>()
  const paths = changes.flatMap(({ path }) => (path.startsWith(prefix) ? [path.slice(prefix.length)] : []))
  for (const path of paths.toSorted((a, b) => a.length - b.length)) {
    const names = path.split(".")
    const beginnings = names.map((_, i) => names.slice(0, i + 1).join("."))
    const known = beginnings.find((token) => tokens.has(token) || platformOf(token) !== null)
    tokens.add(known ?? path)
  }
  return tokens
}

/** Returns the devices that people lost to somebody who was erased since. Their own entry says nothing more. */
export const lostDevices = (
  { kind, overwritten, subject }: ActivityEntry,
  { addressOf }: EntryNames,
): ReadonlyArray<Draft> => {
  if (isMergeKind(kind)) return []
  return overwritten.flatMap((one) => {
    const address = one.subject === subject ? null : addressOf(one.subject)
    if (address === null) return []
    return [...(one.before?.devices ?? [])].flatMap(([token, device]) =>
      device?.platform === undefined ? [] : [personEntity("delete_device", address, { device: { token } })],
    )
  })
}
