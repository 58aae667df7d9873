import type { CauseDocument, EventTypeDocument, SightingDocument } from "@inlethq/contract/types/EventTypes"
import type { SenderDocument } from "@inlethq/contract/activity/ActivityLog"

/** A client that sent something for the first time. */
export interface NewClient {
  readonly sender: SenderDocument
  readonly first: SightingDocument
}

/**
 * Returns the clients, each with its key, whose first operation came at `since` or later, the newest first. A client is
 * known by its whole user agent, so a new version is a new client.
 */
export const clientsSeenFirst = (
  types: ReadonlyArray<Pick<EventTypeDocument, "senders">>,
  causes: ReadonlyArray<Pick<CauseDocument, "first" | "sender">>,
  since: number,
): ReadonlyArray<NewClient> => {
  const firsts = new Map<string, NewClient>()
  for (const { first, sender } of [...types.flatMap(({ senders }) => senders), ...causes]) {
    if (sender?.user_agent == null) continue
    const key = `${sender.key?.key_id ?? ""} ${sender.user_agent}`
    const known = firsts.get(key)
    if (known === undefined || first.at < known.first.at) firsts.set(key, { sender, first })
  }
  return [...firsts.values()]
    .filter(({ first }) => Date.parse(first.at) >= since)
    .toSorted((a, b) => (a.first.at < b.first.at ? 1 : -1))
}
