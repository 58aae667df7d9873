import type {
  AddDeviceCall,
  AliasCall,
  DeleteDeviceCall,
  GroupCall,
  IdentifyCall,
  PersonCall,
  TrackCall,
  ViewCall,
} from "./CallInput.ts"
import type { EventName } from "./events.ts"

/** A call in the format in which the Pipelines API accepts it in a batch. */
export interface WireCall {
  readonly type: "identify" | "track" | "page" | "screen" | "group" | "alias"
  readonly messageId?: string
  readonly timestamp?: Date | string
  /** Not sent (see `CallOptions`). */
  readonly signal?: AbortSignal | undefined
  readonly [field: string]: unknown
}

/**
 * The calls of the Pipelines API, one method for each. Every client of this package extends this class with a method
 * `send`, which decides what a call returns. Therefore the promise client and the Effect client have the same methods.
 */
export abstract class Calls<Events, Sent> {
  protected abstract send(call: WireCall): Sent

  /** Creates or updates a person. A call without a `userId` creates or updates a visitor. */
  identify(call: IdentifyCall): Sent {
    return this.send({ ...call, type: "identify" })
  }

  /** Records an event. */
  track<Name extends EventName<Events>>(call: TrackCall<Events, Name>): Sent {
    return this.send({ ...call, type: "track" })
  }

  /** Records a view of a web page. */
  page(call: ViewCall): Sent {
    return this.send({ ...call, type: "page" })
  }

  /** Records a view of a screen of an app. */
  screen(call: ViewCall): Sent {
    return this.send({ ...call, type: "screen" })
  }

  /** Creates or updates an object, such as a company, and relates a person to the object. */
  group(call: GroupCall): Sent {
    return this.send({ ...call, type: "group" })
  }

  /** Merges the person or visitor `previousId` into the person `userId`. */
  alias(call: AliasCall): Sent {
    return this.send({ ...call, type: "alias" })
  }

  /** Deletes a person with all their data. */
  deletePerson(call: PersonCall): Sent {
    return this.#action("User Deleted", call)
  }

  /** Deletes a person and ignores all later calls that name them. */
  suppressPerson(call: PersonCall): Sent {
    return this.#action("User Suppressed", call)
  }

  /** Ends the suppression of a person, so that calls that name this person are accepted again. */
  unsuppressPerson(call: PersonCall): Sent {
    return this.#action("User Unsuppressed", call)
  }

  /** Adds a device to a person, or updates it. */
  addDevice({ device, ...call }: AddDeviceCall): Sent {
    return this.#action("Device Created or Updated", { ...call, properties: { device } })
  }

  /** Removes a device from a person. */
  deleteDevice({ device, ...call }: DeleteDeviceCall): Sent {
    return this.#action("Device Deleted", { ...call, properties: { device } })
  }

  #action(event: string, call: PersonCall & { readonly properties?: object }): Sent {
    return this.send({ ...call, type: "track", event })
  }
}
