import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { Context, Effect, Option } from "effect"
import { reliedOnMs } from "../credentials/reliedOnMs.ts"

/** Completes when the credentials of a request stop being valid, which ends streams. */
export const AccessEnds = Context.Reference<Effect.Effect<void>>("@inlethq/http/access/AccessEnds", {
  defaultValue: () => Effect.never,
})

/** Completes when `find` no longer finds the holder of a credential, which it asks again and again. */
export const endOf = <Holder>(
  find: Effect.Effect<Option.Option<Holder>, StoreUnavailable>,
): Effect.Effect<void> =>
  Effect.sleep(reliedOnMs).pipe(
    Effect.andThen(find),
    // A request may go on while the store is unavailable.
    Effect.catch(() => Effect.succeedSome(null)),
    Effect.repeat({ until: Option.isNone }),
    Effect.asVoid,
  )
