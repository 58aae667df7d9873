import type { PersonDocument } from "@inlet/api/management/People"
import { useState } from "react"
import type { Column } from "../../shared/DataTable.tsx"
import { valueText } from "./attributeText.ts"

/** The largest number of attributes that have columns. */
const columnsMax = 8

const keyOf = (w: string): string => `inlet.columns.${w}`

const storedNames = (w: string): ReadonlyArray<string> => {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(w)) ?? "[]")
    return Array.isArray(stored) ? stored.filter((name) => typeof name === "string") : []
  } catch {
    return []
  }
}

/** Returns the attributes with columns in the list of people, which the browser remembers, and a function that changes them. */
export const useAttributeColumns = (w: string) => {
  const [names, setNames] = useState(() => storedNames(w))
  const toggle = (name: string): void => {
    const others = names.filter((other) => other !== name)
    const changed = others.length < names.length ? others : [...names, name].slice(-columnsMax)
    localStorage.setItem(keyOf(w), JSON.stringify(changed))
    setNames(changed)
  }
  return { names, toggle }
}

/** Returns the column of an attribute. */
export const attributeColumn = (name: string): Column<PersonDocument> => ({
  key: `attribute ${name}`,
  header: name,
  width: "minmax(80px, 1fr)",
  showFrom: 560,
  text: ({ attributes }) => (Object.hasOwn(attributes, name) ? valueText(attributes[name]) : ""),
})
