import type { ErasureDocument } from "../../api/documents.ts"

/** The steps of an erasure in their order, each with what it means. */
export const erasureSteps: ReadonlyArray<readonly [state: ErasureDocument["state"], means: string]> = [
  ["hidden", "Nobody can read anything about the person any more."],
  ["removed", "All rows about the person are removed."],
  ["overwritten", "The bytes of the removed rows are overwritten."],
  ["sealed", "A signed receipt says what was done."],
]

/** Returns whether an erasure has done a step. */
export const isDone = (state: ErasureDocument["state"], step: ErasureDocument["state"]): boolean =>
  placeOf(state) >= placeOf(step)

const placeOf = (wanted: ErasureDocument["state"]): number =>
  erasureSteps.findIndex(([name]) => name === wanted)
