import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { signOut } from "./session.ts"

/** Ends the session, forgets what was read and leads to the page for signing in. */
export const useSignOut = () => {
  const navigate = useNavigate()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => signOut(),
    onSettled: () => {
      queries.clear()
      void navigate({ to: "/sign-in" })
    },
  })
}
