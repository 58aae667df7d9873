import { describe, it } from "@effect/vitest"
import { noAttributes, personAttributesToJson } from "@inlethq/core/state/Attributes"
import { preferencesOf } from "@inlethq/core/state/storedPreferences"
import type { Command } from "@inlethq/core/Command"
import { defaultLimits } from "@inlethq/core/workspace/Limits"
import {
  byAnonymousId,
  byEmail,
  byId,
  identify,
  identifyObject,
  merge,
  noon,
  objectOf,
  register,
  relatePeople,
  remove,
  report,
  submitForm,
  unrelatePeople,
  unsubscribe,
} from "@inlethq/store-conformance/script/commands"
import { assertSame, runWhole } from "./whole.ts"

const outcomes = (commands: ReadonlyArray<Command>) =>
  runWhole(commands).written.entries.map(({ outcome }) => outcome)

const times = <A>(count: number, f: (index: number) => A) => Array.from({ length: count }, (_, n) => f(n))

const known = (id: string, count: number) =>
  times(count, (n) => identify(byId(id), [], { anonymousId: `${id}-${n}` }))

describe("limits and existing data", () => {
  it("contract §5: a form submission does not set identifiers that are too long", () => {
    const long = "x".repeat(151)
    const { subjects, written } = runWhole([
      submitForm("f", Object.entries({ id: long })),
      submitForm("f", Object.entries({ id: "1", anonymous_id: long })),
      submitForm("f", Object.entries({ email: `${"x".repeat(1000)}@x.org` })),
      submitForm("f", Object.entries({ id: "x".repeat(150) })),
    ])
    assertSame(
      written.entries.map(({ outcome }) => outcome),
      ["rejected", "rejected", "rejected", "created"],
    )
    assertSame([...subjects.values()].filter(({ _tag }) => _tag === "Person").length, 1)
  })

  it("contract §6: a form submission sets no invalid created_at and no reserved names", () => {
    const fields = { id: "1", created_at: "yesterday", _update: "true", svc_subscription_preferences: "no" }
    const { subjects } = runWhole([submitForm("f", Object.entries({ ...fields, plan: "pro" }))])
    const person = [...subjects.values()].find(({ _tag }) => _tag === "Person")
    assertSame(person?._tag === "Person" ? [...person.attributes.keys()] : [], ["plan"])
  })

  it("contract §5 merged limits: a merge may give a person up to twice the limit of anonymous ids, and a merge that would exceed this number is dropped", () => {
    const max = defaultLimits.identifiersPerPersonMax
    const merged = [...known("a", max), ...known("b", max), merge(byId("a"), byId("b"))]
    const another = identify(byId("a"), [], { anonymousId: "another" })
    const third = [identify(byId("c"), [], { anonymousId: "c-0" }), merge(byId("a"), byId("c"))]
    assertSame(outcomes([...merged, another, ...third]).slice(-4), [
      "applied",
      "partial",
      "created",
      "dropped",
    ])
  })

  it("contract §11: an unsubscribe wins over updates that arrived earlier with a later timestamp", () => {
    const { subjects, written } = runWhole([
      identify(byId("a"), [["unsubscribed", false]], { at: noon + 1e12 }),
      register("d", byId("a")),
      unsubscribe("d"),
    ])
    const person = [...subjects.values()].find(({ _tag }) => _tag === "Person")
    assertSame(person?._tag === "Person" && person.attributes.get("unsubscribed")?.value, true)
    assertSame(written.entries.at(-1)?.changes, [{ path: "unsubscribed", from: false, to: true }])
  })

  it("the log entry about an object contains people by their svc_id and visitors by their anonymous id", () => {
    const acme = objectOf("1", "acme")
    const people = [byId("ann"), byAnonymousId("secret"), byAnonymousId("secret"), byAnonymousId("other")]
    const related = people.map((person) => [person] as const)
    const { written } = runWhole([
      identifyObject(acme, [], related),
      relatePeople(acme, related),
      unrelatePeople(acme, related),
      identify(byId("ann"), [], { anonymousId: "secret" }),
      relatePeople(acme, related),
    ])
    const shown = written.entries
      .filter(({ parts }) => parts.length > 0)
      .map(({ parts }) => parts.map(({ anonymousId, subject }) => anonymousId ?? Number(subject)))
    const everybody = [2, "secret", "secret", "other"]
    assertSame(shown, [everybody, everybody, [2, "secret", "other"], [2, 2, 2, "other"]])
  })

  it("subscription preferences that are not an object are left out, and the rest of the call is applied", () => {
    const topics = { t1: true }
    const { subjects, written } = runWhole([
      identify(byId("a"), [["svc_subscription_preferences", { topics }]]),
      identify(byId("a"), [
        ["svc_subscription_preferences", "x"],
        ["plan", "pro"],
      ]),
    ])
    const person = [...subjects.values()].find(({ _tag }) => _tag === "Person")
    const attributes = person?._tag === "Person" ? person.attributes : noAttributes
    assertSame([preferencesOf(attributes), personAttributesToJson(attributes)], [{ topics }, { plan: "pro" }])
    const last = written.entries.at(-1)
    assertSame(
      [last?.outcome, last?.reasons],
      ["partial", [{ code: "preferences_not_object", field: "svc_subscription_preferences", values: {} }]],
    )
  })

  it("contract §6: a report about a message to a deleted person contains no data about the person", () => {
    const { written } = runWhole([
      identify(byEmail("ann@x.org")),
      register("d", byEmail("ann@x.org"), { recipient: "ann@x.org", subject: "Dear Ann" }),
      remove(byEmail("ann@x.org")),
      report("d", "bounced", {
        recipient: "ann@x.org",
        deviceToken: "phone",
        href: "https://x.org/?ann",
        actionName: "ann-1",
        actionValue: "ann-2",
      }),
    ])
    assertSame(/ann|phone/i.test(JSON.stringify(written.entries.at(-1))), false)
  })

  it("a delivery report contains the name of the action that was clicked in an in-app message", () => {
    const { written } = runWhole([
      register("d", null, {}),
      report("d", "clicked", { actionName: "dismiss", actionValue: "later" }),
      report("d", "clicked"),
    ])
    const [told, untold] = written.entries.slice(1).map(({ data }) => JSON.stringify(data))
    assertSame(told?.includes('"action_name":"dismiss","action_value":"later"'), true)
    assertSame(untold?.includes("action_"), false)
  })
})
