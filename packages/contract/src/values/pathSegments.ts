/**
 * Matches `.` and `..`, which browsers and HTTP libraries resolve as folders in a path (RFC 3986 §5.2.4), even if they
 * are escaped. Also matches ids that look like an escaped `.` or `..`.
 */
const mayResolve = /^~*\.{1,2}$/

const isEscaped = /^~+\.{1,2}$/

/** Converts an id to a path segment. The ids `.` and `..` become `~.` and `~..`. */
export const segmentOfId = (id: string): string => (mayResolve.test(id) ? `~${id}` : id)

/** Converts a path segment to the id. The inverse of `segmentOfId`. */
export const idInSegment = (segment: string): string => (isEscaped.test(segment) ? segment.slice(1) : segment)
