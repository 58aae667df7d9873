import type { ActivityKind } from "@inlet/core/log/ActivityEntry"

export const callTypes = ["identify", "track", "page", "screen", "group", "alias"] as const
export type CallType = (typeof callTypes)[number]

/** A call, or a batch of them. */
export type Operation = CallType | "batch"

/** What the path under `/v1` asks for: the documented names, the browser's, and what generic libraries call a batch (contract §2). */
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
  ["import/", "batch"],
]

/** What a call is recorded as where it is refused before it was read; the calls of a batch have kinds of their own. */
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
