import { assert, describe, it } from "@effect/vitest"
import type { Json } from "@inlethq/core/values/Json"
import { contextFields } from "../src/rule/contextKeys.ts"
import { refuses } from "./refusesRule.ts"
import { bought, decoded } from "./ruleExamples.ts"

/** Bought, with a value at the field. */
const withField = (field: string): Json => bought({ where: [{ field, operator: "exists" }] })

describe("a field in the context of the call of an event", () => {
  for (const field of [
    "context.page.path",
    "context.userAgent",
    "context.campaign.source",
    "context.pages.path",
    "context.page.section",
    "context.__proto__",
    "context.constructor.name",
    "context.my_own.key",
    "context",
    "contexts.page.url",
  ]) {
    it(`may be ${field}`, () => void decoded(withField(field)))
  }

  it("may be each that is offered", () => {
    assert.include(contextFields, "context.page.path")
    assert.notInclude(contextFields, "context.traits")
    for (const field of contextFields) decoded(withField(field))
  })

  it("is not checked in rules about anything else", () => {
    const slip = [{ field: "context.user_agent", operator: "exists" }]
    decoded({ attribute: slip[0] ?? null })
    decoded({ form: { id: "f", where: slip } })
    decoded({ device: { where: slip } })
  })

  const slips: ReadonlyArray<readonly [field: string, meant: string]> = [
    ["context.user_agent", "context.userAgent"],
    ["context.Page.url", "context.page.url"],
    ["context.pgae.url", "context.page.url"],
    ["context.page.URL", "context.page.url"],
    ["context.page.referer", "context.page.referrer"],
    ["context.url", "context.page.url"],
    ["context.utm_source", "context.campaign.source"],
    ["context.campaign.utm_source", "context.campaign.source"],
    ["context.timeZone", "context.timezone"],
  ]
  for (const [field, meant] of slips) {
    refuses(
      `${field} for ${meant}`,
      withField(field),
      "/event/where/0/field",
      `unknown field "${field}"; did you mean \`${meant}\`?`,
    )
  }
  const nothing = "must name a value in the context, such as `context.page.path`"
  refuses("no key after the root", withField("context."), "/event/where/0/field", nothing)
  refuses("an empty key", withField("context.page..url"), "/event/where/0/field", nothing)
})
