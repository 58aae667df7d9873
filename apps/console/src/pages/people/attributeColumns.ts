import type { PersonDocument } from "@inlethq/contract/people/People"
import { useEffect, useMemo, useRef, useState } from "react"
import type { Column } from "../../shared/lists/DataTable.tsx"
import { valueText } from "./attributeText.ts"

/** The largest number of attributes that have columns. */
const columnsMax = 8

const keyOf = (w: string): string => `inlet.columns.${w}`

const storedText = (w: string): string => localStorage.getItem(keyOf(w)) ?? ""

/** Names are separated by commas, so a comma in a name is escaped. */
const namesIn = (text: string): ReadonlyArray<string> => {
  try {
    return text === "" ? [] : text.split(",").map(decodeURIComponent).slice(0, columnsMax)
  } catch {
    return []
  }
}

const textOf = (names: ReadonlyArray<string>): string =>
  names.map((name) => name.replaceAll(/[%,]/g, encodeURIComponent)).join(",")

/**
 * Returns the attributes with columns in the list of people, and a function that changes them. They stand in the
 * address; without any there, those that the browser remembers are put into it.
 */
export const useAttributeColumns = (
  w: string,
  inAddress: string | undefined,
  onColumns: (columns: string) => void,
) => {
  const [stored, setStored] = useState(() => storedText(w))
  const text = inAddress ?? stored
  const names = useMemo(() => namesIn(text), [text])
  const show = useRef(onColumns)
  useEffect(() => {
    show.current = onColumns
  })
  useEffect(() => {
    if (inAddress === undefined && stored !== "") show.current(stored)
  }, [inAddress, stored])
  const toggle = (name: string): void => {
    const others = names.filter((other) => other !== name)
    const changed = textOf(others.length < names.length ? others : [...names, name].slice(-columnsMax))
    localStorage.setItem(keyOf(w), changed)
    setStored(changed)
    onColumns(changed)
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
  term: ({ attributes }) =>
    Object.hasOwn(attributes, name) && !/[\s:="\\*,]/.test(name)
      ? { key: name, value: valueText(attributes[name]) }
      : null,
})
