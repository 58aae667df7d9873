export const callTypes = ["identify", "track", "page", "screen", "group", "alias"] as const
export type CallType = (typeof callTypes)[number]

/** What the last segment of a path asks for; the browser's short forms included (contract §2). */
const paths: ReadonlyMap<string, CallType | "batch"> = new Map<string, CallType | "batch">([
  ...callTypes.map((type) => [type, type] as const),
  ["i", "identify"],
  ["t", "track"],
  ["p", "page"],
  ["s", "screen"],
  ["g", "group"],
  ["a", "alias"],
  ["b", "batch"],
  ["batch", "batch"],
  ["import", "batch"],
])

/** The operation of a path under `/v1`, without its slashes; undefined where there is none. */
export const operationOf = (segment: string): CallType | "batch" | undefined => paths.get(segment)

export const isCallType = (type: unknown): type is CallType => callTypes.some((known) => known === type)
