import { assert, describe, it } from "@effect/vitest"
import type { Command } from "@inlet/core/Command"
import { by, bySvcId, identify, remove } from "./commands.ts"
import { runWhole, visiblePeople } from "./harness.ts"

const one = by("id", "1")
const two = by("id", "2")
const ann = by("email", "ann@x.org")

const outcomesOf = (commands: ReadonlyArray<Command>) =>
  runWhole(commands).written.entries.map(({ outcome }) => outcome)

/** The people as `id email`, with `-` where there is none. */
const peopleOf = (commands: ReadonlyArray<Command>) =>
  visiblePeople(runWhole(commands)).map(({ id, email }) => `${id ?? "-"} ${email ?? "-"}`)

interface Row {
  readonly says: string
  readonly commands: ReadonlyArray<Command>
  readonly outcomes: ReadonlyArray<string>
  readonly people: ReadonlyArray<string>
}

const rows: ReadonlyArray<Row> = [
  {
    says: "rule 1: identifiers that belong to nobody add a person",
    commands: [identify(one, { email: "ann@x.org" })],
    outcomes: ["created"],
    people: ["1 ann@x.org"],
  },
  {
    says: "rule 2: the person of the path is updated",
    commands: [identify(one), identify(one, { set: { a: 1 } })],
    outcomes: ["created", "applied"],
    people: ["1 -"],
  },
  {
    says: "rule 3: the person of the body receives a path identifier of a kind that it lacks",
    commands: [identify(ann), identify(one, { email: "ann@x.org" })],
    outcomes: ["created", "applied"],
    people: ["1 ann@x.org"],
  },
  {
    says: "rule 3: a person of the body with another id is somebody else, and the path's person is created",
    commands: [identify(one, { email: "ann@x.org" }), identify(two, { email: "ann@x.org" })],
    outcomes: ["created", "partial"],
    people: ["1 ann@x.org", "2 -"],
  },
  {
    says: "rule 4: a body identifier of another person fails, the rest applies",
    commands: [identify(one), identify(ann), identify(one, { email: "ann@x.org" })],
    outcomes: ["created", "created", "partial"],
    people: ["1 -", "- ann@x.org"],
  },
  {
    says: "rule 5: addressed by svc_id, identifiers change",
    commands: [identify(one, { email: "ann@x.org" }), identify(bySvcId(1), { id: "2", email: "bob@x.org" })],
    outcomes: ["created", "applied"],
    people: ["2 bob@x.org"],
  },
  {
    says: "rule 5: an unknown svc_id is dropped",
    commands: [identify(bySvcId(7), { id: "2" })],
    outcomes: ["dropped"],
    people: [],
  },
  {
    says: "rule 5: the svc_id of a deleted person is dropped",
    commands: [identify(one), remove(one), identify(bySvcId(1), { id: "2" })],
    outcomes: ["created", "applied", "dropped"],
    people: [],
  },
  {
    says: "rule 5: an identifier of another person fails",
    commands: [identify(one), identify(two), identify(bySvcId(1), { id: "2" })],
    outcomes: ["created", "created", "partial"],
    people: ["1 -", "2 -"],
  },
  {
    says: "an identifier that is set changes by svc_id only",
    commands: [identify(one, { email: "ann@x.org" }), identify(one, { email: "bob@x.org" })],
    outcomes: ["created", "partial"],
    people: ["1 ann@x.org"],
  },
  {
    says: "an email changes by id where the workspace allows it",
    commands: [
      identify(one, { email: "ann@x.org" }),
      identify(one, { email: "bob@x.org", settings: { emailUpdateById: true } }),
      identify(ann),
    ],
    outcomes: ["created", "applied", "created"],
    people: ["1 bob@x.org", "- ann@x.org"],
  },
  {
    says: "path and body of the same kind that differ: the path wins",
    commands: [identify(one, { id: "2" }), identify(ann, { email: "bob@x.org" })],
    outcomes: ["partial", "partial"],
    people: ["1 -", "- ann@x.org"],
  },
  {
    says: "path and body of the same kind that agree are one",
    commands: [identify(one, { id: "1" }), identify(ann, { email: "ann@x.org" })],
    outcomes: ["created", "created"],
    people: ["1 -", "- ann@x.org"],
  },
  {
    says: "emails that differ in case only are the same",
    commands: [identify(ann), identify(by("email", "ANN@x.org"), { set: { a: 1 } })],
    outcomes: ["created", "applied"],
    people: ["- ann@x.org"],
  },
  {
    says: "an email in path and body that differs in case only does not differ (new person)",
    commands: [identify(by("email", "Ann@X.org"), { email: "ann@x.org" })],
    outcomes: ["created"],
    people: ["- Ann@X.org"],
  },
  {
    says: "an email in path and body that differs in case only does not differ (rule 3)",
    commands: [identify(one), identify(by("email", "Ann@X.org"), { id: "1", email: "ann@x.org" })],
    outcomes: ["created", "applied"],
    people: ["1 Ann@X.org"],
  },
  {
    says: "an email is stored as given when its person is addressed by svc_id",
    commands: [identify(ann), identify(bySvcId(1), { email: "Ann@X.org" })],
    outcomes: ["created", "applied"],
    people: ["- Ann@X.org"],
  },
  {
    says: "_update creates nobody",
    commands: [identify(one, { updateOnly: true, email: "ann@x.org" })],
    outcomes: ["dropped"],
    people: [],
  },
  {
    says: "_update creates nobody in the place of somebody else either (rule 4)",
    commands: [
      identify(one, { email: "ann@x.org" }),
      identify(two, { updateOnly: true, email: "ann@x.org" }),
    ],
    outcomes: ["created", "dropped"],
    people: ["1 ann@x.org"],
  },
  {
    says: "a bare text names whoever carries it as id, though it looks like an email",
    commands: [
      identify(by("id", "ann@x.org")),
      identify(ann),
      identify({ _tag: "ByBareText", value: "ann@x.org", otherwise: ann }, { id: "9" }),
    ],
    outcomes: ["created", "created", "partial"],
    people: ["ann@x.org -", "- ann@x.org"],
  },
  {
    says: "a delete frees identifiers, and the next identify starts a new person",
    commands: [identify(one, { email: "ann@x.org" }), remove(ann), identify(one), identify(ann)],
    outcomes: ["created", "applied", "created", "created"],
    people: ["1 -", "- ann@x.org"],
  },
  {
    says: "a delete of nobody is dropped",
    commands: [remove(one), remove(bySvcId(3))],
    outcomes: ["dropped", "dropped"],
    people: [],
  },
]

describe("identify and delete", () => {
  it.each(rows)("$says", ({ commands, outcomes, people }) => {
    assert.deepStrictEqual(outcomesOf(commands), outcomes)
    assert.deepStrictEqual(peopleOf(commands), people)
  })
})
