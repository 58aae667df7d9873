import { isbot } from "isbot"

/** The largest number of user agents that are remembered, each with whether it is a bot's. Beyond that, all are forgotten. */
const userAgentsKnownMax = 4096

/** The most characters of a user agent that are looked at. Those of bots say so early on. */
const userAgentLookedAtMax = 512

const known = new Map<string, boolean>()

/** Returns whether a user agent is that of a bot, by the list of the package `isbot`. The answer depends on nothing else. */
export const isBot = (userAgent: string): boolean => {
  const text = userAgent.slice(0, userAgentLookedAtMax)
  const found = known.get(text)
  if (found !== undefined) return found
  const is = isbot(text)
  if (known.size >= userAgentsKnownMax) known.clear()
  known.set(text, is)
  return is
}
