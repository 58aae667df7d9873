import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import { noteTexts } from "@inlethq/core/log/operationTexts"
import type { Subject } from "@inlethq/core/state/Subject"
import type { Json } from "@inlethq/core/values/Json"
import type { ComparedPart, Decision } from "./TrialTally.ts"

/** Returns in which parts two entries of one command differ. */
export const differences = (
  now: ActivityEntry | null,
  tried: ActivityEntry | null,
): ReadonlyArray<ComparedPart> => {
  if (now === null || tried === null) return now === tried ? [] : ["outcome"]
  const differs: Array<ComparedPart> = []
  if (now.outcome !== tried.outcome) differs.push("outcome")
  if (now.rule !== tried.rule) differs.push("clause")
  if (isOther(codesOf(now), codesOf(tried))) differs.push("codes")
  if (isOther(refusedOf(now), refusedOf(tried))) differs.push("refused")
  if (isOther(changesOf(now), changesOf(tried))) differs.push("changes")
  if (isOther(now.data, tried.data)) differs.push("data")
  if (isOther(violationsOf(now), violationsOf(tried))) differs.push("plan")
  return differs
}

/** Returns whether an entry was decided as the log says that it was. */
export const isReproduced = (decided: ActivityEntry | null, recorded: ActivityEntry): boolean =>
  decided !== null &&
  decided.outcome === recorded.outcome &&
  !isOther(refusedOf(decided), refusedOf(recorded)) &&
  !isOther(changesOf(decided), changesOf(recorded))

export const decisionOf = (entry: ActivityEntry | null): Decision | null =>
  entry && { outcome: entry.outcome, rule: entry.rule, codes: codesOf(entry), refused: refusedOf(entry) }

/** Notes about operations of the past, which a trial does not read: they decide nothing. */
const pastCodes: ReadonlySet<string> = new Set(
  [noteTexts.deletedBefore, noteTexts.mergedBefore, noteTexts.replacedBefore].map(({ code }) => code),
)

const codesOf = ({ reasons }: ActivityEntry): ReadonlyArray<string> =>
  reasons.flatMap(({ code }) => (pastCodes.has(code) ? [] : [code])).toSorted()

const refusedOf = ({ refused }: ActivityEntry): Decision["refused"] =>
  refused
    .map(({ code, path }) => ({ path: shownPath(path), code }))
    .toSorted((a, b) => (`${a.path} ${a.code}` < `${b.path} ${b.code}` ? -1 : 1))

const violationsOf = ({ plan }: ActivityEntry): ReadonlyArray<string> =>
  plan?.violations.map(({ clause, path }) => `${clause} ${path}`) ?? []

/** The token of a device is a value, and no name. Attributes of an object can be sent in two places, of which the log keeps none. */
const shownPath = (path: string): string =>
  path.replace(/^devices\..*?(?=\.[a-z_]+$|$)/, "devices.*").replace(/^traits\.objectAttributes\./, "traits.")

const changesOf = ({ changes, parts }: ActivityEntry): ReadonlyArray<string> =>
  [...changes, ...parts.flatMap((part) => part.changes)]
    .map(({ path, to }) => `${path} ${JSON.stringify(to)}`)
    .toSorted()

const isOther = (a: Json | ReadonlyArray<unknown>, b: Json | ReadonlyArray<unknown>): boolean => !isSame(a, b)

/** Returns whether two subjects are the same, or both missing. */
export const isSameSubject = (one: Subject | undefined, other: Subject | undefined): boolean =>
  isSame(one, other)

/** Compares two values of data and maps, without making a text of them: a trial does so for everybody whom an operation wrote. */
const isSame = (one: unknown, other: unknown): boolean => {
  if (Object.is(one, other)) return true
  if (!isObject(one) || !isObject(other)) return false
  if (one instanceof Map || other instanceof Map)
    return one instanceof Map && other instanceof Map && isSame([...one], [...other])
  const keys = Object.keys(one)
  return (
    Array.isArray(one) === Array.isArray(other) &&
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isSame(one[key], other[key]))
  )
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null
