import { describe, it } from "@effect/vitest"
import type { Json } from "@inlethq/core/values/Json"
import { byEmail, first, identify } from "@inlethq/store-conformance/script/commands"
import { createSegment, joinSegment, leaveSegment } from "@inlethq/store-conformance/script/segmentCommands"
import { assertSame, runWhole } from "./whole.ts"

const byEmailOnly = { ...first, identifiers: { id: false, email: true } }
const ann = byEmail("ann@x.org")

type Given = ReadonlyArray<readonly [name: string, value: Json]>

const check = (
  title: string,
  updates: ReadonlyArray<Given>,
  workspace: typeof first,
  leaves: boolean,
): void =>
  it(title, () => {
    const given = { in: workspace }
    const { subjects, written } = runWhole([
      createSegment("VIP", given),
      ...updates.map((set) => identify(ann, set, given)),
      joinSegment(1, [ann], given),
      leaveSegment(1, [ann], given),
    ])
    const [person] = [...subjects.values()].filter((subject) => subject._tag === "Person")
    assertSame(person?.segments, leaves ? [] : [1])
    assertSame(written.entries.at(-1)?.data, {
      segment_id: 1,
      ids_applied: leaves ? 1 : 0,
      ids_ignored: leaves ? 0 : 1,
    })
  })

describe("leaving a segment in a workspace that does not identify people by id", () => {
  check("a person with an attribute named id is removed", [[["id", "1"]]], byEmailOnly, true)
  check("a person with any value of the attribute id is removed", [[["id", 0]]], byEmailOnly, true)
  check("a person without the attribute id is ignored", [[["plan", "pro"]]], byEmailOnly, false)
  check(
    "a person is ignored after the attribute id was removed",
    [[["id", "1"]], [["id", null]]],
    byEmailOnly,
    false,
  )
  check(
    "the attribute id means nothing in a workspace that identifies people by id",
    [[["id", "1"]]],
    first,
    false,
  )
})
