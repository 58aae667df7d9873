import { describe, expect, it } from "vitest"
import { clientName } from "../src/shared/values/clientName.ts"

const webkit = "AppleWebKit/537.36 (KHTML, like Gecko)"

describe("the name of a client", () => {
  it.each([
    ["customerio-node/5.2.0", "customerio-node/5.2.0"],
    ["billing-sync/1.8 (python-requests 2.32)", "billing-sync/1.8"],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/131.0.0.0 Safari/537.36`, "Chrome 131"],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/131.0 Safari/537.36 Edg/131.0`, "Edge 131"],
    ["Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0", "Firefox 133"],
    [
      `Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) ${webkit} Version/19.1 Mobile/15E148 Safari/604.1`,
      "Safari 19",
    ],
    ["Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", "Googlebot/2.1"],
    ["Mozilla/5.0", "Mozilla/5.0"],
    ["", ""],
  ])("of %s is %s", (userAgent, name) => expect(clientName(userAgent)).toBe(name))
})
