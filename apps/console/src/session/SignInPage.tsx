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

/**
 * Asks the operator for a management token. The page exchanges the token for a cookie and does not store the token.
 */
export const SignInPage = () => {
  const router = useRouter()
  const queries = useQueryClient()
  const { from } = useSearch({ from: "/sign-in" })
  const [token, setToken] = useState("")
  const signIn = useMutation({
    mutationFn: () => signInWithToken(token.trim()),
    onSuccess: () => {
      queries.clear()
      router.history.push(`/console${from !== undefined && /^\/(?!\/)/.test(from) ? from : "/"}`)
    },
  })
  const session = useQuery(sessionQuery)
  const reason = session.data?.token_ended === true ? tokenEnded : loginProblem()
  return (
    <main className="flex min-h-full items-center justify-center p-4">
      <form
        className="w-full max-w-sm space-y-4"
        onSubmit={(event) => {
          event.preventDefault()
          signIn.mutate()
        }}
      >
        <h1 className="text-xl font-semibold">Sign in to Inlet</h1>
        {reason === undefined ? null : (
          <p className="rounded-md bg-amber-soft p-3 text-sm text-ink" role="alert">
            {reason}
          </p>
        )}
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
          tone="primary"
          type="submit"
        >
          Sign in
        </Button>
        <p className="text-xs text-muted">
          Each start of the server prints a link that signs a browser in once, within 10 minutes. The page
          keeps no token: the session is a cookie that scripts cannot read. It lasts 7 days, or as long as the
          token.
        </p>
      </form>
    </main>
  )
}
