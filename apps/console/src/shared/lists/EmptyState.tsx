import type { ReactNode } from "react"
import { Code } from "../values/Code.tsx"

interface EmptyStateProps {
  readonly title: string
  /** Explains what the list shows, and how items get into the list. */
  readonly children: ReactNode
  /** A command that adds an item to the list, or an example of a filter. */
  readonly example?: string
}

/** The text that is shown for a list without items. The text can contain one example. */
export const EmptyState = ({ children, example, title }: EmptyStateProps) => (
  <div className="mx-auto w-full max-w-xl space-y-3 px-4 py-12">
    <h2 className="text-base font-semibold">{title}</h2>
    <div className="text-sm text-muted">{children}</div>
    {example === undefined ? null : <Code label="Example" text={example} />}
  </div>
)
