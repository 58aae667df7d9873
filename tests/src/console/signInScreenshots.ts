// Writes screenshots of the sign-in with the company's account to a folder, such as `docs/images`:
//
//   node tests/src/console/signInScreenshots.ts docs/images
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import type { Browser } from "playwright-core"
import { launchBrowser } from "../browser.ts"
import { freePort } from "../freePort.ts"
import { Inlet } from "../Inlet.ts"
import { buildConsole } from "./buildConsole.ts"
import { ConsoleVisit } from "./ConsoleVisit.ts"
import { IssuerServer, oidcVariables } from "./IssuerServer.ts"

/** Signs people in at an issuer on this machine, and saves the pages that they see. */
export const signInScreenshots = async (browser: Browser, folder: string): Promise<void> => {
  const port = await freePort()
  const consoleUrl = `http://127.0.0.1:${port}`
  const issuer = await IssuerServer.start(consoleUrl)
  const inlet = await Inlet.start({
    env: { ...oidcVariables(issuer.url, consoleUrl), INLET_PORT: String(port) },
  })
  const visit = await ConsoleVisit.open(browser, inlet, { width: 1120, height: 560 })
  const { page } = visit
  const signIn = page.getByRole("link", { name: /^Sign in with/ })
  const save = async (name: string): Promise<void> => {
    await visit.idle()
    const path = join(folder, `${name}.png`)
    await page.screenshot({ path })
    console.log(path)
  }
  await visit.go("/w/1/sessions")
  await signIn.waitFor()
  await save("sign-in-company")
  issuer.account = { id: "alan-1", name: "Alan Turing", groups: ["growth"] }
  await signIn.click()
  await page.getByRole("button", { name: /^Account: Alan Turing/ }).waitFor()
  await visit.context.clearCookies()
  issuer.account = { id: "grace-1", name: "Grace Hopper", groups: ["sales", "support"] }
  await visit.go("/w/1/sessions")
  await signIn.click()
  await page.getByRole("heading", { name: "You are not signed in" }).waitFor()
  await save("sign-in-refused")
  await visit.context.clearCookies()
  issuer.account = { id: "ada-1", name: "Ada Lovelace", groups: ["inlet-admins"] }
  await visit.go("/w/1/sessions")
  await signIn.click()
  await page.getByText("Ada Lovelace (this browser)").waitFor()
  await page.getByText("Alan Turing").waitFor()
  await save("sign-in-sessions")
  await visit.context.close()
  await inlet.stop()
  await issuer.stop()
}

if (import.meta.main) {
  const [, , folder = join(import.meta.dirname, "../../reports/screenshots")] = process.argv
  mkdirSync(folder, { recursive: true })
  await buildConsole()
  const browser = await launchBrowser()
  await signInScreenshots(browser, folder)
  await browser.close()
}
