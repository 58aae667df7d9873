import type { CommandOf } from "@inlethq/core/Command"
import { SubjectKey, type Reference } from "@inlethq/core/values/Identifier"
import type { Json } from "@inlethq/core/values/Json"
import { Struct } from "effect"
import { envelope, type Circumstances } from "./commands.ts"

export const createSegment = (
  name: string,
  given: Circumstances & {
    readonly description?: string
    readonly rule?: Json
    readonly announce?: boolean
  } = {},
): CommandOf<"CreateSegment"> => ({
  _tag: "CreateSegment",
  ...envelope(given),
  name,
  description: given.description ?? null,
  rule: given.rule ?? null,
  announce: given.announce ?? false,
})

export const updateSegment = (
  segment: number,
  given: Circumstances &
    Partial<Pick<CommandOf<"UpdateSegment">, "name" | "description" | "rule" | "paused" | "announce">>,
): CommandOf<"UpdateSegment"> => ({
  _tag: "UpdateSegment",
  ...envelope(given),
  segment: SubjectKey.make(segment),
  announce: given.announce ?? false,
  ...Struct.pick(given, ["name", "description", "rule", "paused"]),
})

export const deleteSegment = (segment: number, given: Circumstances = {}): CommandOf<"DeleteSegment"> => ({
  _tag: "DeleteSegment",
  ...envelope(given),
  segment: SubjectKey.make(segment),
})

export const followTime = (person: number, given: Circumstances = {}): CommandOf<"FollowTime"> => ({
  _tag: "FollowTime",
  ...envelope(given),
  source: "system",
  person: SubjectKey.make(person),
})

const changeMembership =
  (action: "add" | "remove") =>
  (
    segment: number,
    people: ReadonlyArray<Reference>,
    given: Circumstances = {},
  ): CommandOf<"ChangeMembership"> => ({
    _tag: "ChangeMembership",
    ...envelope(given),
    segment: SubjectKey.make(segment),
    action,
    people,
  })

export const joinSegment = changeMembership("add")
export const leaveSegment = changeMembership("remove")
