interface BadgeProps {
  readonly children: string
  readonly title?: string
  readonly tone?: "accent" | "grey" | "red"
}

const tones = {
  accent: "bg-selected text-accent",
  grey: "bg-hover text-muted",
  red: "bg-red-soft text-red",
} as const

/** A word that marks a row. */
export const Badge = ({ children, title, tone = "accent" }: BadgeProps) => (
  <span
    className={`inline-flex h-5 shrink-0 items-center rounded-sm px-1.5 text-xs font-medium whitespace-nowrap ${tones[tone]}`}
    title={title}
  >
    {children}
  </span>
)
