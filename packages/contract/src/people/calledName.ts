/**
 * Returns the name of a person in the attributes of their document, as `name` in other documents: the attribute `name`,
 * otherwise `first_name` and `last_name`. Null without either.
 */
export const calledName = (attributes: Readonly<Record<string, unknown>>): string | null => {
  const textAt = (name: string): string => {
    const value = attributes[name]
    return typeof value === "string" ? value : ""
  }
  return textAt("name").trim() || `${textAt("first_name")} ${textAt("last_name")}`.trim() || null
}
