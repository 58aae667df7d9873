import { useRouter, type RegisteredRouter } from "@tanstack/react-router"
import { useEffect } from "react"
import { ApiFailure } from "../api/request.ts"
import { stringifySearch } from "../shared/values/search.ts"
import { sessionQuery } from "./session.ts"

interface View {
  readonly pathname: string
  readonly search: object
}

/** Returns the address of the page for signing in, which afterwards opens a view. */
export const signInFrom = ({ pathname, search }: View) =>
  ({ to: "/sign-in", search: { from: pathname + stringifySearch({ ...search }) } }) as const

/** Opens the page for signing in. After signing in, the operator returns to the current view. */
export const goToSignIn = (router: RegisteredRouter): void => {
  const { location } = router.state
  if (location.pathname === "/sign-in") return
  router.options.context.queries.removeQueries(sessionQuery)
  void router.navigate({ ...signInFrom(location), replace: true })
}

export const isSignedOut = (problem: unknown): boolean =>
  problem instanceof ApiFailure && problem.status === 401

/** Opens the page for signing in if a problem is that the session has ended. Returns true in that case. */
export const useSignedOut = (problem: unknown): boolean => {
  const router = useRouter()
  const hasEnded = isSignedOut(problem)
  useEffect(() => {
    if (hasEnded) goToSignIn(router)
  }, [hasEnded, router])
  return hasEnded
}
