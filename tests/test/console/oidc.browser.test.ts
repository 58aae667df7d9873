import type { Browser } from "playwright-core"
import { afterAll, beforeAll, expect, it } from "vitest"
import { launchBrowser } from "../../src/browser.ts"
import { ConsoleVisit } from "../../src/console/ConsoleVisit.ts"
import { IssuerServer, oidcVariables } from "../../src/console/IssuerServer.ts"
import { freePort } from "../../src/freePort.ts"
import { Inlet } from "../../src/Inlet.ts"

let browser: Browser
let issuer: IssuerServer
let inlet: Inlet

beforeAll(async () => {
  const port = await freePort()
  const consoleUrl = `http://127.0.0.1:${port}`
  issuer = await IssuerServer.start(consoleUrl)
  browser = await launchBrowser()
  inlet = await Inlet.start({
    env: { ...oidcVariables(issuer.url, consoleUrl), INLET_PORT: String(port) },
  })
})
afterAll(async () => {
  await browser.close()
  await inlet.stop()
  await issuer.stop()
})

it("a person signs in with the button, sees their session, revokes it and signs in again", async () => {
  const visit = await ConsoleVisit.open(browser, inlet)
  const { page } = visit
  await visit.go("/w/1/sessions")
  const signIn = page.getByRole("link", { name: `Sign in with ${new URL(issuer.url).host}` })
  await signIn.waitFor()
  await page.getByLabel("Management token").waitFor()
  await signIn.click()
  await page.getByRole("heading", { name: "Sessions" }).waitFor()
  expect(new URL(page.url()).pathname).toBe("/console/w/1/sessions")
  await page.getByRole("button", { name: /^Account: Ada Lovelace/ }).waitFor()
  await page.getByText("Ada Lovelace (this browser)").click()
  await page.getByRole("button", { name: "Revoke session" }).click()
  await signIn.waitFor()
  issuer.account = { id: "grace-1", name: "Grace Hopper", groups: ["sales"] }
  await visit.context.clearCookies()
  await signIn.click()
  await page.getByRole("heading", { name: "You are not signed in" }).waitFor()
  expect(await page.textContent("main")).toContain(
    "No rule lets Grace Hopper in: the claim groups has sales.",
  )
  expect(visit.errors.filter((error) => !/status of 40[13]/.test(error))).toEqual([])
})
