import chromium from "@sparticuz/chromium"
import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { promisify } from "node:util"
import { chromium as playwright, type Browser } from "playwright-core"
import { waitMsMax } from "../../tools/testing/patience.ts"
import { startedByTest } from "./cleanup.ts"
import { eventually } from "./eventually.ts"

/** Paths where operating systems install Chrome or Chromium. */
const systemBrowsers = [
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
]

const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
]

/**
 * Turns off the compilers that optimize JavaScript. A test keeps its page open for about a second, so optimizing takes
 * more CPU time than it saves.
 */
const withoutOptimizing = "--js-flags=--no-maglev --no-turbofan"

/**
 * Returns true if a program starts. It does not start if it is for another system, or if a library is missing. Waits while
 * another process unpacks it: whoever needs the browser first writes its file, and the others find the file unfinished.
 */
const starts = (file: string): Promise<boolean> =>
  eventually(`${file} is unpacked`, async () => {
    try {
      await promisify(execFile)(file, ["--version"], { timeout: waitMsMax })
      return true
    } catch (cause) {
      return isBeingWritten(cause) ? undefined : false
    }
  })

const isBeingWritten = (cause: unknown): boolean =>
  cause instanceof Error && "code" in cause && cause.code === "ETXTBSY"

/**
 * Returns the path of the browser from the dependencies, or, if this browser cannot start, the path of an installed
 * browser. The browser from the dependencies needs less CPU time, because it has no windows.
 */
const executablePath = async (): Promise<string> => {
  const packaged = await chromium.executablePath()
  if (await starts(packaged)) return packaged
  return systemBrowsers.find((path) => existsSync(path)) ?? packaged
}

/** Starts a headless browser. Measurements of speed set `optimizing`, so that the browser optimizes code as browsers of users do. */
export const launchBrowser = async ({ optimizing = false } = {}): Promise<Browser> =>
  playwright.launch({
    executablePath: await executablePath(),
    headless: true,
    timeout: waitMsMax,
    args: optimizing ? flags : [...flags, withoutOptimizing],
    env: { ...process.env, ...startedByTest() },
  })
