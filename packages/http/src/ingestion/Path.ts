import { Result } from "effect"

/** The decoded path segments of a request, and its raw query string without the `?`. */
export interface Path {
  readonly segments: ReadonlyArray<string>
  readonly query: string
}

/** The path contains an invalid percent escape. */
export class MalformedPath {
  readonly _tag = "MalformedPath"
}

/**
 * Returns a request target in which runs of slashes are one slash, and without a slash at the end of its path: clients
 * join addresses and paths that both have one (contract §1). A `%2F` and the query stay as they are.
 */
export const tidySlashes = (target: string): string => {
  const mark = target.indexOf("?")
  const end = mark < 0 ? target.length : mark
  const run = target.indexOf("//")
  if ((run < 0 || run >= end) && (end <= 1 || target[end - 1] !== "/")) return target
  const path = target.slice(0, end).replace(/\/{2,}/g, "/")
  return (path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path) + target.slice(end)
}

/**
 * Splits a raw request target at `/`, then percent-decodes each segment once as UTF-8. Therefore `%2F` does not
 * separate segments, and `+` stays a plus sign (contract §1).
 */
export const parsePath = (raw: string): Result.Result<Path, MalformedPath> => {
  const target = tidySlashes(raw)
  const mark = target.indexOf("?")
  const path = mark < 0 ? target : target.slice(0, mark)
  const query = mark < 0 ? "" : target.slice(mark + 1)
  const segments = path.slice(1).split("/")
  if (!path.includes("%")) return Result.succeed({ segments, query })
  const decoded: Array<string> = []
  for (const segment of segments) {
    const text = decodeSegment(segment)
    if (text === undefined) return Result.fail(new MalformedPath())
    decoded.push(text)
  }
  return Result.succeed({ segments: decoded, query })
}

const decodeSegment = (segment: string): string | undefined => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

const absoluteForm = /^https?:\/\/[^/?]*/i

const leadingSlashes = /^\/{2,}/

/**
 * Returns a request target in origin form. Requests to proxies include scheme and host, which are removed (RFC 9112,
 * section 3.2.2). Several slashes at the beginning become one (contract §1).
 */
export const originForm = (target: string): string => {
  if (target.startsWith("/") && target[1] !== "/") return target
  return target.replace(absoluteForm, "").replace(leadingSlashes, "/") || "/"
}
