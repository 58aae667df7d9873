import type { AuditChange } from "@inlethq/core/audit/AuditRecord"
import { sameJson, type Json } from "@inlethq/core/values/Json"

type Settings = Readonly<Record<string, Json>>

/** The most changes that a record lists. */
const changesMax = 100

/** The longest value of a change, in characters of JSON. A longer one is cut and becomes a text. */
const valueLengthMax = 500

const isSettings = (value: Json | undefined): value is Settings =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/**
 * Lists the settings that differ, with both values. Settings in an object are listed by themselves, such as
 * `limits.request_bytes`. The values of `secret` settings are left out.
 */
export const auditChanges = (
  before: Settings,
  after: Settings,
  secret: ReadonlySet<string> = new Set(),
): ReadonlyArray<AuditChange> => changesIn("", before, after, secret).slice(0, changesMax)

const changesIn = (
  prefix: string,
  before: Settings,
  after: Settings,
  secret: ReadonlySet<string>,
): ReadonlyArray<AuditChange> =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) => {
    const [from, to] = [ownIn(before, name), ownIn(after, name)]
    const setting = `${prefix}${name}`
    if (sameJson(from, to)) return []
    if (isSettings(from) && isSettings(to)) return changesIn(`${setting}.`, from, to, secret)
    return secret.has(setting)
      ? [{ setting, from: null, to: null, isSecret: true }]
      : [{ setting, from: cut(from), to: cut(to), isSecret: false }]
  })

const ownIn = (settings: Settings, name: string): Json =>
  (Object.hasOwn(settings, name) ? settings[name] : undefined) ?? null

const cut = (value: Json): Json => {
  const text = JSON.stringify(value)
  return text.length > valueLengthMax ? `${text.slice(0, valueLengthMax)}…` : value
}
