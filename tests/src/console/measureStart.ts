// Measures how long a new user needs from the clone of the repository to the first event on the screen. Does what the README
// says: clones, runs `npx -y pnpm@12 start`, opens the printed link, creates a key and sends the example.
//
//   pnpm bench:start
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { kill } from "node:process"
import { launchBrowser } from "../browser.ts"
import { cleanUp, freshDirectory } from "../cleanup.ts"
import { send } from "../http.ts"
import { base64 } from "../ingestion.ts"
import { Launched, launchAs } from "../Launched.ts"
import { signInLink } from "../signInLink.ts"
import { ConsoleVisit } from "./ConsoleVisit.ts"

const repository = join(import.meta.dirname, "../../..")
const clone = join(freshDirectory(), "inlet")

/** Starts the server as the README says. The server gets a free port, so that a running server does not disturb it. */
const start = (): Launched =>
  new Launched(
    spawn("npx", ["-y", "pnpm@12", "start"], {
      cwd: clone,
      detached: true,
      env: { ...process.env, INLET_PORT: "0" },
      stdio: ["ignore", "pipe", "pipe"],
    }),
  )

/** Sends the event of the curl example that the page shows. */
const sendExample = async (visit: ConsoleVisit, origin: string): Promise<void> => {
  await visit.page.getByRole("button", { name: "Create a key for the examples" }).click()
  const example = visit.page.getByLabel("Example for curl", { exact: true })
  const text = (await example.filter({ hasNotText: "YOUR_WRITE_KEY" }).textContent()) ?? ""
  const [, writeKey = "", body = ""] = /-u (\S+): \S+ -d '([^']+)'/.exec(text) ?? []
  const authorization = `Basic ${base64(`${writeKey}:`)}`
  const { status } = await send(origin, {
    method: "POST",
    path: "/v1/batch",
    headers: { authorization },
    body,
  })
  if (status !== 200) throw new Error(`the example was answered ${status}`)
}

const browser = await launchBrowser({ optimizing: true })
const from = performance.now()
const report = (step: string): void =>
  console.log(`${((performance.now() - from) / 1000).toFixed(1)} s: ${step}`)

await launchAs(["git", "clone", "--quiet", repository, clone], {}).exit
if (!existsSync(clone)) throw new Error("the repository could not be cloned")
report("the repository is cloned")
const server = start()
try {
  const link = new URL(await signInLink(server, join(clone, ".inlet")))
  report("the server is ready and has stored the link")
  const visit = await ConsoleVisit.open(browser, { url: link.origin })
  await visit.page.goto(link.href)
  await visit.page.getByText("Waiting for your first event…").waitFor()
  report("the console waits for the first event")
  await sendExample(visit, link.origin)
  await visit.page.getByRole("link").filter({ hasText: "was stored" }).waitFor()
  report("the first event is on the screen")
} finally {
  await browser.close()
  if (server.child.pid !== undefined && server.exited === undefined) kill(-server.child.pid, "SIGTERM")
  await server.exit
  await cleanUp()
}
