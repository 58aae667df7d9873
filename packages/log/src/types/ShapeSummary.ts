import { isJsonObject, type Json } from "@inlethq/core/values/Json"
import { looksLikeData } from "./looksLikeData.ts"
import { PathSummary, several, type StoredPath, type Whom } from "./PathSummary.ts"
import type { Seen } from "./Seen.ts"

/** The most paths of one name, and the levels that they go down. What comes later is counted, and not described. */
export const pathsMax = 300
const depthMax = 6

/** How many paths the names of a workspace have together. */
export interface PathBudget {
  used: number
}

/** The most paths that the names of a workspace have together. */
const pathsInAllMax = 20_000

/** An object with more keys than this is a table with keys that are data: all of them become `*`. */
export const siblingsMax = 100

/** Stands for keys that are data. */
export const anyKey = "*"

/**
 * The shape of the data of all entries of one name: which paths they have, and of which types. It is built an entry at a time,
 * so it depends on nothing but their order.
 */
export class ShapeSummary {
  readonly root: PathSummary
  /** How many values had no place because there were too many paths. */
  unplaced: number
  private readonly budget: PathBudget
  private size: number
  /** The paths that every entry since their first has had. */
  private readonly always: Set<PathSummary>
  /** Whether the last entry brought a path, a type or a first absence. */
  private hasChanged = false

  constructor(first: Seen, budget: PathBudget, root = new PathSummary(first, 0), unplaced = 0) {
    this.root = root
    this.unplaced = unplaced
    this.budget = budget
    this.size = root.size - 1
    budget.used += this.size
    this.always = new Set(alwaysIn(root))
  }

  static from(stored: StoredPath, unplaced: number, budget: PathBudget): ShapeSummary {
    const root = PathSummary.from(stored)
    return new ShapeSummary(root.first, budget, root, unplaced)
  }

  /** The number of entries whose data were looked at. */
  get entries(): number {
    return this.root.count
  }

  /** The number of paths. */
  get paths(): number {
    return this.size
  }

  /** Adds the data of an entry. Returns whether the shape changed: a new path, another type, or a path that was missing. */
  add(data: Json, seen: Seen, whom: Whom): boolean {
    this.hasChanged = false
    const before = this.root.count
    this.root.add(data, seen, whom)
    if (isJsonObject(data)) this.addKeys(this.root, data, { seen, whom, before, depth: 1 })
    for (const path of this.always) {
      if (path.last.position === seen.position) continue
      path.missing = seen
      this.always.delete(path)
      this.hasChanged = true
    }
    return this.hasChanged
  }

  /** Whether more than one person or object has sent a key of the data. */
  hasShared(key: string): boolean {
    const path = this.root.children.get(key)
    return path !== undefined && isShared(path)
  }

  /** Returns the people and objects who alone have sent a path. */
  soleSenders(): ReadonlySet<number> {
    const found = new Set<number>()
    const visit = (path: PathSummary): void => {
      if (path.sole > 0) found.add(path.sole)
      for (const child of path.children.values()) visit(child)
      if (path.items !== null) visit(path.items)
    }
    for (const child of this.root.children.values()) visit(child)
    return found
  }

  /** Removes the paths that nobody but people and objects who are gone has sent. */
  forget(gone: ReadonlySet<number>): boolean {
    const { size } = this
    const visit = (path: PathSummary): void => {
      for (const [key, child] of path.children) {
        if (!gone.has(child.sole)) visit(child)
        else {
          path.children.delete(key)
          this.grow(-child.size)
        }
      }
      if (path.items !== null) visit(path.items)
    }
    visit(this.root)
    if (this.size === size) return false
    this.always.clear()
    for (const path of alwaysIn(this.root)) this.always.add(path)
    return true
  }

  private addKeys(parent: PathSummary, object: Readonly<Record<string, Json>>, at: Place): void {
    for (const key of Object.keys(object)) {
      const value = object[key]
      if (value === undefined) continue
      const segment = parent.isFolded || looksLikeData(key) ? anyKey : key
      const child = parent.children.get(segment) ?? this.added(parent, segment, at)
      if (child === null) continue
      this.addValue(child, value, at)
      if (parent.children.size > siblingsMax) this.fold(parent, at)
    }
  }

  private addValue(path: PathSummary, value: Json, at: Place): void {
    const { seen, whom } = at
    const types = path.types.size
    const isSharedNow = path.add(value, seen, whom)
    if (isSharedNow || path.types.size !== types) this.hasChanged = true
    if (at.depth >= depthMax) return
    const below = { ...at, depth: at.depth + 1 }
    if (isJsonObject(value)) this.addKeys(path, value, below)
    else if (Array.isArray(value)) this.addElements(path, value, below)
  }

  private addElements(path: PathSummary, list: ReadonlyArray<Json>, at: Place): void {
    for (const element of list) {
      const items = path.items ?? this.placed(at)
      if (items === null) return
      path.items = items
      this.addValue(items, element, at)
    }
  }

  private added(parent: PathSummary, segment: string, at: Place): PathSummary | null {
    const child = this.placed(at)
    if (child === null) return null
    parent.children.set(segment, child)
    if (segment !== anyKey) this.always.add(child)
    return child
  }

  private placed({ before, seen }: Place): PathSummary | null {
    if (this.size >= pathsMax || this.budget.used >= pathsInAllMax) {
      this.unplaced++
      return null
    }
    this.grow(1)
    this.hasChanged = true
    return new PathSummary(seen, before)
  }

  private grow(paths: number): void {
    this.size += paths
    this.budget.used += paths
  }

  /** Makes one path of all keys of an object. */
  private fold(parent: PathSummary, { before, seen }: Place): void {
    const [first] = parent.children.values()
    const together = new PathSummary(first?.first ?? seen, first?.before ?? before)
    const sizeBefore = parent.size
    for (const child of parent.children.values()) together.absorb(child)
    parent.children = new Map([[anyKey, together]])
    parent.isFolded = true
    this.grow(parent.size - sizeBefore)
    this.always.clear()
    for (const path of alwaysIn(this.root)) this.always.add(path)
  }
}

/** An entry whose data are added, and how deep its values are. */
interface Place {
  readonly seen: Seen
  readonly whom: Whom
  /** The number of entries before this one. */
  readonly before: number
  readonly depth: number
}

/** Whether a path is one that a developer has named. Other paths have no presence: their keys are data, or their places in lists. */
export const isNamed = (segment: string): boolean => segment !== anyKey

/** Whether a path is shown by its own name, because more than one person or object has sent it. */
export const isShared = ({ sole }: PathSummary): boolean => sole === several

function* alwaysIn(parent: PathSummary): Generator<PathSummary> {
  for (const [segment, child] of parent.children) {
    if (child.missing === null && isNamed(segment)) yield child
    yield* alwaysIn(child)
  }
  if (parent.items !== null) yield* alwaysIn(parent.items)
}
