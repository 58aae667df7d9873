import { ApiFailure } from "../../api/request.ts"
import { Button } from "../buttons/Button.tsx"
import { Icon } from "../buttons/Icon.tsx"

interface ApiProblemProps {
  readonly problem: Error
  /** A sentence that says what failed, such as "The people could not be loaded." */
  readonly what: string
  readonly onRetry?: () => void
}

const advice = (problem: Error): string => {
  if (!(problem instanceof ApiFailure))
    return "Reload the page. If the error stays, report it with the text above."
  switch (problem.status) {
    case 0:
      return ""
    case 401:
      return "Sign in again."
    case 404:
      return "It may have been deleted, or the link belongs to another workspace."
    case 503:
      return "Nothing was changed. Try again in a few seconds."
    default:
      return ""
  }
}

/** Ends a text with a period, unless it ends like a sentence, so that another sentence can follow. */
const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

/** Shows an error, and what the operator can do about it. */
export const ApiProblem = ({ onRetry, problem, what }: ApiProblemProps) => (
  <div
    className="m-4 flex max-w-2xl gap-3 rounded-md border border-line bg-red-soft p-3 text-sm"
    role="alert"
  >
    <Icon className="mt-0.5 text-red" name="rejected" />
    <div className="min-w-0 space-y-1">
      <p className="font-medium">{what}</p>
      <p className="break-words text-muted">
        {sentence(problem.message)} {advice(problem)}
      </p>
      {onRetry === undefined ? null : (
        <Button className="mt-2" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  </div>
)
