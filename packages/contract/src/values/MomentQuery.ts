import { Schema } from "effect"
import { StreamPosition } from "./Cursor.ts"
import { IsoTime, TimeText } from "./IsoTime.ts"

/** Query parameters that name a moment of the past. At most one may be given. `shown` is what is shown then, such as "the person". */
export const momentQuery = (shown: string) => ({
  position: Schema.optionalKey(
    StreamPosition.annotate({
      description: `${shown} as of the entry at this log position, its effects included`,
    }),
  ),
  at: Schema.optionalKey(
    TimeText.annotate({ description: `${shown} as of what was received at this time or before` }),
  ),
})

/** The moment that a query names. */
export const AsOf = Schema.Struct({ position: Schema.NullOr(Schema.Int), at: Schema.NullOr(IsoTime) })
