import { ManagementTokens, namedTokensMax } from "@inlethq/core/ports/ManagementTokens"
import { WorkspaceId } from "@inlethq/core/values/Identifier"
import type { NamedToken } from "@inlethq/core/workspace/NamedToken"
import { Effect, Option, Result } from "effect"
import { noon } from "../script/commands.ts"
import { expectSame, type Law } from "../script/Law.ts"

const ci: NamedToken = {
  tokenId: "t2",
  name: "CI \u0000 \ud800",
  scope: "write",
  workspaces: [WorkspaceId.make(1), WorkspaceId.make(7)],
  prefix: "imt_01234567",
  digest: "a1",
  createdAt: noon,
  expiresAt: noon + 1,
  usedAt: null,
}

const dashboard: NamedToken = {
  ...ci,
  tokenId: "t1",
  name: "Dashboard",
  scope: "read",
  workspaces: null,
  digest: "b2",
  createdAt: noon + 1,
  expiresAt: null,
}

/** The properties that every store of management tokens must have. */
export const tokenLaws: ReadonlyArray<Law<ManagementTokens>> = [
  {
    name: "management tokens are listed oldest first until they are revoked",
    check: Effect.gen(function* () {
      const tokens = yield* ManagementTokens
      yield* expectSame("none", yield* tokens.all, [])
      yield* tokens.add(dashboard)
      yield* tokens.add(ci)
      yield* expectSame("both", yield* tokens.all, [ci, dashboard])
      yield* expectSame("unknown", yield* tokens.revoke("t3"), Option.none())
      yield* expectSame("revoked", yield* tokens.revoke("t2"), Option.some(ci))
      yield* expectSame("revoked again", yield* tokens.revoke("t2"), Option.none())
      yield* expectSame("the other", yield* tokens.all, [dashboard])
    }),
  },
  {
    name: "the last use of a management token never moves back",
    check: Effect.gen(function* () {
      const tokens = yield* ManagementTokens
      yield* tokens.add(ci)
      yield* tokens.add(dashboard)
      yield* tokens.used(
        new Map([
          ["t1", noon],
          ["t2", noon + 60_000],
          ["unknown", noon],
        ]),
      )
      yield* tokens.used(new Map([["t2", noon]]))
      yield* expectSame("used", yield* tokens.all, [
        { ...ci, usedAt: noon + 60_000 },
        { ...dashboard, usedAt: noon },
      ])
    }),
  },
  {
    name: `an installation has at most ${namedTokensMax} management tokens`,
    check: Effect.gen(function* () {
      const tokens = yield* ManagementTokens
      const numbers = Array.from({ length: namedTokensMax }, (_, n) => n)
      yield* Effect.forEach(numbers, (n) => tokens.add({ ...ci, tokenId: `t${n}`, digest: `d${n}` }), {
        concurrency: 8,
      })
      const refused = yield* Effect.result(tokens.add({ ...ci, tokenId: "more", digest: "more" }))
      yield* expectSame("refused", Result.isFailure(refused) && refused.failure._tag, "TooManyTokens")
      yield* tokens.revoke("t0")
      yield* tokens.add({ ...ci, tokenId: "more", digest: "more" })
      yield* expectSame("tokens", (yield* tokens.all).length, namedTokensMax)
    }),
  },
]
