import type { ActivityKind } from "@inlethq/core/log/ActivityEntry"

export const callTypes = ["identify", "track", "page", "screen", "group", "alias"] as const
export type CallType = (typeof callTypes)[number]

/** The operation of an endpoint: a single call of one type, or a batch. */
export type Operation = CallType | "batch"

/**
 * Maps paths under `/v1` to operations: the documented paths, the short paths of the browser library, and the batch
 * paths of generic libraries (contract §2).
 */
export const operationPaths: ReadonlyArray<readonly [path: string, operation: Operation]> = [
  ...callTypes.map((type) => [type, type] as const),
  ["i", "identify"],
  ["t", "track"],
  ["p", "page"],
  ["s", "screen"],
  ["g", "group"],
  ["a", "alias"],
  ["batch", "batch"],
  ["b", "batch"],
  ["import", "batch"],
]

/**
 * The activity kind to record for a call that was refused before its body was read. A batch has no kind, because each
 * call in the batch has its own kind.
 */
export const operationKinds: Readonly<Record<CallType, ActivityKind>> & { readonly batch: null } = {
  identify: "identify",
  track: "event",
  page: "page",
  screen: "screen",
  group: "object_identify",
  alias: "merge",
  batch: null,
}

export const isCallType = (type: unknown): type is CallType => callTypes.some((known) => known === type)
