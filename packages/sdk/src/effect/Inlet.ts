import { Context, Effect, Layer, Schema, type Scope } from "effect"
import { Calls, type WireCall } from "../calls/Calls.ts"
import type { AnyEvents } from "../calls/events.ts"
import { Client } from "../Client.ts"
import type { InletOptions } from "../InletOptions.ts"
import type { Outcome } from "../delivery/Outcome.ts"

/** A call that was passed to the client. */
export interface Sent {
  /** The deduplication key of the call. */
  readonly messageId: string
  /** Waits for the final outcome of the call. */
  readonly outcome: Effect.Effect<Outcome>
}

/** The error for an option of the client that is invalid or missing. */
export class InvalidOptions extends Schema.TaggedError<InvalidOptions>()("InvalidOptions", {
  message: Schema.String,
}) {}

/**
 * Sends people, events and objects to an Inlet server. Each call is an effect that queues the call and never fails. If
 * the queue then contains a full batch for each request that may be in flight, or if the buffer is half full, the
 * effect waits until the queue is shorter.
 */
export class EffectInlet<Events = AnyEvents> extends Calls<Events, Effect.Effect<Sent>> {
  readonly #client: Client

  constructor(client: Client) {
    super()
    this.#client = client
  }

  /** The number of calls that were not sent because `beforeSend` returned null or the client is disabled. */
  readonly discarded: Effect.Effect<number> = Effect.sync(() => this.#client.discarded)

  /** Sends all queued calls now, and waits until all calls that were made before `flush` have outcomes. */
  readonly flush: Effect.Effect<void> = Effect.suspend(() => Effect.promise(() => this.#client.flush()))

  protected override send(call: WireCall): Effect.Effect<Sent> {
    return Effect.suspend(() => {
      const sending = this.#client.send(call)
      const sent: Sent = { messageId: sending.messageId, outcome: Effect.promise(() => sending.outcome()) }
      return Effect.as(
        Effect.promise(() => sending),
        sent,
      )
    })
  }
}

/** Returns a client that is closed when the scope closes. */
export const make = <Events = AnyEvents>(
  options: InletOptions<Events> = {},
): Effect.Effect<EffectInlet<Events>, InvalidOptions, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.try({
      try: () => new Client(options),
      catch: (cause) =>
        new InvalidOptions({ message: cause instanceof Error ? cause.message : String(cause) }),
    }),
    (client) => Effect.promise(() => client.close()),
  ).pipe(Effect.map((client) => new EffectInlet<Events>(client)))

/** The service of a client that accepts any events. For a client with declared events, use `make`. */
export class Inlet extends Context.Service<Inlet, EffectInlet>()("@inlethq/sdk/effect/Inlet") {
  static readonly layer = (options: InletOptions<AnyEvents> = {}): Layer.Layer<Inlet, InvalidOptions> =>
    Layer.effect(this, make(options))
}
