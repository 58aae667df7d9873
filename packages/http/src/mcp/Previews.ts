import type { Json } from "@inlethq/core/values/Json"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import { minuteMs, toIso, type EpochMillis } from "@inlethq/core/values/Timestamp"
import { randomUUID } from "node:crypto"

/** The time for which a preview can be used. */
const previewLifetimeMs = 10 * minuteMs

/** The most previews that a node keeps. Beyond it, the oldest is dropped. */
const previewsMax = 1000

export type PreviewKind = "merge" | "unmerge" | "create_segment"

interface Preview {
  readonly kind: PreviewKind
  /** The id of the token that asked. */
  readonly token: string
  readonly workspace: WorkspaceId
  /** What the change sends to the management API. */
  readonly body: Json
  readonly expiresAt: EpochMillis
}

/** What was previewed, so that a change does only what somebody could read before. Each preview serves once, for the token that made it. */
export class Previews {
  private readonly kept: Map<string, Preview>
  private readonly token: string
  private readonly now: EpochMillis

  constructor(kept: Map<string, Preview>, token: string, now: EpochMillis) {
    this.kept = kept
    this.token = token
    this.now = now
  }

  /** Keeps a preview, and returns what the answer says of it. */
  add(kind: PreviewKind, workspace: WorkspaceId, body: Json) {
    const id = randomUUID()
    const expiresAt = this.now + previewLifetimeMs
    this.kept.set(id, { kind, workspace, body, token: this.token, expiresAt })
    const [oldest] = this.kept.keys()
    if (this.kept.size > previewsMax && oldest !== undefined) this.kept.delete(oldest)
    return { preview_id: id, expires_at: toIso(expiresAt) }
  }

  /** Returns what a preview was about and forgets it, or undefined if it cannot be used. */
  take(kind: PreviewKind, workspace: WorkspaceId, id: string): Json | undefined {
    const found = this.kept.get(id)
    const isUsable =
      found?.kind === kind &&
      found.token === this.token &&
      found.workspace === workspace &&
      found.expiresAt > this.now
    if (!isUsable) return undefined
    this.kept.delete(id)
    return found.body
  }
}

/** The previews of all sessions of a node. */
export const noPreviews = (): Map<string, Preview> => new Map()
