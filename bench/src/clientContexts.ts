import { random, same } from "./Template.ts"

/** The context that the browser library sends, with the keys and sizes of recorded calls. A hundred user agents take turns. */
export const browserContext = (): object => {
  const major = `1${random(2)}`
  const path = `/products/winter-${random(3)}`
  const search = "?utm_source=newsletter&utm_medium=email&utm_campaign=winter-sale&utm_content=hero"
  return {
    page: {
      path,
      referrer: "https://www.google.com/",
      search,
      title: "Winter jackets and coats | Example Shop",
      url: `https://shop.example.com${path}${search}`,
    },
    userAgent: `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${major}.0.0.0 Safari/537.36`,
    userAgentData: {
      brands: [
        { brand: "Not;A=Brand", version: "99" },
        { brand: "Google Chrome", version: "139" },
        { brand: "Chromium", version: "139" },
      ],
      mobile: false,
      platform: "macOS",
    },
    locale: "en-US",
    library: { name: "analytics.js", version: "npm:next-0.3.10" },
    timezone: "Europe/Berlin",
    campaign: { source: "newsletter", medium: "email", name: "winter-sale", content: "hero" },
  }
}

/** The context that the library of an iOS app sends, with the keys and sizes of recorded calls. Its device is the person's own. */
export const appContext = (): object => ({
  app: { build: "417", name: "Example Shop", namespace: "com.example.shop", version: `4.${random(2)}.0` },
  device: {
    id: `6F9619FF-8B86-D011-B42D-${same}AB`,
    manufacturer: "Apple",
    model: "iPhone15,2",
    name: "iPhone",
    type: "ios",
    token: `${"c0ffee5a1d".repeat(5)}${same}0000`,
  },
  instanceId: `5D2C3F1A-1111-4222-8333-${random(10)}AB`,
  ip: `203.0.113.1${random(2)}`,
  library: { name: "analytics-swift", version: "1.7.3" },
  locale: "en-US",
  network: { bluetooth: false, cellular: false, wifi: true },
  os: { name: "iOS", version: "17.0" },
  screen: { height: 852, width: 393 },
  timezone: "Europe/Berlin",
  userAgent: "Customer.io iOS Client/3.0.0",
})
