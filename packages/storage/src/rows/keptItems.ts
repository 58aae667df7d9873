import type { KeptReason, KeptValue } from "@inlethq/core/log/KeptValue"
import type { Json } from "@inlethq/core/values/Json"

/** A value that was read otherwise, as it is stored. The last item is missing if the value is whole. */
export type KeptItem = readonly [path: string, sent: Json, kept: Json, why: KeptReason, cutFrom?: number]

export const keptItem = ({ cutFrom, kept, path, sent, why }: KeptValue): KeptItem =>
  cutFrom === null ? [path, sent, kept, why] : [path, sent, kept, why, cutFrom]

export const keptValue = ([path, sent, kept, why, cutFrom]: KeptItem): KeptValue => ({
  path,
  sent,
  kept,
  why,
  cutFrom: cutFrom ?? null,
})
