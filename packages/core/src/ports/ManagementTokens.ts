import { Context, Schema, type Effect, type Option } from "effect"
import { storeTexts } from "../log/operationTexts.ts"
import type { EpochMillis } from "../values/Timestamp.ts"
import type { NamedToken } from "../workspace/NamedToken.ts"
import type { StoreUnavailable } from "./Store.ts"

/** The largest number of named tokens of an installation. Nodes keep all of them in memory. */
export const namedTokensMax = 200

/** A token was not added, because the installation has `namedTokensMax` tokens. */
export class TooManyTokens extends Schema.TaggedError<TooManyTokens>()("TooManyTokens", {}) {
  override get message() {
    return storeTexts.tooManyTokens({ max: namedTokensMax })
  }
}

/** The management tokens that operators have created. A change is durable when its effect succeeds. */
export class ManagementTokens extends Context.Service<
  ManagementTokens,
  {
    /** All tokens, expired ones included, oldest first. */
    readonly all: Effect.Effect<ReadonlyArray<NamedToken>, StoreUnavailable>
    add(token: NamedToken): Effect.Effect<void, StoreUnavailable | TooManyTokens>
    /** Removes a token and returns it. */
    revoke(tokenId: string): Effect.Effect<Option.Option<NamedToken>, StoreUnavailable>
    /** Records the last uses of tokens, by token id. An earlier time and an unknown token change nothing. */
    used(uses: ReadonlyMap<string, EpochMillis>): Effect.Effect<void, StoreUnavailable>
  }
>()("@inlethq/core/ports/ManagementTokens") {}
