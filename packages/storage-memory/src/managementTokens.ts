import { Effect, Layer, Option } from "effect"
import { ManagementTokens, namedTokensMax, TooManyTokens } from "@inlethq/core/ports/ManagementTokens"
import { MemoryState } from "./MemoryState.ts"

/** Stores management tokens in memory. */
export const managementTokens = Layer.effect(
  ManagementTokens,
  Effect.map(MemoryState, ({ tokens }) =>
    ManagementTokens.of({
      all: Effect.sync(() =>
        [...tokens.values()].toSorted(
          (a, b) => a.createdAt - b.createdAt || (a.tokenId < b.tokenId ? -1 : 1),
        ),
      ),
      add: (token) =>
        Effect.suspend(() => {
          if (tokens.size >= namedTokensMax) return Effect.fail(new TooManyTokens())
          tokens.set(token.tokenId, token)
          return Effect.void
        }),
      revoke: (tokenId) =>
        Effect.sync(() => {
          const found = Option.fromUndefinedOr(tokens.get(tokenId))
          tokens.delete(tokenId)
          return found
        }),
      used: (uses) =>
        Effect.sync(() => {
          for (const [tokenId, at] of uses) {
            const token = tokens.get(tokenId)
            if (token !== undefined && at > (token.usedAt ?? -1))
              tokens.set(tokenId, { ...token, usedAt: at })
          }
        }),
    }),
  ),
)
