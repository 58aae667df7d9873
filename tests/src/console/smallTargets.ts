import type { Page } from "playwright-core"

/** The least width and height in pixels of something to touch. */
const touchPixelsMin = 44

/**
 * JavaScript source of a function that runs in the page. It describes each visible thing to touch that is smaller than
 * it should be. A field counts with its label, and links inside a sentence may be as small as its text.
 */
const findSmall = `(least) => {
  const things = "a, button, input, select, summary, textarea, [role=row][aria-selected], [role=option]"
  const isInSentence = (thing) =>
    thing.localName === "a" && [...thing.parentElement.childNodes].some((node) => node !== thing && node.textContent.trim() !== "")
  const sizeOf = (thing) => (thing.closest("label") ?? thing).getBoundingClientRect()
  return [...document.querySelectorAll(things)]
    .filter((thing) => thing.checkVisibility({ visibilityProperty: true }) && thing.closest(".sr-only, [aria-hidden=true]") === null)
    .filter((thing) => thing.type !== "file" && !isInSentence(thing))
    .map((thing) => [thing, sizeOf(thing)])
    .filter(([, { height, width }]) => width > 1 && height > 1 && (height < least - 0.5 || width < least - 0.5))
    .map(([thing, { height, width }]) => {
      const name = thing.getAttribute("aria-label") ?? thing.innerText
      return thing.localName + " " + name.trim().slice(0, 40) + ": " + Math.round(width) + " × " + Math.round(height)
    })
}`

/** Returns what a finger could hardly hit on the page. */
export const smallTargets = (page: Page): Promise<ReadonlyArray<string>> =>
  page.evaluate<ReadonlyArray<string>>(`(${findSmall})(${touchPixelsMin})`)
