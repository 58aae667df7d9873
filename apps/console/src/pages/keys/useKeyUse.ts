import type { CauseDocument, EventTypeDocument } from "@inlethq/contract/types/EventTypes"
import { useQuery } from "@tanstack/react-query"
import { api } from "../../api/generated.ts"
import { titleOf } from "../../shared/values/typeTitle.ts"
import { readTypes } from "../events/eventTypes.ts"

const weekMs = 7 * 86_400_000

/** The milliseconds between two reads of what a key sends. */
const refreshMs = 15_000

interface SentName {
  readonly kind: string
  readonly name: string
  readonly title: string
  readonly count: number
  readonly last: string
}

interface UsingClient {
  readonly client: string
  readonly count: number
  readonly last: string
}

/** What came with a key, from the summaries of the log. */
export interface KeyUse {
  readonly clients: ReadonlyArray<UsingClient>
  readonly names: ReadonlyArray<SentName>
  /** Why operations of the last seven days were not applied completely. */
  readonly causes: ReadonlyArray<CauseDocument>
  readonly refused: number
}

/** Reads what a key sends, with which clients, and what of it was refused. */
export const useKeyUse = (w: string, keyId: string): KeyUse | undefined =>
  useQuery({
    queryKey: [w, "keys", "use", keyId],
    queryFn: async ({ signal }) => {
      const since = new Date(Date.now() - weekMs).toISOString()
      const [types, { items }] = await Promise.all([
        readTypes(w, undefined, signal),
        api.types.causes(w, { since }, signal),
      ])
      const causes = items.filter(({ sender }) => sender?.key?.key_id === keyId)
      return {
        ...sentWith(types, keyId),
        causes,
        refused: causes.reduce((sum, { count }) => sum + count, 0),
      }
    },
    refetchInterval: refreshMs,
  }).data

/** Returns the names that a key sends and the clients that use it, the most frequent first. */
const sentWith = (
  types: ReadonlyArray<EventTypeDocument>,
  keyId: string,
): Pick<KeyUse, "clients" | "names"> => {
  const clients = new Map<string, UsingClient>()
  const names: Array<SentName> = []
  for (const type of types) {
    const senders = type.senders.filter(({ sender }) => sender?.key?.key_id === keyId)
    const [first] = senders
    if (first === undefined) continue
    let sent: SentName = {
      kind: type.kind,
      name: type.name,
      title: titleOf(type),
      count: 0,
      last: first.last.at,
    }
    for (const { count, last, sender } of senders) {
      sent = { ...sent, count: sent.count + count, last: later(sent.last, last.at) }
      const client = sender?.user_agent ?? "unknown client"
      const known = clients.get(client) ?? { client, count: 0, last: last.at }
      clients.set(client, { client, count: known.count + count, last: later(known.last, last.at) })
    }
    names.push(sent)
  }
  return { clients: [...clients.values()].toSorted(byCount), names: names.toSorted(byCount) }
}

const later = (a: string, b: string): string => (a > b ? a : b)

const byCount = (a: { readonly count: number }, b: { readonly count: number }): number => b.count - a.count
