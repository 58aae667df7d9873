import { SegmentSizes, sizeDaysMax } from "@inlethq/core/ports/SegmentSizes"
import { dayNumber, resizedSegments } from "@inlethq/core/segment/sizesByDay"
import type { SubjectKey } from "@inlethq/core/values/Identifier"
import { Effect, Layer } from "effect"
import type { Island } from "./MemoryImage.ts"
import { MemoryState } from "./MemoryState.ts"
import { segmentRecord } from "./records.ts"

/** Reads the sizes that segments had. */
export const segmentSizes = Layer.effect(
  SegmentSizes,
  Effect.map(MemoryState, ({ islandOf }) =>
    SegmentSizes.of({
      since: (workspace, segment, day) =>
        Effect.sync(() => {
          const days = islandOf(workspace).segmentSizes.get(segment) ?? new Map<number, number>()
          return neededFrom(days, day).map(([one, size]) => ({ day: one, size }))
        }),
    }),
  ),
)

/** Keeps the sizes of the segments that a batch has changed. Must run before the record of what it has written is cleared. */
export const keepSegmentSizes = (island: Island): void => {
  const { everything, segmentSizes: sizes } = island
  const { latestReceipt, subjects, written } = everything
  for (const key of written.subjects) if (subjects.get(key)?._tag === "Erased") sizes.delete(key)
  if (written.links.size === 0 && written.subjects.size === 0) return
  const targets = new Set<SubjectKey>()
  for (const some of written.links.values()) for (const target of some) targets.add(target)
  const day = dayNumber(latestReceipt ?? 0)
  for (const key of resizedSegments(targets, everything).keys()) {
    const segment = subjects.get(key)
    if (segment?._tag !== "Segment") continue
    const before = neededFrom(sizes.get(key) ?? new Map<number, number>(), day - sizeDaysMax)
    sizes.set(key, new Map([...before, [day, segmentRecord(island, segment).size]]))
  }
}

/** Returns the sizes from a day on, and that of the last change before it. */
const neededFrom = (
  days: ReadonlyMap<number, number>,
  day: number,
): ReadonlyArray<readonly [day: number, size: number]> => {
  const all = [...days]
  return all.slice(
    Math.max(
      0,
      all.findLastIndex(([one]) => one <= day),
    ),
  )
}
