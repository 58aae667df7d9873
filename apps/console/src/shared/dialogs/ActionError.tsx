interface ActionErrorProps {
  /** The error of the last attempt, or null. */
  readonly error: Error | null
}

/** Shows why an action failed, beside the button of the action. */
export const ActionError = ({ error }: ActionErrorProps) =>
  error === null ? null : (
    <p className="text-sm text-red" role="alert">
      {error.message}
    </p>
  )
