import { Result, Schema } from "effect"
import { omitTexts } from "./omitTexts.ts"

/** The largest number of paths that a workspace omits, presets included. */
export const omitPathsMax = 50

/** The largest number of characters of such a path. */
export const omitPathCharactersMax = 200

/**
 * The parts of a call that a path can begin with. `traits` are attributes as well, and `properties` the data of events
 * (contract §13 *omit*).
 */
const omitRoots = ["context", "properties", "traits"] as const
export type OmitRoot = (typeof omitRoots)[number]

/** What the setting `omit` can name in place of a path: the query strings of URLs, or only what signs somebody in. */
export const omitPresets = ["url-query", "url-tokens"] as const
export type OmitPreset = (typeof omitPresets)[number]

/** A path of the setting `omit`, taken apart. */
export interface OmitPath {
  readonly root: OmitRoot
  readonly keys: readonly [string, ...ReadonlyArray<string>]
}

export const isOmitPreset = (text: string): text is OmitPreset =>
  omitPresets.some((preset) => preset === text)

/** Takes a path apart, or says what is wrong with it. A dot or a backslash of a key has a backslash before it. */
export const parseOmitPath = (path: string): Result.Result<OmitPath, string> => {
  const { length } = path
  if (length > omitPathCharactersMax) {
    return Result.fail(omitTexts.tooLong({ max: omitPathCharactersMax, length }))
  }
  if (!path.isWellFormed()) return Result.fail(omitTexts.halfCharacter())
  const [first = "", key, ...others] = keysOf(path)
  const root = omitRoots.find((known) => known === first)
  if (root === undefined) return Result.fail(omitTexts.root({ path }))
  if (key === undefined) return Result.fail(omitTexts.wholeRoot({ path, root }))
  const keys = [key, ...others] as const
  return keys.includes("") ? Result.fail(omitTexts.emptyKey({ path })) : Result.succeed({ root, keys })
}

const keysOf = (path: string): ReadonlyArray<string> => {
  const keys: Array<string> = []
  let key = ""
  for (let at = 0; at < path.length; at++) {
    const character = path.charAt(at)
    const next = path.charAt(at + 1)
    if (character === ".") {
      keys.push(key)
      key = ""
    } else if (character === "\\" && (next === "." || next === "\\")) {
      key += next
      at++
    } else key += character
  }
  return [...keys, key]
}

/** What every path and preset matches. It tells how to make examples; what is wrong with a path, `parseOmitPath` says. */
const pathLike = /^(?:url-query|url-tokens|(?:context|properties|traits)\.[\s\S]+)$/

/** A path as the setting `omit` has it, or a preset. */
export const OmittedPath = Schema.String.check(
  Schema.makeFilter(
    (text) => {
      if (isOmitPreset(text)) return undefined
      const parsed = parseOmitPath(text)
      return Result.isFailure(parsed) ? parsed.failure : undefined
    },
    { expected: "a path below context, properties or traits, or a preset" },
  ),
  Schema.isPattern(pathLike),
)

/** What a workspace takes out of calls before anything is stored: paths and presets, at most `omitPathsMax`. */
export const OmitPaths = Schema.Array(OmittedPath).check(
  Schema.makeFilter(({ length }) =>
    length > omitPathsMax ? omitTexts.tooMany({ max: omitPathsMax, count: length }) : undefined,
  ),
)
export type OmitPaths = typeof OmitPaths.Type
