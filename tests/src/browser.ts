import chromium from "@sparticuz/chromium"
import { existsSync } from "node:fs"
import { chromium as playwright, type Browser } from "playwright-core"
import { waitMsMax } from "../../patience.ts"
import { startedByTest } from "./cleanup.ts"

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
 * Starts a headless browser. Uses a browser that is installed on this machine, or else the browser from the
 * dependencies.
 */
export const launchBrowser = async (): Promise<Browser> =>
  playwright.launch({
    executablePath: systemBrowsers.find((path) => existsSync(path)) ?? (await chromium.executablePath()),
    headless: true,
    timeout: waitMsMax,
    args: flags,
    env: { ...process.env, ...startedByTest() },
  })
