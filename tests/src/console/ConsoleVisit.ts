import axe, { type AxeResults } from "axe-core"
import type { Browser, BrowserContext, Page } from "playwright-core"
import { waitMsMax } from "../../../patience.ts"
import { credentials } from "../Inlet.ts"
import type { RunningServer } from "../http.ts"

export interface VisitOptions {
  readonly width?: number
  readonly height?: number
  readonly theme?: "light" | "dark"
}

const idleMsMax = 1_000

/** The width of a browser window, in pixels, below which the window imitates a phone. */
const phoneWidthMax = 600

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
    })
  }

  static async open(
    browser: Browser,
    { url }: RunningServer,
    options: VisitOptions = {},
  ): Promise<ConsoleVisit> {
    const { height = 900, theme = "light", width = 1440 } = options
    const isPhone = width < phoneWidthMax
    const context = await browser.newContext({
      colorScheme: theme,
      hasTouch: isPhone,
      isMobile: isPhone,
      locale: "en-US",
      reducedMotion: "reduce",
      viewport: { width, height },
    })
    return new ConsoleVisit(context, await context.newPage(), url)
  }

  /** Opens a path below `/console`. */
  async go(path: string): Promise<void> {
    await this.page.goto(`${this.url}/console${path}`)
  }

  /** Signs in with the management token. */
  async signIn(): Promise<void> {
    await this.go("/sign-in")
    await this.page.getByLabel("Management token").fill(credentials.token)
    await this.page.getByRole("button", { name: "Sign in" }).click()
    await this.page
      .getByRole("navigation", { name: "Pages" })
      .or(this.page.getByLabel("Show the pages"))
      .first()
      .waitFor()
  }

  /**
   * Waits until the page has loaded its first content. Waiting for an idle network would never end on a page with a
   * stream.
   */
  async idle(): Promise<void> {
    await this.page.waitForLoadState("networkidle", { timeout: idleMsMax }).catch(() => undefined)
  }

  /** Returns the accessibility problems of the page, each with the element that has the problem. */
  async accessibilityProblems(): Promise<ReadonlyArray<string>> {
    // The content security policy would block a script tag for axe. It does not apply to code that the debugger
    // evaluates.
    await this.page.evaluate(axe.source)
    const results = await this.page.evaluate<AxeResults>('axe.run({ resultTypes: ["violations"] })')
    return results.violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target }) => `${id}: ${target.join(" ")}`),
    )
  }
}
