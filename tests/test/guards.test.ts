import { connect } from "node:net"
import { afterAll, describe, expect, it } from "vitest"
import { send, type Answer } from "../src/http.ts"
import { credentials, Inlet } from "../src/Inlet.ts"
import { head } from "../src/RawConnection.ts"

const inlet = await Inlet.start()
afterAll(() => inlet.stop())

const bearer = { authorization: `Bearer ${credentials.token}` }

const get = (path: string): Promise<Answer> => send(inlet.url, { method: "GET", path, headers: bearer })

describe("requests without credentials", () => {
  it("do not keep operators from streams, exports and lists", async () => {
    const host = { host: "inlet.example" }
    const workspace = "/management/v1/workspaces/1"
    const requests = [
      head("GET", "/management/v1/openapi.json", host).repeat(64),
      head("GET", `${workspace}/activity/stream`, host).repeat(200),
      head("GET", `${workspace}/people`, host).repeat(8),
    ]
    const socket = connect({ host: "127.0.0.1", port: inlet.port }).pause()
    socket.write(requests.join(""))
    try {
      for (let n = 0; n < 5; n++) {
        expect((await get(`${workspace}/people`)).status).toBe(200)
        expect((await get(`${workspace}/export/people`)).status).toBe(200)
      }
    } finally {
      socket.destroy()
    }
  })
})
