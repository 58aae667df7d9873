import { Sequence } from "@inlethq/core/values/Identifier"
import { Option } from "effect"
import { Flag } from "effect/cli"
import { optionalFlag, timeFlag } from "./flags.ts"

/** The flags that name a moment of the past. `shown` says what is shown then, such as "The person as they were". */
export const momentFlags = (shown: string) => ({
  at: timeFlag("at", `${shown} at this time, in ISO 8601`),
  position: optionalFlag(
    Flag.Int("position").pipe(Flag.withSchema(Sequence)),
    `${shown} after the entry at this position of the log`,
  ),
})

/** The values of `momentFlags`. */
export interface GivenMoment {
  readonly at: Option.Option<string>
  readonly position: Option.Option<Sequence>
}

/** Returns the query of a request for the moment that flags name, which is empty if they name none. */
export const momentOf = ({ at, position }: GivenMoment) => ({
  ...(Option.isSome(at) && { at: at.value }),
  ...(Option.isSome(position) && { position: position.value }),
})
