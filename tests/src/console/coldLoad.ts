import type { Browser } from "playwright-core"
import type { RunningServer } from "../http.ts"
import { ConsoleVisit } from "./ConsoleVisit.ts"

/** Marks the moment when the first row of the list of operations is in the page. */
const markFirstRow = `(() => {
  const observer = new MutationObserver(() => {
    if (document.querySelector('[role="row"][aria-rowindex="2"]') === null) return
    performance.mark("first row")
    observer.disconnect()
  })
  observer.observe(document, { childList: true, subtree: true })
})()`

const readMoments = `(() => {
  const at = (name) => performance.getEntriesByName(name)[0]?.startTime ?? NaN
  return [at("first-contentful-paint"), at("first row")]
})()`

export interface LoadMoments {
  /** Milliseconds from the start of the navigation to the first painted text. */
  readonly firstPaintMs: number
  /** Milliseconds from the start of the navigation to the first listed operation. Keys and clicks work from then on. */
  readonly firstRowMs: number
}

/** Loads the Live page in a signed-in browser with an empty cache. At least one operation must be stored. */
export const coldLoad = async (
  browser: Browser,
  server: RunningServer,
  signedIn: ConsoleVisit,
): Promise<LoadMoments> => {
  const visit = await ConsoleVisit.open(browser, server)
  await visit.context.addCookies(await signedIn.context.cookies())
  await visit.context.addInitScript(markFirstRow)
  await visit.go("/w/1/live")
  await visit.page.getByRole("row").nth(1).waitFor()
  const [firstPaintMs = Number.NaN, firstRowMs = Number.NaN] =
    await visit.page.evaluate<ReadonlyArray<number>>(readMoments)
  await visit.context.close()
  return { firstPaintMs, firstRowMs }
}
