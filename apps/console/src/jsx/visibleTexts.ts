import { visibleText } from "../shared/values/visibleText.ts"

/** The properties with texts that the browser shows or a screen reader reads. */
const shownProperties = ["children", "title", "aria-label", "placeholder", "alt"]

/**
 * Returns the properties of an element. In the `shownProperties`, visible escapes replace all characters that reverse
 * text.
 */
export const withVisibleTexts = (props: unknown): unknown => {
  if (!isProperties(props)) return props
  // Most elements have no text with characters to escape. Their properties are returned without a copy.
  let visible = props
  for (const name of shownProperties) {
    const value = props[name]
    const shown = shownValue(value)
    if (shown !== value) visible = { ...visible, [name]: shown }
  }
  return visible
}

const isProperties = (props: unknown): props is Readonly<Record<string, unknown>> =>
  typeof props === "object" && props !== null

const shownValue = (value: unknown): unknown => {
  if (!Array.isArray(value)) return shownText(value)
  const isVisible = value.every((child) => shownText(child) === child)
  return isVisible ? value : value.map(shownText)
}

const shownText = (value: unknown): unknown => (typeof value === "string" ? visibleText(value) : value)
