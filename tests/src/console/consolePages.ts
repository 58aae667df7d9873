/** The pages of the console by name, as paths below `/console`. */
export const consolePages: Readonly<Record<string, string>> = {
  start: "/w/1/start",
  live: "/w/1/live",
  people: "/w/1/people",
  objects: "/w/1/objects",
  segments: "/w/1/segments",
  forms: "/w/1/forms",
  deliveries: "/w/1/deliveries",
  imports: "/w/1/imports",
  webhooks: "/w/1/webhooks",
  lake: "/w/1/lake",
  erasures: "/w/1/erasures",
  keys: "/w/1/keys",
  tokens: "/w/1/tokens",
  audit: "/w/1/audit",
  settings: "/w/1/settings",
  health: "/w/1/health",
}
