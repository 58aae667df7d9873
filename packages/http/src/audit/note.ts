import type { AuditRecord } from "@inlethq/core/audit/AuditRecord"
import type { Json } from "@inlethq/core/values/Json"
import { Context, Effect } from "effect"

/** What a handler adds to the audit record of its request. */
export interface Noted {
  readonly target?: { readonly id: string; readonly name?: string | null }
  readonly changes?: AuditRecord["changes"]
  /** Scalars, or short lists of them. Never a secret, and never an identifier of a person. */
  readonly details?: Readonly<Record<string, Json | undefined>>
}

/** Takes the notes of the request that runs. Nothing is recorded outside of one. */
export const Notes = Context.Reference<(noted: Noted) => void>("@inlethq/http/audit/note/Notes", {
  defaultValue: () => () => {},
})

/** Adds to the audit record of the request that runs. */
export const note = (noted: Noted): Effect.Effect<void> => Effect.map(Notes, (take) => take(noted))
