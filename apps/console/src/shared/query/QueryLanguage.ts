/** A value that exists, with how often. */
export interface KnownValue {
  readonly value: string
  /** What the value stands for, such as the name of a segment. */
  readonly hint?: string
  /** How often there is the value. Left out where that is not known. */
  readonly count?: number
}

/** The keys that a query line offers, and the values that exist. */
export interface QueryLanguage {
  /** The keys, each with what it is compared with. */
  readonly keys: Readonly<Record<string, string>>
  /** Queries to begin with, and what they find. */
  readonly examples: ReadonlyArray<readonly [query: string, finds: string]>
  /** Returns the values of a key that are known so far and fit what is typed, the best first. */
  readonly known: (key: string, typed: string) => ReadonlyArray<KnownValue>
  /** Reads more values of a key. Resolves once `known` returns them. */
  readonly load?: (key: string, typed: string) => Promise<void>
}

/** The most values that are offered at once. */
const offeredMax = 12

/** Returns the values that begin with what is typed, or have it or their hint inside: the most frequent first. */
export const fitting = (values: Iterable<KnownValue>, typed: string): ReadonlyArray<KnownValue> => {
  const text = typed.toLowerCase()
  const rank = ({ hint = "", value }: KnownValue): number =>
    value.toLowerCase().startsWith(text)
      ? 0
      : value.toLowerCase().includes(text) || hint.toLowerCase().includes(text)
        ? 1
        : 2
  return Array.from(values, (one) => ({ one, rank: rank(one) }))
    .filter((ranked) => ranked.rank < 2 && ranked.one.value !== typed)
    .toSorted((a, b) => a.rank - b.rank || (b.one.count ?? 0) - (a.one.count ?? 0))
    .slice(0, offeredMax)
    .map(({ one }) => one)
}

/** Counts values, each weighing as much as is given. */
export const countValues = (
  values: Iterable<readonly [value: string | null | undefined, weight: number]>,
): ReadonlyArray<KnownValue> => {
  const counts = new Map<string, number>()
  for (const [value, weight] of values) {
    if (value != null && value !== "") counts.set(value, (counts.get(value) ?? 0) + weight)
  }
  return [...counts].map(([value, count]) => ({ value, count }))
}
