/** The first character of the deduplication keys of Inlet's own sources, such as replays and imports. */
const innerMark = "\0"

/** Returns the deduplication key of something that a source of Inlet itself sends. No call of a client has such a key. */
export const innerKey = (text: string): string => innerMark + text

/** Returns the deduplication key of a call with such an id, which may be any text. Public keys can send calls. */
export const clientKey = (id: string): string => (id.startsWith(innerMark) ? innerMark + id : id)
