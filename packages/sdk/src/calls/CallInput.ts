import type { EventName, EventProperties } from "./events.ts"

/**
 * A person (by id, email address or `svc_…`) or a visitor (by anonymous id). With both identifiers, the call tells the
 * server that the visitor is this person.
 */
export type Someone =
  | { readonly userId: string; readonly anonymousId?: string }
  | { readonly userId?: undefined; readonly anonymousId: string }

/** Where a call comes from. Other keys than these are kept, too, up to 8 KB in all. */
export interface CallContext {
  /** The address of the person. The workspace may keep only its network. A call from a browser gets that of its request. */
  readonly ip?: string
  readonly userAgent?: string
  readonly locale?: string
  readonly timezone?: string
  readonly page?: {
    readonly url?: string
    readonly path?: string
    readonly search?: string
    readonly title?: string
    readonly referrer?: string
    readonly [key: string]: unknown
  }
  readonly campaign?: {
    readonly name?: string
    readonly source?: string
    readonly medium?: string
    readonly term?: string
    readonly content?: string
    readonly [key: string]: unknown
  }
  readonly app?: {
    readonly name?: string
    readonly version?: string
    readonly build?: string
    readonly [key: string]: unknown
  }
  readonly device?: {
    readonly token?: string
    readonly type?: string
    readonly [key: string]: unknown
  }
  readonly os?: { readonly name?: string; readonly version?: string; readonly [key: string]: unknown }
  readonly library?: { readonly name?: string; readonly version?: string; readonly [key: string]: unknown }
  readonly [key: string]: unknown
}

/** Fields that every call can have. */
export interface CallOptions {
  /** The deduplication key. The server applies only the first call with a key. A new UUID by default. */
  readonly messageId?: string
  /** The time of the call's event, as a `Date` or an ISO 8601 string. The current time by default. */
  readonly timestamp?: Date | string
  /** Where the call comes from. Its entry keeps all of it: `inlet why` and the page of the operation show it. */
  readonly context?: CallContext
  /**
   * Discards the call if it is aborted before the call has an outcome. A call that is being sent then may still be applied
   * by the server: its outcome has `attempts` above 0.
   */
  readonly signal?: AbortSignal
}

export type IdentifyCall = Someone &
  CallOptions & {
    /** Attributes to set. `null` removes an attribute. */
    readonly traits?: object
  }

export type TrackCall<Events, Name extends EventName<Events>> = Someone &
  CallOptions &
  EventProperties<Events[Name]> & { readonly event: Name }

/** A view of a page of a website, or of a screen of an app. */
export type ViewCall = Someone &
  CallOptions & {
    readonly name?: string
    readonly category?: string
    readonly properties?: object
  }

export type GroupCall = CallOptions & {
  /** The person to relate to the object. Without a person, the call only sets the attributes of the object. */
  readonly userId?: string
  readonly anonymousId?: string
  readonly groupId: string
  /** Attributes of the object. `object_type_id` is its type, and `relationship_traits` are attributes of the relationship. */
  readonly traits?: object
}

export type AliasCall = CallOptions & {
  /** The person who remains after the merge. */
  readonly userId: string
  /** The person or visitor to merge into the remaining person. */
  readonly previousId: string
}

/** A person by id, email address or `svc_…`. */
export type PersonCall = CallOptions & { readonly userId: string }

export type AddDeviceCall = PersonCall & {
  readonly device: {
    readonly token: string
    /** The platform, such as `ios` or `android`. */
    readonly type: string
    readonly [attribute: string]: unknown
  }
}

export type DeleteDeviceCall = PersonCall & { readonly device: { readonly token: string } }
