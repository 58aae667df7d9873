import { noValues, type TextValues } from "@inlethq/core/log/Reason"
import type { RefusedValue } from "@inlethq/core/log/RefusedValue"
import type { ClauseName } from "@inlethq/core/log/ClauseName"
import { hasValues } from "./storedReasons.ts"
import type { SubjectKey } from "@inlethq/core/values/Identifier"
import type { Json } from "@inlethq/core/values/Json"

/** A refused value as it is stored, without the person to whom it belongs. */
export type RefusedItem = readonly [
  path: string,
  value: Json,
  cutFrom: number | null,
  code: string,
  rule: ClauseName,
  values?: TextValues,
]

export const refusedItem = ({ code, cutFrom, path, rule, value, values }: RefusedValue): RefusedItem =>
  hasValues(values) ? [path, value, cutFrom, code, rule, values] : [path, value, cutFrom, code, rule]

/** Decodes a refused value. `other` is the person or visitor to whom the value belongs, or null. */
export const refusedValue = (
  [path, value, cutFrom, code, rule, values = noValues]: RefusedItem,
  other: SubjectKey | null,
): RefusedValue => ({ path, value, cutFrom, code, values, rule, other })

/** Returns the stored form of the refused values that belong to nobody else, or undefined if there are none. */
export const ownRefusals = (refused: ReadonlyArray<RefusedValue>): ReadonlyArray<RefusedItem> | undefined => {
  const own = refused.flatMap((one) => (one.other === null ? [refusedItem(one)] : []))
  return own.length === 0 ? undefined : own
}
