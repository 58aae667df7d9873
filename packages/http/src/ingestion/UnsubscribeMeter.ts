import { Context, Duration, Effect, Layer, type Option } from "effect"
import { addressCounters, makeAddressMeter } from "../listener/AddressMeter.ts"

/**
 * The largest number of unsubscribes without credentials within `unsubscribesWindow` from the addresses of one group
 * (see `addressGroups`). All recipients behind one proxy share an address.
 */
const unsubscribesMax = 300

const unsubscribesWindow = Duration.seconds(3)

/**
 * Counts the unsubscribes without credentials of each address. They do not count towards the rate of a workspace,
 * because anyone who has received a message could use it up.
 */
export class UnsubscribeMeter extends Context.Service<
  UnsubscribeMeter,
  {
    /** Counts an unsubscribe. Returns the seconds to wait if its address has sent too many. */
    count(address: string | null): Effect.Effect<Option.Option<number>>
  }
>()("@inlethq/http/ingestion/UnsubscribeMeter") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const count = yield* makeAddressMeter({
        name: "unsubscribe",
        max: unsubscribesMax,
        window: unsubscribesWindow,
      })
      return UnsubscribeMeter.of({ count })
    }),
  ).pipe(Layer.provide(addressCounters))
}
