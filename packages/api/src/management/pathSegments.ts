/** Browsers and HTTP libraries resolve `.` and `..` in a path as folders (RFC 3986 §5.2.4), even if they are escaped. */
const mayResolve = /^~*\.{1,2}$/

const isEscaped = /^~+\.{1,2}$/

/** Returns the text of a path segment that stands for an id. The ids `.` and `..` become `~.` and `~..`. */
export const segmentOfId = (id: string): string => (mayResolve.test(id) ? `~${id}` : id)

/** Returns the id that a path segment stands for: the inverse of `segmentOfId`. */
export const idInSegment = (segment: string): string => (isEscaped.test(segment) ? segment.slice(1) : segment)
