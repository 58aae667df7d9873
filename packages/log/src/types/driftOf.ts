import { driftMax, type DriftDocument } from "@inlethq/contract/types/EventTypes"
import { dayMs, toIso } from "@inlethq/core/values/Timestamp"
import type { TypeName } from "@inlethq/core/ports/LogSummaries"
import { Counted } from "./Counted.ts"
import { seenFrom, type Seen } from "./Seen.ts"
import { anyKey } from "./ShapeSummary.ts"
import { pathText, shownPaths, type ShownPath } from "./shownPaths.ts"
import { operationOf, senderOf, type Shown } from "./sightings.ts"
import type { StoredType, TypeSummary } from "./TypeSummary.ts"

/** A name is silent once nothing came for this many times the usual time between two entries, and at least a day. */
const silentGaps = 5
const silentMsMin = dayMs

/** From when on changes are wanted: a receipt time, or the position after which. */
export type DriftSince = { readonly time: number } | { readonly position: number }

const isSince = (since: DriftSince, { position, receivedAt }: Seen): boolean =>
  "time" in since ? receivedAt >= since.time : position > since.position

/** A change with the place in the log at which it was seen. */
export interface Drift {
  readonly seen: Seen
  readonly document: DriftDocument
  /** The names that have to be read to find the change again. */
  readonly names: ReadonlyArray<TypeName>
}

/** A name with what is stored of it beside its shape. */
export interface SummarizedName extends TypeName {
  readonly stored: StoredType
}

interface Named extends TypeName {
  readonly counted: Counted
  readonly lastSent: Seen
}

/** Returns the names that are new or silent, or like another name. */
export const driftOfNames = (
  shown: Shown,
  types: ReadonlyArray<SummarizedName>,
  since: DriftSince,
  now: number,
): ReadonlyArray<Drift> => {
  const names = types
    .filter(({ name }) => name !== anyKey)
    .map(({ kind, name, stored }): Named => {
      const counted = Counted.from(stored.count)
      return { kind, name, counted, lastSent: lastSentOf(counted, stored) }
    })
  const alike = new Map<string, Array<Named>>()
  for (const one of names) {
    const key = `${one.kind} ${foldedName(one.name)}`
    alike.set(key, [...(alike.get(key) ?? []), one])
  }
  return names.flatMap((one) => {
    const { counted, kind, name } = one
    const first = (alike.get(`${kind} ${foldedName(name)}`) ?? []).toSorted(byFirst)[0]
    const isNew = isSince(since, counted.first)
    const isLike = isNew && first !== undefined && first !== one
    return [
      ...(isNew ? [drift(shown, one, "new_name", counted.first, null, `The name ${name} is new.`)] : []),
      ...(isLike
        ? [
            {
              ...drift(
                shown,
                one,
                "similar_name",
                counted.first,
                null,
                `The name ${name} differs from ${first.name} only in case, spaces or signs.`,
              ),
              names: [one, first].map(nameOf),
            },
          ]
        : []),
      ...silence(shown, one, since, now),
    ]
  })
}

const byFirst = (a: Named, b: Named): number => a.counted.first.position - b.counted.first.position

const foldedName = (name: string): string => name.toLowerCase().replaceAll(/[\s_\-.:/]+/g, "")

/** The last entry of a name, also if its plan rejected it: whoever still sends is not silent. */
const lastSentOf = ({ last }: Counted, { violations }: StoredType): Seen => {
  if (violations === undefined) return last
  const rejected = seenFrom(violations.l)
  return rejected.position > last.position ? rejected : last
}

/** Returns when a name is silent if nothing comes any more, or null if it has come only once. */
export const silentAtOf = (stored: StoredType): number | null => {
  const counted = Counted.from(stored.count)
  return silentAfter(counted, lastSentOf(counted, stored))
}

const silentAfter = ({ medianGapMs: gap }: Counted, { receivedAt }: Seen): number | null =>
  gap === null ? null : receivedAt + Math.max(silentMsMin, gap * silentGaps)

const silence = (shown: Shown, one: Named, since: DriftSince, now: number): ReadonlyArray<Drift> => {
  const { counted, lastSent, name } = one
  const silentAt = silentAfter(counted, lastSent)
  if (silentAt === null || now < silentAt) return []
  if ("time" in since && silentAt < since.time) return []
  const found = drift(shown, one, "silent", lastSent, null, `Nothing of the name ${name} came any more.`)
  return [{ ...found, document: { ...found.document, at: toIso(silentAt) } }]
}

/** Returns the paths of a name that are new, have another type, or were missing. Of a new name, nothing is a change. */
export const driftOfShape = (
  shown: Shown,
  named: TypeName,
  { counted, shape }: TypeSummary,
  since: DriftSince,
): ReadonlyArray<Drift> => {
  if (isSince(since, counted.first)) return []
  const paths = shownPaths(shape)
  const news = new Set<string>()
  const missed = new Set<string>()
  return paths.flatMap((at) => {
    const { path, segments } = at
    const text = pathText(segments)
    const parent = pathText(segments.slice(0, -1))
    // A key that one person alone has sent is not shown, so it is news once another sends it.
    const shownSince = path.shared ?? path.first
    if (isSince(since, shownSince)) {
      news.add(text)
      if (news.has(parent)) return []
      const found = drift(shown, named, "new_path", path.first, text, newPathText(text, at))
      return [{ ...found, seen: shownSince }]
    }
    return [...widened(shown, named, at, since), ...fallen(shown, named, at, since, missed)]
  })
}

const newPathText = (text: string, { path }: ShownPath): string =>
  `The path ${text} is new: ${[...path.types.keys()].join(", ")}.`

const widened = (shown: Shown, named: TypeName, at: ShownPath, since: DriftSince): ReadonlyArray<Drift> => {
  const text = pathText(at.segments)
  const before = [...at.path.types].filter(([, { first }]) => !isSince(since, first)).map(([type]) => type)
  return [...at.path.types]
    .filter(
      ([type, { first }]) => isSince(since, first) && !(type === "integer" && before.includes("number")),
    )
    .map(([type, { first }]) =>
      drift(
        shown,
        named,
        "widened_type",
        first,
        text,
        `The path ${text} was ${before.join(" or ")}, and is ${type} too.`,
      ),
    )
}

const fallen = (
  shown: Shown,
  named: TypeName,
  at: ShownPath,
  since: DriftSince,
  missed: Set<string>,
): ReadonlyArray<Drift> => {
  const { isNamed, path, segments } = at
  const { missing } = path
  if (!isNamed || missing === null || !isSince(since, missing)) return []
  const text = pathText(segments)
  missed.add(text)
  if (missed.has(pathText(segments.slice(0, -1)))) return []
  return [
    drift(
      shown,
      named,
      "presence_fell",
      missing,
      text,
      `The path ${text} was always there, and is missing now.`,
    ),
  ]
}

const nameOf = ({ kind, name }: TypeName): TypeName => ({ kind, name })

const drift = (
  shown: Shown,
  { kind, name }: TypeName,
  change: DriftDocument["change"],
  seen: Seen,
  path: string | null,
  summary: string,
): Drift => ({
  seen,
  names: [{ kind, name }],
  document: {
    change,
    kind,
    name,
    path,
    summary,
    at: toIso(seen.receivedAt),
    operation_id: operationOf(shown, seen),
    sender: senderOf(shown, seen.sender),
  },
})

/** Returns the newest changes first, and whether these are all. */
export const newestDrift = (
  found: ReadonlyArray<Drift>,
): { readonly items: ReadonlyArray<DriftDocument>; readonly complete: boolean } => {
  const sorted = found.toSorted((a, b) => b.seen.position - a.seen.position)
  return {
    items: sorted.slice(0, driftMax).map(({ document }) => document),
    complete: sorted.length <= driftMax,
  }
}
