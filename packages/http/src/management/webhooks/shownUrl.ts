import { Principal } from "@inlethq/contract/access/Access"
import type { Webhook } from "@inlethq/core/webhook/Webhook"
import { Effect } from "effect"

/**
 * Returns a webhook as the principal may see it. The query of the URL may be a key of the receiver, so only whoever may change the
 * webhook sees it.
 */
export const shownTo = (webhook: Webhook) =>
  Effect.map(Principal, ({ scope }): Webhook => {
    const { search } = new URL(webhook.url)
    return scope === "admin" || search === "" ? webhook : { ...webhook, url: withoutQuery(webhook.url) }
  })

const withoutQuery = (url: string): string => url.replace(/\?.*$/s, "?…")
