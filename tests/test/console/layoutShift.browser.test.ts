import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { launchBrowser } from "../../src/browser.ts"
import { consolePages } from "../../src/console/consolePages.ts"
import { ConsoleVisit, type VisitOptions } from "../../src/console/ConsoleVisit.ts"
import { fillPages } from "../../src/console/fillPages.ts"
import { recordShifts, shiftedMax, shiftsOf } from "../../src/console/layoutShifts.ts"
import { Inlet } from "../../src/Inlet.ts"

let browser: Browser
let inlet: Inlet
let signedIn: ConsoleVisit
let paths: ReadonlyArray<readonly [name: string, path: string]>

beforeAll(async () => {
  browser = await launchBrowser()
  inlet = await Inlet.start({ env: { INLET_WEBHOOK_ALLOW: "127.0.0.1" } })
  paths = Object.entries({ ...consolePages, ...(await fillPages(inlet)) })
  signedIn = await ConsoleVisit.open(browser, inlet)
  await signedIn.signIn()
})
afterAll(async () => {
  await browser.close()
  await inlet.stop()
})

/** Loads every page. Returns those in which more moved than is good, each with what moved. */
const movedPages = async (options: VisitOptions): Promise<Record<string, unknown>> => {
  const visit = await ConsoleVisit.open(browser, inlet, options)
  onTestFinished(() => visit.context.close())
  await visit.context.addCookies(await signedIn.context.cookies())
  await visit.context.addInitScript(recordShifts)
  const moved: Record<string, unknown> = {}
  for (const [name, path] of paths) {
    await visit.go(path)
    await visit.idle()
    const { shifts, total } = await shiftsOf(visit.page)
    if (total >= shiftedMax) moved[name] = { total, shifts }
  }
  return moved
}

describe("what is shown of a page", () => {
  it("stays where it is while the rest arrives, in a wide window", async () => {
    expect(await movedPages({})).toEqual({})
  })

  it("stays where it is while the rest arrives, on a phone", async () => {
    expect(await movedPages({ width: 390, height: 844 })).toEqual({})
  })
})
