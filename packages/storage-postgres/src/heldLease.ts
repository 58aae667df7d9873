import type { StoreUnavailable } from "@inlet/core/ports/Store"
import { Clock, Effect, Option } from "effect"
import type { Lease, Leases } from "./Leases.ts"

/** The time for which a lease is valid. If its holder dies, another node can acquire the lease after this time. */
const leaseMs = 30_000

/** A lease is renewed when less than this time is left until it expires. */
const renewBeforeMs = 20_000

/**
 * Returns an effect that yields the lease while this node holds it, and undefined while another node holds it. The
 * effect acquires and renews the lease as needed. The effect uses the clock of this node. If that clock is wrong, the
 * node renews the lease too often or loses it, and the fencing token detects a lost lease.
 */
export const heldLease = (
  leases: Leases["Service"],
  name: string,
  holder: string,
): Effect.Effect<Lease | undefined, StoreUnavailable> => {
  let held: { readonly lease: Lease; readonly until: number } | undefined
  return Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    if (held !== undefined && held.until - now > renewBeforeMs) return held.lease
    const lease = held?.lease
    const isRenewed = lease !== undefined && (yield* leases.renew(lease, leaseMs))
    const current = isRenewed ? lease : Option.getOrUndefined(yield* leases.acquire(name, holder, leaseMs))
    held = current === undefined ? undefined : { lease: current, until: now + leaseMs }
    return current
  })
}
