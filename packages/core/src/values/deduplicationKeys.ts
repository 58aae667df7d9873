/** The first character of the deduplication keys of Inlet's own sources, such as replays and imports. */
const innerMark = "\0"

/** Returns the deduplication key of something that a source of Inlet itself sends. No call of a client has such a key. */
export const innerKey = (text: string): string => innerMark + text

/** Returns the deduplication key of a call with such an id, which may be any text. Public keys can send calls. */
export const clientKey = (id: string): string => (id.startsWith(innerMark) ? innerMark + id : id)

/** Returns the id with which a client sent a call that has this deduplication key, or null if no client sent it. */
export const clientIdOf = (key: string): string | null => {
  if (!key.startsWith(innerMark)) return key
  return key.startsWith(innerMark + innerMark) ? key.slice(innerMark.length) : null
}
