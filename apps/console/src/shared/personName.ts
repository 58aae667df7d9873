export interface Named {
  readonly svc_id: string | null
  readonly id: string | null
  readonly email: string | null
}

/** Returns the text that identifies a person to operators: the email, otherwise the id, otherwise the `svc_id`. */
export const personName = ({ email, id, svc_id }: Named): string => email ?? id ?? svc_id ?? ""

/** Returns the name of a person in their attributes, or undefined if they have none. */
export const calledName = (attributes: Readonly<Record<string, unknown>>): string | undefined => {
  const textAt = (name: string): string => {
    const value = attributes[name]
    return typeof value === "string" ? value.trim() : ""
  }
  const name = [textAt("first_name"), textAt("last_name")].filter((part) => part !== "").join(" ")
  return name || textAt("name") || undefined
}
