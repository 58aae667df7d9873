import { Schema } from "effect"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { launchBrowser } from "../../src/browser.ts"
import { ConsoleVisit, type VisitOptions } from "../../src/console/ConsoleVisit.ts"
import { expectNoErrors, visitWithoutErrors } from "../../src/console/visitWithoutErrors.ts"
import { eventually } from "../../src/eventually.ts"
import { credentials, Inlet } from "../../src/Inlet.ts"
import { batch, identified, track } from "../../src/ingestion.ts"
import { Management, read } from "../../src/Management.ts"
import { WebhookReceiver } from "../../src/WebhookReceiver.ts"

let browser: Browser
let inlet: Inlet
let admin: ConsoleVisit
let management: Management
/** A workspace beside workspace 1. */
let other: number
let views: ReadonlyArray<View>

beforeAll(async () => {
  browser = await launchBrowser()
  const receiver = await WebhookReceiver.start()
  inlet = await Inlet.start({ env: { INLET_WEBHOOK_ALLOW: "127.0.0.1" } })
  management = new Management(inlet)
  other = await management.createWorkspace({ name: "Staging" })
  views = await createViews(receiver.url("/hook"))
  admin = await ConsoleVisit.open(browser, inlet)
  await admin.signIn()
})
afterAll(async () => {
  await browser.close()
  await inlet.stop()
})

type Scope = "read" | "write" | "admin"

const Issued = Schema.Struct({ token_id: Schema.String, token: Schema.String })

const issue = async (scope: Scope, workspaces: ReadonlyArray<number> | null = null) => {
  const answer = await management.call("POST", "/tokens", { name: `${scope} token`, scope, workspaces })
  return read(Issued, answer.json)
}

/** What the requests of a window asked for and got, apart from reads that succeeded. */
const watch = ({ page }: ConsoleVisit): ReadonlyArray<string> => {
  const seen: Array<string> = []
  page.on("response", (response) => {
    const method = response.request().method()
    if (method !== "GET" || response.status() >= 400) {
      seen.push(`${method} ${new URL(response.url()).pathname} ${response.status()}`)
    }
  })
  return seen
}

/** Opens a window that is signed in with a token. */
const openWith = async (token: string, options: VisitOptions = {}): Promise<ConsoleVisit> => {
  const opened = await ConsoleVisit.open(browser, inlet, options)
  onTestFinished(() => opened.context.close())
  await opened.signIn(token)
  return opened
}

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true })

/** A view of the console with buttons that change something, and what each of them needs. */
interface View {
  readonly path: string
  /** Opens what the buttons are in. */
  readonly open?: (page: Page) => Promise<void>
  readonly needs: Readonly<Record<string, "write" | "admin" | "admin of all">>
}

/** Creates one item of every kind, and returns the views with all buttons that change something. */
const createViews = async (receiver: string): Promise<ReadonlyArray<View>> => {
  await batch(inlet, [
    identified("ada", { plan: "pro" }),
    { type: "object", action: "identify", identifiers: { object_type_id: "1", object_id: "acme" } },
  ])
  await track(inlet, "POST", "/api/v1/forms/newsletter/submit", { data: { id: "ada", plan: "team" } })
  const ada = await management.person({ id: "ada" })
  const segment = await management.createSegment("Trial users")
  await management.call("PUT", management.pathOf(`/segments/${segment}/people/${ada.svc_id}`))
  const made = await management.call("POST", management.pathOf("/webhooks"), {
    name: "Warehouse",
    url: receiver,
    kind: "activity",
  })
  const { webhook_id } = read(Schema.Struct({ webhook_id: Schema.String }), made.json)
  await track(inlet, "POST", "/api/v1/customers/ada/events", { name: "signed_up" })
  return [
    { path: "/w/1/live", needs: { "Send a test event": "write" } },
    { path: "/w/1/start", needs: { "Create a key for the examples": "admin" } },
    { path: `/w/1/people/${ada.svc_id}`, needs: { "Set attribute": "write", Actions: "write" } },
    {
      path: "/w/1/people",
      open: async (page) => {
        await button(page, "Suppressions").click()
        await page.getByLabel("Identifier", { exact: true }).fill("nobody@example.com")
        await button(page, "Check").click()
        await page.getByText("This identifier is not suppressed.").waitFor()
      },
      needs: { Suppress: "write" },
    },
    { path: "/w/1/objects/1/acme", needs: { Delete: "write" } },
    {
      path: `/w/1/segments/${segment}`,
      needs: {
        "Create segment": "write",
        "Add person": "write",
        "Remove ada from the segment": "write",
        Edit: "write",
        Delete: "write",
      },
    },
    { path: "/w/1/forms/newsletter", needs: { "Save mapping": "write" } },
    { path: "/w/1/lake", needs: { "Start a lake": "admin of all" } },
    {
      path: `/w/1/webhooks/${webhook_id}`,
      open: async (page) => {
        await page.getByRole("complementary").getByRole("button", { expanded: false }).last().click()
      },
      needs: {
        "Create webhook": "admin",
        "Send a sample": "write",
        Pause: "admin",
        Edit: "admin",
        Recover: "write",
        "Replace secret": "admin",
        Delete: "admin",
        "Send again": "write",
      },
    },
    {
      path: "/w/1/keys",
      open: async (page) => {
        await page.getByRole("row").nth(1).click()
        await page.getByRole("complementary", { name: "Detail" }).waitFor()
      },
      needs: { "Create key": "admin", "Revoke key": "admin" },
    },
    { path: "/w/1/settings", needs: { "New workspace": "admin of all", Delete: "admin of all" } },
    { path: "/w/1/imports", needs: {} },
    { path: "/w/1/health", needs: {} },
  ]
}

const granted: Readonly<Record<string, ReadonlyArray<string>>> = {
  read: [],
  write: ["write"],
  "admin of 1": ["write", "admin"],
  admin: ["write", "admin", "admin of all"],
}

/** Returns the buttons of the page that are refused, by name, with their reasons. */
const refusedOn = (page: Page): Promise<Readonly<Record<string, string>>> =>
  page.evaluate<Readonly<Record<string, string>>>(
    `Object.fromEntries([...document.querySelectorAll("button[aria-disabled=true]")].map(
      (button) => [button.getAttribute("aria-label") ?? button.textContent, button.title]))`,
  )

const openView = async (opened: ConsoleVisit, { needs, open, path }: View): Promise<Page> => {
  const { page } = opened
  expectNoErrors(opened)
  await opened.follow(path)
  await open?.(page)
  for (const name of Object.keys(needs)) {
    await page
      .locator("button", { hasText: name })
      .or(page.getByLabel(name, { exact: true }))
      .last()
      .waitFor()
  }
  await opened.idle()
  return page
}

describe("what a session of the console may do", () => {
  it.each(["read", "write", "admin of 1", "admin"] as const)(
    "a session with the scope %s has exactly the buttons that the contract allows it",
    async (grant) => {
      const scope = grant === "admin of 1" ? "admin" : grant
      const { token } = await issue(scope, grant === "admin of 1" ? [1] : null)
      const opened = await openWith(token)
      const seen = watch(opened)
      const allowed = granted[grant] ?? []
      for (const view of views) {
        const page = await openView(opened, view)
        const refused = await refusedOn(page)
        const expected = Object.entries(view.needs).filter(([, need]) => !allowed.includes(need))
        expect({ path: view.path, refused: Object.keys(refused).toSorted() }).toEqual({
          path: view.path,
          refused: expected.map(([name]) => name).toSorted(),
        })
        for (const [name, need] of expected) {
          const [needed, ofAll] = need.split(" of ")
          expect(refused[name]).toContain(
            ofAll === undefined ? `needs the scope ${needed}` : `the scope ${needed} for all workspaces`,
          )
        }
      }
      expect(seen).toEqual([])
    },
  )

  it("a session that may only read changes nothing, whatever is pressed", async () => {
    const { token } = await issue("read")
    const opened = await openWith(token)
    const seen = watch(opened)
    for (const view of views) {
      const page = await openView(opened, view)
      // Behind an open dialog, nothing can be pressed.
      const refused = page.locator("button[aria-disabled=true]").and(page.getByRole("button"))
      for (let index = 0; index < (await refused.count()); index++) {
        await refused.nth(index).dispatchEvent("click")
        await page
          .getByRole("status")
          .filter({ hasText: "You are signed in with read token" })
          .last()
          .waitFor()
      }
      expect({ path: view.path, problems: await opened.accessibilityProblems() }).toEqual({
        path: view.path,
        problems: [],
      })
    }
    await opened.go("/w/1/settings")
    expect(await opened.page.getByLabel("Devices of a person").isDisabled()).toBe(true)
    expect(await button(opened.page, "Save changes").count()).toBe(0)
    await opened.go("/w/1/forms/newsletter")
    expect(await opened.page.getByLabel("Attribute that the field plan sets").isEditable()).toBe(false)
    await opened.go("/w/1/imports")
    await opened.page.getByText("This needs the scope write").waitFor()
    expect(await opened.page.locator("input[type=file]").count()).toBe(0)
    expect(seen).toEqual([])
  })

  it("a refused button on a phone says why when it is touched", async () => {
    const { token } = await issue("read")
    const opened = await openWith(token, { width: 390, height: 844 })
    await opened.go("/w/1/keys")
    await button(opened.page, "Create key").tap({ force: true })
    const note = opened.page.getByRole("status").filter({ hasText: "This needs the scope admin" })
    await note.waitFor()
    expect(await opened.accessibilityProblems()).toEqual([])
  })
})

describe("the account of a session", () => {
  it("shows the token with its scope and workspaces, and signs out", async () => {
    const { token } = await issue("write", [other])
    const opened = await openWith(token)
    const { page } = opened
    await page.getByRole("button", { name: "Account: write token write" }).click()
    const account = page.getByRole("group", { name: "Account" })
    await account.getByText("May read, and change data.").waitFor()
    await account.getByText(`For workspace ${other} only.`).waitFor()
    expect(await opened.accessibilityProblems()).toEqual([])
    await account.getByRole("button", { name: "Sign out" }).click()
    await page.getByRole("heading", { name: "Sign in to Inlet" }).waitFor()
    expect(await page.getByRole("alert").count()).toBe(0)
    await opened.go("/w/1/live")
    await page.getByRole("heading", { name: "Sign in to Inlet" }).waitFor()
  })

  it("a token of one workspace lands in it, sees no other, and causes no refused request", async () => {
    const { token } = await issue("admin", [other])
    const opened = await openWith(token)
    const seen = watch(opened)
    const { page } = opened
    await page.waitForURL(new RegExp(`/w/${other}/`))
    await page.getByText("Connected", { exact: true }).waitFor()
    await page.getByRole("button", { name: "Workspace Staging. Switch" }).click()
    const names = page.getByRole("list", { name: "Workspaces" }).getByRole("button")
    await eventually("the workspace is listed", async () =>
      (await names.allTextContents()).join() === `Staging${other}` ? true : undefined,
    )
    await page.keyboard.press("Escape")
    expect(await page.getByRole("link", { name: "Tokens" }).count()).toBe(0)
    await opened.go(`/w/${other}/health`)
    await page.getByText("The state of the server is about all workspaces.").waitFor()
    await opened.go(`/w/${other}/tokens`)
    await page.getByText("needs the scope admin for all workspaces").waitFor()
    await opened.idle()
    expect(seen).toEqual([])
    await opened.go("/w/1/people")
    await page.getByRole("heading", { name: "This workspace is closed to your token" }).waitFor()
    await page.getByRole("link", { name: "Open your workspace" }).click()
    await page.waitForURL(new RegExp(`/w/${other}/`))
  })
})

describe("the page of tokens", () => {
  it("an admin creates a token that is shown once, and revokes it after typing its name", async () => {
    const page = await visitWithoutErrors(admin, "/w/1/tokens")
    await button(page, "Create token").first().click()
    await page.getByLabel("Name").fill("dashboard")
    await page.getByRole("radio", { name: "write" }).check()
    await page.getByLabel("Only these workspaces").check()
    expect(await button(page, "Create token").last().isDisabled()).toBe(true)
    await page.getByLabel(`Staging (${other})`).check()
    await page.getByLabel("In 90 days").check()
    expect(await admin.accessibilityProblems()).toEqual([])
    await button(page, "Create token").last().click()
    const shown = page.getByLabel("Management token", { exact: true })
    const token = (await shown.textContent()) ?? ""
    expect(token).toMatch(/^imt_[0-9a-f]{48}$/)
    await button(page, "Done").click()
    const row = page.getByRole("row").filter({ hasText: "dashboard" })
    await row.waitFor()
    expect(await row.textContent()).toMatch(
      new RegExp(`^dashboardwrite${other}${token.slice(0, 12)}….*never.*in 90 days$`),
    )
    expect(await page.content()).not.toContain(token)

    const limited = new Management(inlet, other, token)
    expect((await limited.call("GET", limited.pathOf("/people"))).status).toBe(200)
    await row.click()
    expect(await button(page, "Revoke token").isDisabled()).toBe(true)
    await page.getByLabel("Identifier").fill("dashboard")
    await button(page, "Revoke token").click()
    await row.waitFor({ state: "detached" })
    await eventually("the token is refused", async () =>
      (await limited.call("GET", limited.pathOf("/people"))).status === 401 ? true : undefined,
    )
  })

  it.each(["live", "keys"])(
    "revoking a token sends its open page %s to sign-in, which says why",
    async (name) => {
      const { token, token_id } = await issue("read")
      const { page } = await openWith(token)
      await page.goto(`${inlet.url}/console/w/1/${name}`)
      await page.getByRole("row").nth(1).waitFor()
      expect((await management.call("DELETE", `/tokens/${token_id}`)).status).toBe(204)
      await page.getByRole("heading", { name: "Sign in to Inlet" }).waitFor()
      const reason = await page.getByRole("alert").textContent()
      expect(reason).toContain("the token of your session was revoked or has expired")
      expect(new URL(page.url()).searchParams.get("from")).toBe(`/w/1/${name}`)
      await page.getByLabel("Management token").fill(credentials.token)
      await button(page, "Sign in").click()
      await page.waitForURL((url) => url.pathname === `/console/w/1/${name}`)
      await page.getByRole("button", { name: /^Account: the installation/ }).waitFor()
    },
  )
})
