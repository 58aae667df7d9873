import type { SessionDocument } from "@inlethq/contract/console/ConsoleApi"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useRouter, useSearch } from "@tanstack/react-router"
import { useState } from "react"
import { ApiFailure } from "../api/request.ts"
import { Button } from "../shared/buttons/Button.tsx"
import { Field } from "../shared/fields/Field.tsx"
import { loginProblem } from "./loginProblem.ts"
import { sessionQuery, signInWithToken } from "./session.ts"

const explain = (problem: Error | null): string | undefined => {
  if (problem === null) return undefined
  if (problem instanceof ApiFailure && problem.status === 401) {
    return "This is not a management token of this server, or it was revoked or has expired. Copy it again, without spaces."
  }
  return problem.message
}

const tokenEnded =
  "You were signed out, because the token of your session was revoked or has expired. Sign in with another token."

/** How a browser signs in as long as the server has not said otherwise. */
const tokensOnly: SessionDocument["ways"] = { tokens: true, oidc: null }

/** Names that people know the hosts of issuers by. */
const issuerNames: ReadonlyArray<readonly [host: RegExp, name: string]> = [
  [/^login\.microsoftonline\.(com|us)$/, "Microsoft"],
  [/^accounts\.google\.com$/, "Google"],
  [/\.okta(preview|-emea)?\.com$/, "Okta"],
]

const issuerName = (host: string): string => issuerNames.find(([known]) => known.test(host))?.[1] ?? host

/** Returns the address of the page to which signing in leads. */
const pageFrom = (from: string | undefined): string =>
  `/console${from !== undefined && /^\/(?!\/)/.test(from) ? from : "/"}`

/** Signs the operator in at an issuer, or with a management token. */
export const SignInPage = () => {
  const { from } = useSearch({ from: "/sign-in" })
  const session = useQuery(sessionQuery)
  const { oidc, tokens } = session.data?.ways ?? tokensOnly
  const reason = session.data?.token_ended === true ? tokenEnded : loginProblem()
  return (
    <main className="flex min-h-full items-center justify-center p-4">
      <div className="w-full max-w-sm space-y-4">
        <h1 className="text-xl font-semibold">Sign in to Inlet</h1>
        {reason === undefined ? null : (
          <p className="rounded-md bg-amber-soft p-3 text-sm text-ink" role="alert">
            {reason}
          </p>
        )}
        {oidc === null ? null : (
          <a
            className="flex h-9 items-center justify-center rounded-md bg-accent-solid px-3 text-sm font-medium text-accent-ink hover:opacity-90 pointer-coarse:h-11"
            href={`/console/oidc?return_to=${encodeURIComponent(pageFrom(from))}`}
          >
            Sign in with {issuerName(oidc.issuer)}
          </a>
        )}
        {oidc !== null && tokens ? <Or /> : null}
        {tokens ? <TokenForm from={from} isOnly={oidc === null} /> : null}
        <p className="text-xs text-muted">
          {oidc === null
            ? null
            : "What you may do follows from your groups there. That session lasts 12 hours. "}
          {tokens
            ? "Each start of the server prints a link that signs a browser in once, within 10 minutes. A session with a token lasts 7 days, or as long as the token. "
            : null}
          The page keeps no token: the session is a cookie that scripts cannot read.
        </p>
      </div>
    </main>
  )
}

const Or = () => (
  <p className="flex items-center gap-3 text-xs text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
    or
  </p>
)

interface TokenFormProps {
  readonly from: string | undefined
  /** True if there is no other way to sign in. */
  readonly isOnly: boolean
}

/** Asks the operator for a management token. The form exchanges the token for a cookie and does not store the token. */
const TokenForm = ({ from, isOnly }: TokenFormProps) => {
  const router = useRouter()
  const queries = useQueryClient()
  const [token, setToken] = useState("")
  const signIn = useMutation({
    mutationFn: () => signInWithToken(token.trim()),
    onSuccess: () => {
      queries.clear()
      router.history.push(pageFrom(from))
    },
  })
  return (
    <form
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault()
        signIn.mutate()
      }}
    >
      <Field
        autoComplete="off"
        error={explain(signIn.error)}
        help="A token that an admin has created for you, or the installation’s own: the server prints it on its first start and keeps it in its data directory. It is also the value of INLET_MANAGEMENT_TOKEN."
        label="Management token"
        onChange={(event) => setToken(event.target.value)}
        required
        spellCheck={false}
        type="password"
        value={token}
      />
      <Button
        className="w-full"
        disabled={signIn.isPending || token.trim() === ""}
        tone={isOnly ? "primary" : "plain"}
        type="submit"
      >
        {isOnly ? "Sign in" : "Sign in with the token"}
      </Button>
    </form>
  )
}
