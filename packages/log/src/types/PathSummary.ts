import { Schema } from "effect"
import { Sketch } from "./Sketch.ts"
import { seenFrom, StoredSeen, storedSeen, type Seen } from "./Seen.ts"
import {
  formatOf,
  isValueFormat,
  isValueType,
  typeOf,
  type ValueFormat,
  type ValueType,
} from "./valueTypes.ts"
import type { Json } from "@inlethq/core/values/Json"

/** Says that more than one person has sent a path. */
export const several = -1
/** Says that no entry with a path is about anybody. */
const nobody = 0

/** Whom or what an entry is about. */
export interface Whom {
  /** The number of the person, visitor or object, or 0. */
  readonly key: number
  /** The visitors and merged people who are this person by now. */
  readonly attached: ReadonlyArray<{ readonly key: number }>
}

/** How often values of one type were at a path. */
export interface TypeCount {
  readonly first: Seen
  /** The position of the last entry that was counted. An entry counts once, however many values a list in it has. */
  last: number
  count: number
}

/**
 * How a path is stored: where it was seen first and last, in how many entries, how many came before the first, where a second
 * person sent it, where it was missing first, who alone has sent it, its types, its formats, its texts without one, its sketch, its children, and what is in
 * its list.
 */
export interface StoredPath {
  readonly f: StoredSeen
  readonly l: StoredSeen
  readonly n: number
  readonly b: number
  readonly a?: StoredSeen
  readonly m?: StoredSeen
  readonly s: number
  readonly t: Readonly<Record<string, readonly [number, number, StoredSeen]>>
  readonly o?: Readonly<Record<string, number>>
  readonly p?: number
  readonly d?: string
  readonly c?: Readonly<Record<string, StoredPath>>
  readonly i?: StoredPath
  readonly w?: true
}

export const StoredPath: Schema.Codec<StoredPath> = Schema.Struct({
  f: StoredSeen,
  l: StoredSeen,
  n: Schema.Int,
  b: Schema.Int,
  a: Schema.optionalKey(StoredSeen),
  m: Schema.optionalKey(StoredSeen),
  s: Schema.Int,
  t: Schema.Record(Schema.String, Schema.Tuple([Schema.Int, Schema.Int, StoredSeen])),
  o: Schema.optionalKey(Schema.Record(Schema.String, Schema.Int)),
  p: Schema.optionalKey(Schema.Int),
  d: Schema.optionalKey(Schema.String),
  c: Schema.optionalKey(
    Schema.Record(
      Schema.String,
      Schema.suspend(() => StoredPath),
    ),
  ),
  i: Schema.optionalKey(Schema.suspend(() => StoredPath)),
  w: Schema.optionalKey(Schema.Literal(true)),
})

/** What was seen at one path of the data of entries: types, formats and counts, and never a value. */
export class PathSummary {
  readonly first: Seen
  last: Seen
  /** The number of entries in which the path was. */
  count = 0
  /** The number of entries of the name that came before `first`. */
  readonly before: number
  /** The first entry after `first` that was without the path, or null. */
  missing: Seen | null = null
  /** The only person or object whose entries have the path, or `several`. */
  sole = nobody
  /** The entry since which they are several, from when on the path is shown by its own name. Null before. */
  shared: Seen | null = null
  readonly types = new Map<ValueType, TypeCount>()
  readonly formats = new Map<ValueFormat, number>()
  /** The number of texts that have none of the formats. */
  plainTexts = 0
  readonly sketch: Sketch
  /** The paths of the keys of objects, in the order in which they were seen. */
  children = new Map<string, PathSummary>()
  /** Whether the object has had too many keys, so that the only child stands for all of them. */
  isFolded = false
  /** The path of the elements of lists. */
  items: PathSummary | null = null

  constructor(first: Seen, before: number, sketch = new Sketch()) {
    this.first = first
    this.last = first
    this.before = before
    this.sketch = sketch
  }

  /** Notes a value. Returns whether the path is shared now and was not. */
  add(value: Json, seen: Seen, whom: Whom): boolean {
    if (this.count === 0 || this.last.position !== seen.position) this.count++
    this.last = seen
    const isSharedNow = this.noteSubject(seen, whom)
    const type = typeOf(value)
    const known = this.types.get(type)
    if (known === undefined) this.types.set(type, { first: seen, last: seen.position, count: 1 })
    else if (known.last !== seen.position) {
      known.last = seen.position
      known.count++
    }
    const format = formatOf(value)
    if (format !== null) this.formats.set(format, (this.formats.get(format) ?? 0) + 1)
    else if (type === "string") this.plainTexts++
    if (value !== null && typeof value !== "object") this.sketch.add(`${typeof value}:${String(value)}`)
    return isSharedNow
  }

  private noteSubject(seen: Seen, { attached, key }: Whom): boolean {
    const { sole } = this
    if (key === nobody || sole === several || sole === key) return false
    if (sole === nobody || attached.some((one) => one.key === sole)) {
      this.sole = key
      return false
    }
    this.sole = several
    this.shared = seen
    return true
  }

  /** Takes over what was seen at another path of the same entries, which came from keys of the same object. */
  absorb(other: PathSummary): void {
    this.count += other.count
    if (other.last.position > this.last.position) this.last = other.last
    if (other.shared !== null && (this.shared === null || other.shared.position < this.shared.position)) {
      this.shared = other.shared
    }
    if (other.sole !== nobody)
      this.sole = this.sole === nobody || this.sole === other.sole ? other.sole : several
    for (const [type, { count, first, last }] of other.types) {
      const known = this.types.get(type)
      const isEarlier = known === undefined || first.position < known.first.position
      this.types.set(type, {
        first: isEarlier ? first : known.first,
        last: Math.max(last, known?.last ?? 0),
        count: count + (known?.count ?? 0),
      })
    }
    for (const [format, count] of other.formats) {
      this.formats.set(format, (this.formats.get(format) ?? 0) + count)
    }
    this.plainTexts += other.plainTexts
    this.sketch.merge(other.sketch)
    for (const [key, child] of other.children) {
      const known = this.children.get(key)
      if (known === undefined) this.children.set(key, child)
      else known.absorb(child)
    }
    if (other.items !== null) {
      if (this.items === null) this.items = other.items
      else this.items.absorb(other.items)
    }
    this.isFolded ||= other.isFolded
  }

  /** The number of paths at and below this one. */
  get size(): number {
    let size = 1 + (this.items?.size ?? 0)
    for (const child of this.children.values()) size += child.size
    return size
  }

  stored(): StoredPath {
    const sketch = this.sketch.toText()
    return {
      f: storedSeen(this.first),
      l: storedSeen(this.last),
      n: this.count,
      b: this.before,
      ...(this.shared !== null && { a: storedSeen(this.shared) }),
      ...(this.missing !== null && { m: storedSeen(this.missing) }),
      s: this.sole,
      t: Object.fromEntries(
        Array.from(this.types, ([type, { count, first, last }]) => [type, [count, last, storedSeen(first)]]),
      ),
      ...(this.formats.size > 0 && { o: Object.fromEntries(this.formats) }),
      ...(this.plainTexts > 0 && { p: this.plainTexts }),
      ...(sketch !== "" && { d: sketch }),
      ...(this.children.size > 0 && {
        c: Object.fromEntries(Array.from(this.children, ([key, child]) => [`.${key}`, child.stored()])),
      }),
      ...(this.items !== null && { i: this.items.stored() }),
      ...(this.isFolded && { w: true as const }),
    }
  }

  static from(stored: StoredPath): PathSummary {
    const path = new PathSummary(seenFrom(stored.f), stored.b, Sketch.fromText(stored.d ?? ""))
    path.last = seenFrom(stored.l)
    path.count = stored.n
    path.shared = stored.a === undefined ? null : seenFrom(stored.a)
    path.missing = stored.m === undefined ? null : seenFrom(stored.m)
    path.sole = stored.s
    for (const [type, [count, last, first]] of Object.entries(stored.t)) {
      if (isValueType(type)) path.types.set(type, { count, last, first: seenFrom(first) })
    }
    for (const [format, count] of Object.entries(stored.o ?? {})) {
      if (isValueFormat(format)) path.formats.set(format, count)
    }
    path.plainTexts = stored.p ?? 0
    for (const [key, child] of Object.entries(stored.c ?? {})) {
      path.children.set(key.slice(1), PathSummary.from(child))
    }
    path.items = stored.i === undefined ? null : PathSummary.from(stored.i)
    path.isFolded = stored.w === true
    return path
  }
}
