import { expect, it } from "vitest"
import { Inlet, credentials } from "../../src/Inlet.ts"
import { CommandLine } from "../../src/commandLine.ts"
import { cookieOf, signIn } from "../../src/consoleSession.ts"
import { send } from "../../src/http.ts"

it("inlet sessions lists and revokes sessions of the console", async () => {
  const server = await Inlet.start()
  const inlet = new CommandLine({ INLET_URL: server.url, INLET_MANAGEMENT_TOKEN: credentials.token })
  const cookie = cookieOf(await signIn(server.url, { token: credentials.token }))
  const [line = ""] = await inlet.lines("sessions", "list")
  const [id = "", name, by, rights] = line.split("\t")
  expect([name, by, rights]).toEqual(["the installation's token", "token", "admin all"])
  const isSignedIn = async () =>
    Object((await send(server.url, { method: "GET", path: "/console/session", headers: { cookie } })).json)[
      "signed_in"
    ]
  expect(await isSignedIn()).toBe(true)
  await inlet.lines("sessions", "revoke", id)
  expect(await isSignedIn()).toBe(false)
  expect(await inlet.lines("sessions", "list")).toEqual([])
  expect((await inlet.run(["sessions", "revoke", id])).code).toBe(1)
  await server.stop()
})
