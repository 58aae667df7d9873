// Writes a screenshot of every page of the console, at two widths and in both themes, to `reports/screenshots` or to the
// folder that is given, and beside them the pictures that `docs/images` has copies of.
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { launchBrowser } from "../browser.ts"
import { freshDirectory } from "../cleanup.ts"
import { send } from "../http.ts"
import { credentials, Inlet } from "../Inlet.ts"
import { buildMmdb } from "../mmdb.ts"
import { buildConsole } from "./buildConsole.ts"
import { consolePages } from "./consolePages.ts"
import { ConsoleVisit } from "./ConsoleVisit.ts"
import { fillPages } from "./fillPages.ts"
import { signInScreenshots } from "./signInScreenshots.ts"
import { takeDocumented } from "./documentedPictures.ts"

const folder = process.argv[2] ?? join(import.meta.dirname, "../../reports/screenshots")
const themes = ["light", "dark"] as const
const sizes = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
] as const

/** The place of the addresses of the sample visits. */
const berlin = {
  country: { iso_code: "DE", names: { en: "Germany" } },
  subdivisions: [{ iso_code: "BE", names: { en: "Land Berlin" } }],
  city: { names: { en: "Berlin" } },
}

/** Returns the path of the page that explains the newest operation with an outcome. */
const operationPath = async (inlet: Inlet, outcome: string): Promise<string> => {
  const answer = await send(inlet.url, {
    method: "GET",
    path: `/management/v1/workspaces/1/activity?limit=1&outcome=${outcome}`,
    headers: { authorization: `Bearer ${credentials.token}` },
  })
  const id = /"operation_id":"([^"]+)"/.exec(answer.text)?.[1]
  if (id === undefined) throw new Error(`no operation has the outcome ${outcome}`)
  return `/w/1/live/${id}`
}

mkdirSync(folder, { recursive: true })
await buildConsole()
const places = join(freshDirectory(), "places.mmdb")
writeFileSync(places, buildMmdb({ "203.0.113.0/24": berlin }))
const inlet = await Inlet.start({ env: { INLET_WEBHOOK_ALLOW: "127.0.0.1", INLET_GEO: places } })
const details = await fillPages(inlet)
const browser = await launchBrowser()
const pages = { ...consolePages, ...details, why: await operationPath(inlet, "partial") }
for (const theme of themes) {
  for (const size of sizes) {
    const visit = await ConsoleVisit.open(browser, inlet, { ...size, theme })
    const save = async (name: string): Promise<void> => {
      await visit.idle()
      const path = join(folder, `${name}-${size.width}-${theme}.png`)
      await visit.page.screenshot({ path })
      console.log(path)
    }
    await visit.go("/sign-in")
    await save("sign-in")
    await visit.signIn()
    for (const [name, path] of Object.entries(pages)) {
      await visit.go(path)
      await visit.page.getByRole("heading").first().waitFor()
      await save(name)
    }
    await visit.context.close()
  }
}
await takeDocumented(browser, folder, { INLET_GEO: places })
await signInScreenshots(browser, folder)
await browser.close()
await inlet.stop()
