import { assert, describe, it } from "@effect/vitest"
import type { Command } from "@inlethq/core/Command"
import { by, bySvcId, identify, remove } from "./commands.ts"
import { runWhole, visiblePeople } from "./harness.ts"

const one = by("id", "1")
const two = by("id", "2")
const ann = by("email", "ann@x.org")

const outcomesOf = (commands: ReadonlyArray<Command>) =>
  runWhole(commands).written.entries.map(({ outcome }) => outcome)

/** Returns each person as the text `id email`, with `-` in place of a missing value. */
const peopleOf = (commands: ReadonlyArray<Command>) =>
  visiblePeople(runWhole(commands)).map(({ id, email }) => `${id ?? "-"} ${email ?? "-"}`)

interface Row {
  readonly commands: ReadonlyArray<Command>
  readonly outcomes: ReadonlyArray<string>
  readonly people: ReadonlyArray<string>
}

const check = (title: string, { commands, outcomes, people }: Row): void =>
  it(title, () => {
    assert.deepStrictEqual(outcomesOf(commands), outcomes)
    assert.deepStrictEqual(peopleOf(commands), people)
  })

describe("identify by the rules of track-api §2.1, and delete", () => {
  check("rule 1: unknown identifiers create a person", {
    commands: [identify(one, { email: "ann@x.org" })],
    outcomes: ["created"],
    people: ["1 ann@x.org"],
  })
  check("rule 2: the person with the path's identifier is updated", {
    commands: [identify(one), identify(one, { set: { a: 1 } })],
    outcomes: ["created", "applied"],
    people: ["1 -"],
  })
  check(
    "rule 3: the person with the body's identifier receives the path's identifier if they have no identifier of that kind",
    {
      commands: [identify(ann), identify(one, { email: "ann@x.org" })],
      outcomes: ["created", "applied"],
      people: ["1 ann@x.org"],
    },
  )
  check(
    "rule 3: if the person with the body's email has another id, a new person is created for the path's id",
    {
      commands: [identify(one, { email: "ann@x.org" }), identify(two, { email: "ann@x.org" })],
      outcomes: ["created", "partial"],
      people: ["1 ann@x.org", "2 -"],
    },
  )
  check("rule 4: a body identifier of another person is refused and the rest is applied", {
    commands: [identify(one), identify(ann), identify(one, { email: "ann@x.org" })],
    outcomes: ["created", "created", "partial"],
    people: ["1 -", "- ann@x.org"],
  })
  check("rule 5: a request by svc_id can change the identifiers of a person", {
    commands: [identify(one, { email: "ann@x.org" }), identify(bySvcId(1), { id: "2", email: "bob@x.org" })],
    outcomes: ["created", "applied"],
    people: ["2 bob@x.org"],
  })
  check("rule 5: an identify with an unknown svc_id is dropped", {
    commands: [identify(bySvcId(7), { id: "2" })],
    outcomes: ["dropped"],
    people: [],
  })
  check("rule 5: an identify with the svc_id of a deleted person is dropped", {
    commands: [identify(one), remove(one), identify(bySvcId(1), { id: "2" })],
    outcomes: ["created", "applied", "dropped"],
    people: [],
  })
  check("rule 5: a request by svc_id cannot assign an identifier of another person", {
    commands: [identify(one), identify(two), identify(bySvcId(1), { id: "2" })],
    outcomes: ["created", "created", "partial"],
    people: ["1 -", "2 -"],
  })
  check("a stored identifier changes only if the person is addressed by svc_id", {
    commands: [identify(one, { email: "ann@x.org" }), identify(one, { email: "bob@x.org" })],
    outcomes: ["created", "partial"],
    people: ["1 ann@x.org"],
  })
  check("a request by id can change the email if the workspace allows it", {
    commands: [
      identify(one, { email: "ann@x.org" }),
      identify(one, { email: "bob@x.org", settings: { emailUpdateById: true } }),
      identify(ann),
    ],
    outcomes: ["created", "applied", "created"],
    people: ["1 bob@x.org", "- ann@x.org"],
  })
  check("the path's identifier wins over a different identifier of the same kind in the body", {
    commands: [identify(one, { id: "2" }), identify(ann, { email: "bob@x.org" })],
    outcomes: ["partial", "partial"],
    people: ["1 -", "- ann@x.org"],
  })
  check("equal identifiers in path and body count as one identifier", {
    commands: [identify(one, { id: "1" }), identify(ann, { email: "ann@x.org" })],
    outcomes: ["created", "created"],
    people: ["1 -", "- ann@x.org"],
  })
  check("emails that differ only in case are the same", {
    commands: [identify(ann), identify(by("email", "ANN@x.org"), { set: { a: 1 } })],
    outcomes: ["created", "applied"],
    people: ["- ann@x.org"],
  })
  check("emails in path and body that differ only in case are the same for a new person", {
    commands: [identify(by("email", "Ann@X.org"), { email: "ann@x.org" })],
    outcomes: ["created"],
    people: ["- Ann@X.org"],
  })
  check("emails in path and body that differ only in case are the same under rule 3", {
    commands: [identify(one), identify(by("email", "Ann@X.org"), { id: "1", email: "ann@x.org" })],
    outcomes: ["created", "applied"],
    people: ["1 Ann@X.org"],
  })
  check("a request by svc_id changes the case in which an email is stored", {
    commands: [identify(ann), identify(bySvcId(1), { email: "Ann@X.org" })],
    outcomes: ["created", "applied"],
    people: ["- Ann@X.org"],
  })
  check("_update does not create a person", {
    commands: [identify(one, { updateOnly: true, email: "ann@x.org" })],
    outcomes: ["dropped"],
    people: [],
  })
  check("_update does not create a person if the body's identifier belongs to another person (rule 4)", {
    commands: [
      identify(one, { email: "ann@x.org" }),
      identify(two, { updateOnly: true, email: "ann@x.org" }),
    ],
    outcomes: ["created", "dropped"],
    people: ["1 ann@x.org"],
  })
  check("a text that looks like an email names the person who has it as id", {
    commands: [
      identify(by("id", "ann@x.org")),
      identify(ann),
      identify({ _tag: "ByBareText", value: "ann@x.org", otherwise: ann }, { id: "9" }),
    ],
    outcomes: ["created", "created", "partial"],
    people: ["ann@x.org -", "- ann@x.org"],
  })
  check("deleting a person frees their identifiers, and the next identify creates a new person", {
    commands: [identify(one, { email: "ann@x.org" }), remove(ann), identify(one), identify(ann)],
    outcomes: ["created", "applied", "created", "created"],
    people: ["1 -", "- ann@x.org"],
  })
  check("deleting an unknown person is dropped", {
    commands: [remove(one), remove(bySvcId(3))],
    outcomes: ["dropped", "dropped"],
    people: [],
  })
})
