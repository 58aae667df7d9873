import type { AxeResults, RunOptions } from "axe-core"
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type { Browser, BrowserContext, Page, Request } from "playwright-core"
import { waitMsMax } from "../../../tools/testing/patience.ts"
import { eventually } from "../eventually.ts"
import { credentials } from "../Inlet.ts"
import type { RunningServer } from "../http.ts"

export interface VisitOptions {
  readonly width?: number
  readonly height?: number
  readonly theme?: "light" | "dark"
  /** The number of dots of a screenshot for each pixel of the page. */
  readonly scale?: number
}

/** The minified code of axe. A page parses it in less than half the time that the main module of the package takes. */
const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

/** The rules of axe whose result depends on colors. */
export const colorRules = ["color-contrast", "link-in-text-block"]

/** Returns true for a request whose answer never ends, or whose answer the page does not read to its end. */
const neverEnds = (request: Request): boolean => {
  const { pathname } = new URL(request.url())
  return pathname.endsWith("/stream") || (request.method() === "POST" && pathname === "/console/session")
}

/** The width of a browser window, in pixels, below which the window imitates a phone. */
const phoneWidthMax = 600

/** The longest time, in milliseconds, for which a window that is always busy counts as busy. */
const busyMsMax = 1000

/** Whether the page shows a heading. */
const hasHeading = `document.querySelector("h1, h2, h3") !== null`

/** The router of the page that is open. TanStack Router leaves itself in a variable of the window. */
const router = "window.__TSR_ROUTER__"

/** Whether the page to which the router goes is drawn. Its latest location changes at once, its state does not. */
const isThere = `(({ latestLocation, state: { resolvedLocation, status } }) =>
  status === "idle" && resolvedLocation?.href === latestLocation.href)(${router})`

/**
 * A browser window with the console. Records errors and requests to other hosts, because the console must not cause
 * any.
 */
export class ConsoleVisit {
  readonly page: Page
  readonly context: BrowserContext
  /**
   * Errors that the page logged, such as violations of the content security policy, exceptions, and windows that a
   * script opened with `alert`.
   */
  readonly errors: Array<string> = []
  /** Addresses of requests to other hosts. */
  readonly foreignRequests: Array<string> = []
  private readonly url: string
  /** The requests that have not ended yet, without those that never end. */
  private readonly underWay = new Set<Request>()

  private constructor(context: BrowserContext, page: Page, url: string) {
    this.context = context
    this.page = page
    this.url = url
    page.setDefaultTimeout(waitMsMax)
    page.on("pageerror", (error) => this.errors.push(error.message))
    page.on("console", (message) => {
      if (message.type() === "error") this.errors.push(message.text())
    })
    page.on("dialog", (dialog) => {
      this.errors.push(`${dialog.type()}: ${dialog.message()}`)
      void dialog.dismiss()
    })
    page.on("request", (request) => {
      if (!request.url().startsWith(url)) this.foreignRequests.push(request.url())
      if (!neverEnds(request)) this.underWay.add(request)
    })
    page.on("requestfinished", (request) => this.underWay.delete(request))
    page.on("requestfailed", (request) => this.underWay.delete(request))
  }

  static async open(
    browser: Browser,
    { url }: RunningServer,
    options: VisitOptions = {},
  ): Promise<ConsoleVisit> {
    const { height = 900, scale, theme = "light", width = 1440 } = options
    const isPhone = width < phoneWidthMax
    const context = await browser.newContext({
      colorScheme: theme,
      ...(scale !== undefined && { deviceScaleFactor: scale }),
      hasTouch: isPhone,
      isMobile: isPhone,
      locale: "en-US",
      reducedMotion: "reduce",
      viewport: { width, height },
    })
    return new ConsoleVisit(context, await context.newPage(), url)
  }

  /** Opens a path below `/console`, and waits until the page has a heading. */
  async go(path: string): Promise<void> {
    await this.start(path)
    await this.until("the page has a heading", hasHeading)
  }

  /**
   * Shows a path below `/console` as a link does. The window must show a page of the console already, whose scripts
   * run on, which takes a fifth of the time of `go`.
   */
  async follow(path: string): Promise<void> {
    await this.page.evaluate(`void ${router}.history.push(${JSON.stringify(`/console${path}`)})`)
    await this.until(`the page ${path} is drawn`, `${isThere} && ${hasHeading}`)
  }

  /**
   * Asks the page again and again. A locator would look again only after half a second, and frames are not drawn for minutes in a
   * window without the focus.
   */
  private until(condition: string, expression: string): Promise<true> {
    return eventually(condition, async () => (await this.page.evaluate<boolean>(expression)) || undefined)
  }

  /** Opens a path below `/console`, and does not wait until the console shows something. */
  async start(path: string): Promise<void> {
    await this.page.goto(`${this.url}/console${path}`)
  }

  /** Signs in with a management token: the installation's own, unless another is given. */
  async signIn(token = credentials.token): Promise<void> {
    await this.go("/sign-in")
    await this.page.getByLabel("Management token").fill(token)
    await this.page.getByRole("button", { name: "Sign in" }).click()
    await this.page
      .getByRole("navigation", { name: "Pages" })
      .or(this.page.getByLabel("Show the pages"))
      .first()
      .waitFor()
  }

  /** Waits until the page has loaded its content: it has no work to do, waits for no answer and shows no placeholder. */
  async idle(): Promise<void> {
    const placeholders = this.page.locator("[aria-busy=true], [role=status][aria-label=Loading]")
    const isIdle = async (): Promise<boolean> => {
      await this.page.evaluate(
        `new Promise((resolve) => requestIdleCallback(resolve, { timeout: ${busyMsMax} }))`,
      )
      return this.underWay.size === 0 && (await placeholders.count()) === 0
    }
    // The page may send the next request right after an answer, so the page must be idle twice in a row.
    await eventually("the page is idle", async () =>
      (await isIdle()) && (await isIdle()) ? true : undefined,
    )
  }

  /**
   * Returns the accessibility problems of the page, each with the element that has the problem. By default, checks all
   * rules of axe that are enabled.
   */
  async accessibilityProblems(rules?: Array<string>): Promise<ReadonlyArray<string>> {
    // The content security policy would block a script tag for axe. It does not apply to code that the debugger
    // evaluates.
    if (!(await this.page.evaluate<boolean>("'axe' in window"))) await this.page.evaluate(axeSource)
    const options: RunOptions = {
      resultTypes: ["violations"],
      ...(rules === undefined ? {} : { runOnly: rules }),
    }
    const results = await this.page.evaluate<AxeResults>(`axe.run(${JSON.stringify(options)})`)
    return results.violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target }) => `${id}: ${target.join(" ")}`),
    )
  }
}
