import type { ReactNode } from "react"

interface GroupProps {
  readonly title: string
  /** Explains what these settings change, and what they leave unchanged. */
  readonly help: string
  readonly children: ReactNode
}

/** A section of the settings form with a heading, an explanation and its fields. */
export const Group = ({ children, help, title }: GroupProps) => (
  <section className="gap-x-12 space-y-4 border-b border-line px-4 py-6 last:border-b-0 xl:grid xl:grid-cols-[320px_minmax(0,1fr)] xl:space-y-0">
    <div className="space-y-1">
      <h2 className="text-base font-semibold">{title}</h2>
      <p className="text-sm text-muted">{help}</p>
    </div>
    <div className="min-w-0 space-y-4">{children}</div>
  </section>
)
