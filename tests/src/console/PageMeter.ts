import { readFileSync } from "node:fs"
import type { Browser, CDPSession, Page } from "playwright-core"

const megabyte = 1024 * 1024

/** Records the time between two frames with `requestAnimationFrame`, for as long as the page is open. */
const recordFrames = `(() => {
  globalThis.frameTimes = []
  let last = performance.now()
  const onFrame = (now) => {
    globalThis.frameTimes.push(now - last)
    last = now
    requestAnimationFrame(onFrame)
  }
  requestAnimationFrame(onFrame)
})()`

export interface PageReading {
  /** The size of the objects on the JavaScript heap, in MB. */
  readonly heapMegabytes: number
  /** The memory that only the page's process uses, in MB. The task manager of Chromium shows this figure. */
  readonly privateMegabytes: number
  /** The resident memory of the page's process in MB. It includes code that all processes of the browser share. */
  readonly residentMegabytes: number
  /** The times between frames since the last reading, in milliseconds. */
  readonly frameTimesMs: ReadonlyArray<number>
}

/** Measures the memory and the frames of the only page of a Chromium browser. */
export class PageMeter {
  private readonly page: Page
  private readonly session: CDPSession
  private readonly browserSession: CDPSession

  private constructor(page: Page, session: CDPSession, browserSession: CDPSession) {
    this.page = page
    this.session = session
    this.browserSession = browserSession
  }

  /** Starts to record the frames that the browser draws. The browser must have no other page. */
  static async start(browser: Browser, page: Page): Promise<PageMeter> {
    const session = await page.context().newCDPSession(page)
    await page.evaluate(recordFrames)
    return new PageMeter(page, session, await browser.newBrowserCDPSession())
  }

  async read(): Promise<PageReading> {
    const { usedSize } = await this.session.send("Runtime.getHeapUsage")
    const pid = await this.renderer()
    const frameTimesMs = await this.page.evaluate<Array<number>>("globalThis.frameTimes.splice(0)")
    return {
      heapMegabytes: usedSize / megabyte,
      privateMegabytes: megabytesOf(pid, "RssAnon"),
      residentMegabytes: megabytesOf(pid, "VmRSS"),
      frameTimesMs,
    }
  }

  /**
   * Returns the renderer process that uses the most memory. It belongs to the page, because the spare renderers that
   * Chromium starts use less.
   */
  private async renderer(): Promise<number> {
    const { processInfo } = await this.browserSession.send("SystemInfo.getProcessInfo")
    const renderers = processInfo.filter(({ type }) => type === "renderer").map(({ id }) => id)
    const [pid] = renderers.toSorted((a, b) => privateMegabytesOf(b) - privateMegabytesOf(a))
    if (pid === undefined) throw new Error("the browser has no renderer process")
    return pid
  }
}

/** Returns the memory that a process alone uses, in MB. Returns 0 if the process has ended. */
const privateMegabytesOf = (pid: number): number => {
  try {
    return megabytesOf(pid, "RssAnon")
  } catch {
    return 0
  }
}

/** Returns a figure of `/proc/<pid>/status` in MB. The file contains KB. */
const megabytesOf = (pid: number, figure: "RssAnon" | "VmRSS"): number => {
  const status = readFileSync(`/proc/${pid}/status`, "utf8")
  return Number(new RegExp(`^${figure}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) / 1024
}
