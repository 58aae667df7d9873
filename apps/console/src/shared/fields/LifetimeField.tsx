import { ChoiceField, type Choice } from "./ChoiceField.tsx"

export type Lifetime = "never" | "30" | "90" | "365"

const lifetimes: ReadonlyArray<Choice<Lifetime>> = [
  { value: "never", label: "Never" },
  { value: "30", label: "In 30 days" },
  { value: "90", label: "In 90 days" },
  { value: "365", label: "In a year" },
]

const dayMs = 24 * 60 * 60 * 1000

/** Returns the time at which a credential expires that is created now, in ISO 8601. Null if it never expires. */
export const expiryAfter = (lifetime: Lifetime): string | null =>
  lifetime === "never" ? null : new Date(Date.now() + Number(lifetime) * dayMs).toISOString()

interface LifetimeFieldProps {
  readonly value: Lifetime
  readonly onChange: (lifetime: Lifetime) => void
}

/** Chooses when a new key or token expires. */
export const LifetimeField = ({ onChange, value }: LifetimeFieldProps) => (
  <ChoiceField choices={lifetimes} label="Expires" onChange={onChange} value={value} />
)
