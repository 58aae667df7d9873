import type { JsonObject } from "@inlethq/core/values/Json"
import type { Draft } from "./Draft.ts"

/** An operation that a call is written from. */
export interface Told {
  readonly draft: Draft
  /** The device that an identify or an event of Pipelines changed beside, as an entity of its own; null if it changed none. */
  readonly device: Draft | null
  /** What a Pipelines call says of where it came from, by field: `context` and `integrations`. */
  readonly origin: JsonObject
  /** The deduplication key that the client sent. */
  readonly id: string | null
  /** The time that the client sent, in seconds or, if it is no whole second, as text; null if the receipt time counts. */
  readonly time: number | string | null
  /** The times beside the values of the call that could not be read, as they were sent. */
  readonly unread: JsonObject
  /** The time of the operation. A device of a Pipelines call was last used then, unless the call says otherwise. */
  readonly at: string
  /** The time that orders values, if it is not that of the call (Pipelines). */
  readonly orderTime: number | string | null
  /** What the entry keeps of a report that the Track API v2 cannot say: the button of an in-app message. */
  readonly metadata: { readonly action_name: string | null; readonly action_value: string | null }
}
