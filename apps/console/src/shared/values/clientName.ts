/** Browsers by the product token that only they send, most particular first. */
const browsers: ReadonlyArray<readonly [name: string, token: RegExp]> = [
  ["Edge", /\bEdg(?:e|A|iOS)?\/(\d+)/],
  ["Opera", /\bOPR\/(\d+)/],
  ["Firefox", /\b(?:Firefox|FxiOS)\/(\d+)/],
  ["Chrome", /\b(?:Chrome|CriOS|HeadlessChrome)\/(\d+)/],
  ["Safari", /\bVersion\/(\d+)\S* (?:\S+ )?Safari\//],
]

/**
 * Returns the part of a user agent by which a client is known, such as "customerio-node/5.2.0" or "Chrome 131". A browser
 * says little more than its version, and a bot is named after "compatible".
 */
export const clientName = (userAgent: string): string => {
  const bot = /\(compatible; ([^;)\s]+)/.exec(userAgent)?.[1]
  if (bot !== undefined) return bot
  if (userAgent.startsWith("Mozilla/")) {
    for (const [name, token] of browsers) {
      const version = token.exec(userAgent)?.[1]
      if (version !== undefined) return `${name} ${version}`
    }
  }
  return userAgent.trim().split(/\s/, 1)[0] ?? ""
}
