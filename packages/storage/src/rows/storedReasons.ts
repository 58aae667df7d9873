import type { Reason, TextValues } from "@inlethq/core/log/Reason"
import { noReasons, noValues } from "@inlethq/core/log/Reason"

/**
 * Reasons as they are stored: a code, the path or the paths, and what fills the placeholders. Consecutive reasons of one
 * code without values share an item, because a call can have hundreds of stale attributes. A path or values that are empty
 * are left out.
 */
export type StoredReason =
  | readonly [code: string]
  | readonly [code: string, fields: string | ReadonlyArray<string>]
  | readonly [code: string, field: string, values: TextValues]

/** Returns the stored form of reasons, or undefined if there are none. */
export const storedReasons = (reasons: ReadonlyArray<Reason>): ReadonlyArray<StoredReason> | undefined => {
  if (reasons.length === 0) return undefined
  const stored: Array<StoredReason> = []
  for (let i = 0; i < reasons.length; i++) {
    const reason = reasons[i]
    if (reason === undefined) break
    const { code, field, values } = reason
    const end = endOfRun(reasons, i)
    if (end > i + 1) {
      stored.push([code, reasons.slice(i, end).map((one) => one.field)])
      i = end - 1
    } else if (hasValues(values)) stored.push([code, field, values])
    else stored.push(field === "" ? [code] : [code, field])
  }
  return stored
}

/** Returns where the reasons end that share an item with the reason at `start`. */
const endOfRun = (reasons: ReadonlyArray<Reason>, start: number): number => {
  const code = reasons[start]?.code
  const end = reasons.findIndex((one, i) => i >= start && (one.code !== code || hasValues(one.values)))
  return end < 0 ? reasons.length : end
}

export const hasValues = (values: TextValues): boolean => {
  for (const _ in values) return true
  return false
}

/** Decodes the stored form of reasons. */
export const reasonsFrom = (stored: ReadonlyArray<StoredReason> | undefined): ReadonlyArray<Reason> =>
  stored === undefined
    ? noReasons
    : stored.flatMap(([code, fields = "", values = noValues]) =>
        typeof fields === "string"
          ? [{ code, field: fields, values }]
          : fields.map((field) => ({ code, field, values })),
      )
