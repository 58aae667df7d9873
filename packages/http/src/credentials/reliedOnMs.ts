/**
 * The time, in milliseconds, for which a node relies on what it last read about a key, a token or a session. A change
 * must take effect within a second on every node (contract §3), also where a request in progress checks as often and the
 * check finds what was read before.
 */
export const reliedOnMs = 500
