import { join } from "node:path"
import type { Browser } from "playwright-core"
import { pipelines } from "../ingestion.ts"
import { Inlet } from "../Inlet.ts"
import { Management } from "../Management.ts"
import { ConsoleVisit } from "./ConsoleVisit.ts"
import { sendSamples } from "./sampleData.ts"
import { sendVisits } from "./sampleVisits.ts"

const window = { width: 1200, height: 712, scale: 1.6, theme: "light" } as const

/** Takes the pictures of `docs/images` on a server of their own, whose settings are `env`: the first event, and calls that followed. */
export const takeDocumented = async (
  browser: Browser,
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<void> => {
  const inlet = await Inlet.start({ env })
  const visit = await ConsoleVisit.open(browser, inlet, window)
  const { page } = visit
  const save = async (name: string): Promise<void> => {
    await visit.idle()
    await page.screenshot({ path: join(folder, `${name}.png`) })
  }
  await visit.signIn()
  await visit.go("/w/1/start")
  await page.getByRole("button", { name: "Create a key for the examples" }).click()
  const program = page.locator("pre", { hasText: "curl -u", hasNotText: "YOUR_WRITE_KEY" })
  await program.waitFor()
  const [, key = ""] = /curl -u (\w+):/.exec(await program.innerText()) ?? []
  const [, body = ""] = /-d '(.*)'/s.exec(await program.innerText()) ?? []
  await pipelines(inlet, "/v1/batch", body, { authorization: `Basic ${btoa(`${key}:`)}` })
  await page.getByText('The event "signed_up"').waitFor()
  await save("console-start")

  await sendVisits(inlet)
  await sendSamples(inlet)
  const management = new Management(inlet)
  const newest = async (filter: string): Promise<string | undefined> =>
    (await management.activityPage({ filter, limit: "1" })).items[0]?.operation_id
  await visit.go(`/w/1/live/${await newest("outcome:partial")}`)
  await save("console-live")
  await visit.go(`/w/1/operations/${await newest("campaign:spring")}`)
  await save("console-from")
  await visit.context.close()
  await inlet.stop()
}
