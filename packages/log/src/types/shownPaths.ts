import { PathSummary } from "./PathSummary.ts"
import { anyKey, isNamed, isShared, type ShapeSummary } from "./ShapeSummary.ts"

/** The path of the elements of a list. */
const elements = "[]"

/** A path as it is shown. */
export interface ShownPath {
  /** The keys down to it. The elements of a list are `[]`, and keys that are not shown `*`. */
  readonly segments: ReadonlyArray<string>
  readonly path: PathSummary
  /** Whether its presence means something. */
  readonly isNamed: boolean
}

/**
 * Returns the paths of a shape in the order of their keys. Keys that one person or object alone has sent may be data, so they are
 * shown together as `*`.
 */
export const shownPaths = (shape: ShapeSummary): ReadonlyArray<ShownPath> => [...below(shape.root, [], true)]

function* below(
  parent: PathSummary,
  segments: ReadonlyArray<string>,
  isNamedSoFar: boolean,
): Generator<ShownPath> {
  for (const [segment, path] of shownChildren(parent)) {
    const named = isNamedSoFar && isNamed(segment)
    const at = [...segments, segment]
    yield { segments: at, path, isNamed: named }
    yield* below(path, at, named)
  }
  if (parent.items === null) return
  const at = [...segments, elements]
  yield { segments: at, path: parent.items, isNamed: false }
  yield* below(parent.items, at, false)
}

/** Returns the children of a path by the keys with which they are shown. */
export const shownChildren = (parent: PathSummary): ReadonlyArray<readonly [string, PathSummary]> => {
  const shown = [...parent.children].filter(([key, child]) => isNamed(key) && isShared(child))
  const others = [...parent.children].filter(([key, child]) => !(isNamed(key) && isShared(child)))
  const sorted = shown.toSorted(([a], [b]) => (a < b ? -1 : 1))
  const [first] = others
  if (first === undefined) return sorted
  const together = new PathSummary(first[1].first, first[1].before)
  for (const [, child] of others) together.absorb(PathSummary.from(child.stored()))
  return [...sorted, [anyKey, together]]
}

/** Returns a path as a text. Dots in keys are written `\.`. */
export const pathText = (segments: ReadonlyArray<string>): string =>
  segments
    .map((segment) => (segment === elements ? segment : segment.replaceAll(/[\\.]/g, String.raw`\$&`)))
    .reduce(
      (text, segment) => (segment === elements || text === "" ? text + segment : `${text}.${segment}`),
      "",
    )

/**
 * Returns the part of the entries since its first that have a path, or null if it cannot be told. A path that appeared later is
 * not missing before.
 */
export const presenceOf = ({ isNamed: named, path }: ShownPath, shape: ShapeSummary): number | null => {
  const since = shape.entries - path.before
  return named && since > 0 ? path.count / since : null
}
