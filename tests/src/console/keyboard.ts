import type { Locator, Page } from "playwright-core"

/** The largest number of elements of a page that Tab may reach. */
export const tabStopsMax = 150

/** JavaScript source of a function that runs in the page. It returns a description of the element with the focus. */
const describeFocus = `() => {
  const element = document.activeElement
  if (element === null || element === document.body) return "body"
  const name = element.getAttribute("aria-label") ?? element.labels?.[0]?.innerText ?? element.innerText
  return (element.getAttribute("role") ?? element.localName) + " " + name.replaceAll(/\\s+/g, " ").trim()
}`

/**
 * JavaScript source of a function that runs in the page. It returns true if an outline is drawn around the focused
 * element, around its label, or around the current row of a focused table.
 */
const showsFocus = `() => {
  const element = document.activeElement
  const row = document.getElementById(element.getAttribute("aria-activedescendant") ?? "")
  const candidates = [element, element.closest("label"), row].filter((candidate) => candidate !== null)
  return candidates.some((candidate) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(candidate)
    const { width, height } = candidate.getBoundingClientRect()
    return outlineStyle !== "none" && parseFloat(outlineWidth) >= 1 && width > 4 && height > 4
  })
}`

interface Focus {
  /** The role or tag, and the name, of the element with the focus. "body" if no element has the focus. */
  readonly element: string
  readonly isVisible: boolean
}

/** Returns the element with the focus, and whether the page shows that the element has the focus. */
export const focusOf = (page: Page): Promise<Focus> =>
  page.evaluate<Focus>(`({ element: (${describeFocus})(), isVisible: (${showsFocus})() })`)

/** Presses Tab until an element has the focus. Throws if Tab does not reach the element. */
export const tabTo = async (page: Page, target: Locator): Promise<void> => {
  await target.waitFor()
  const focused = target.and(page.locator(":focus"))
  for (let stop = 0; stop < tabStopsMax; stop++) {
    await page.keyboard.press("Tab")
    if ((await focused.count()) > 0) return
  }
  throw new Error(`Tab does not reach ${target.toString()}`)
}

/** Presses keys one after the other. */
export const press = async (page: Page, ...keys: ReadonlyArray<string>): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key)
}
