import { consolePath } from "@inlethq/contract/console/ConsoleApi"
import { Principal } from "@inlethq/contract/access/Access"
import { ManagementApi } from "@inlethq/contract/ManagementApi"
import { Conflict } from "@inlethq/contract/access/Problem"
import { toIso } from "@inlethq/core/values/Timestamp"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Sessions } from "../../access/Sessions.ts"
import { LinkMaker, SignInLinks } from "../../access/SignInLinks.ts"
import { HttpSettings } from "../../HttpSettings.ts"
import { problemTexts } from "../../problems/problemTexts.ts"

export const signInLinkHandlers = HttpApiBuilder.group(
  ManagementApi,
  "signInLinks",
  Effect.fnUntraced(function* (handlers) {
    const links = yield* SignInLinks
    const sessions = yield* Sessions
    const settings = yield* HttpSettings
    return handlers.handleAll({
      create: Effect.fn("management.signInLinks.create")(function* () {
        if (!settings.console) return yield* new Conflict({ detail: problemTexts.noConsole() })
        if (!settings.consoleTokens) return yield* new Conflict({ detail: problemTexts.noConsoleTokens() })
        const { id } = yield* Principal
        const { session } = yield* LinkMaker
        if (session !== null && session.issuer !== null)
          return yield* new Conflict({ detail: problemTexts.linkOfPerson() })
        if (session !== null && !sessions.mayOpen(session))
          return yield* new Conflict({ detail: problemTexts.linkOfLinks() })
        const { code, expiresAt } = yield* links.make(id)
        return { path: `${consolePath}/#login=${code}`, expires_at: toIso(expiresAt) }
      }),
    })
  }),
)
