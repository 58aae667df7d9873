import { Link, useRouter, type ErrorComponentProps } from "@tanstack/react-router"
import { useSignedOut } from "../session/goToSignIn.ts"
import { ApiProblem } from "../shared/dialogs/ApiProblem.tsx"
import { PartNotLoaded, reloadPage } from "../shared/dialogs/lazily.tsx"

/** The message that is shown in place of a page that could not be loaded. */
export const LoadFailed = ({ error }: ErrorComponentProps) => {
  const router = useRouter()
  if (useSignedOut(error)) return null
  return (
    <ApiProblem
      onRetry={() => void (error instanceof PartNotLoaded ? reloadPage() : router.invalidate())}
      problem={error instanceof Error ? error : new Error(String(error))}
      what="The page could not be loaded."
    />
  )
}

export const PageNotFound = () => (
  <div className="space-y-2 p-4 text-sm">
    <h1 className="text-lg font-semibold">This page does not exist</h1>
    <p className="text-muted">Check the address, or start again from the list of operations.</p>
    <Link className="text-accent hover:underline" to="/">
      Show what happens
    </Link>
  </div>
)
