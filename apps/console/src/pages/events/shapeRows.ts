import type { PathDocument } from "@inlethq/contract/types/EventTypes"

/** A path of a shape as a row of a tree. */
export interface ShapeRow {
  readonly path: PathDocument
  /** The last key of the path. */
  readonly label: string
  readonly depth: number
}

/** Returns the paths of a shape as rows of a tree, in their order. */
export const shapeRows = (shape: ReadonlyArray<PathDocument>): ReadonlyArray<ShapeRow> =>
  shape.map((path) => {
    const segments = segmentsOf(path.path)
    return { path, label: segments.at(-1) ?? path.path, depth: segments.length - 1 }
  })

/** Splits a path at its dots, and before the elements of lists. A dot after a backslash belongs to a key. */
const segmentsOf = (path: string): ReadonlyArray<string> =>
  (path.match(/\[\](?=\.|\[\]|$)|(?:\\.|[^.\\[]|\[(?!\](?:\.|\[\]|$)))+/g) ?? []).map((segment) =>
    segment.replaceAll(/\\(.)/g, "$1"),
  )

/** Returns the types of the values, the most frequent first. Of several types, each has its share. */
export const typesText = ({ types }: Pick<PathDocument, "types">): string => {
  const sorted = Object.entries(types).toSorted(([, a], [, b]) => b - a)
  const total = sorted.reduce((sum, [, count]) => sum + count, 0)
  return sorted.length === 1
    ? (sorted[0]?.[0] ?? "")
    : sorted.map(([type, count]) => `${type}\u00a0${percent(count / total)}`).join(", ")
}

/** Returns a share in percent, which is 100 only for everything, and 0 only for nothing. */
export const percent = (share: number): string => {
  if (share > 0 && share < 0.01) return "below 1\u00a0%"
  return `${share < 1 ? Math.min(99, Math.round(share * 100)) : 100}\u00a0%`
}
