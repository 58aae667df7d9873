import type { RunningServer } from "../http.ts"
import { pipelines } from "../ingestion.ts"

const origin = "https://shop.example.com"

/** What the browser library tells of a page. */
const browserOn = (path: string, title: string, search = ""): object => ({
  page: { path, search, title, url: `${origin}${path}${search}`, referrer: "https://www.example.org/launch" },
  campaign: search === "" ? undefined : { name: "spring", source: "newsletter", medium: "email" },
  userAgent:
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Safari/537.36",
  locale: "de-DE",
  timezone: "Europe/Berlin",
  ip: "203.0.113.7",
  library: { name: "analytics.js", version: "next-1.70.0" },
  screen: { width: 1440, height: 900, density: 2 },
})

const phone = {
  app: { name: "Acme Shop", version: "4.2.0", build: "417", namespace: "com.example.shop" },
  device: { manufacturer: "Apple", model: "iPhone15,2", type: "ios" },
  os: { name: "iOS", version: "17.0" },
  network: { wifi: true, cellular: false, bluetooth: false },
  screen: { width: 393, height: 852 },
  locale: "en-US",
  timezone: "Europe/Berlin",
  ip: "203.0.113.9",
  library: { name: "analytics-swift", version: "1.7.3" },
}

/** Sends calls of a browser and of an app, which say where they came from. */
export const sendVisits = async (inlet: RunningServer): Promise<void> => {
  const pricing = browserOn("/pricing", "Pricing", "?utm_source=newsletter&utm_campaign=spring")
  const checkout = browserOn("/products/winter/jackets/checkout", "Check out")
  for (const [path, call] of [
    ["/v1/screen", { userId: "eve", name: "Basket", context: phone }],
    ["/v1/track", { userId: "ada", event: "basket_opened", context: checkout }],
    ["/v1/page", { userId: "ada", name: "/pricing", context: pricing }],
    [
      "/v1/track",
      {
        userId: "ada",
        event: "plan_chosen",
        properties: { plan: "team", seats: 12 },
        context: pricing,
        integrations: { All: true, Warehouse: false },
      },
    ],
  ] as const) {
    await pipelines(inlet, path, call)
  }
}
