import type { UnmergePreviewDocument } from "@inlethq/contract/people/MergePreview"
import type { PersonDocument } from "@inlethq/contract/people/People"

/** Whether the events are divided, and whether the sentences say what has happened or what would happen. */
interface Undoing {
  readonly isDivided: boolean
  readonly isDone: boolean
}

type Preview = Pick<UnmergePreviewDocument, "after" | "events">

/**
 * Says who is who again once a merge is undone, and which events go where. Each person is named by an identifier of their
 * own. Says nothing if the merge cannot be undone.
 */
export const unmergeSentences = (
  { after, events }: Preview,
  { isDivided, isDone }: Undoing,
): ReadonlyArray<string> => {
  if (after === null || events === null) return []
  const [stays, returns] = [nameOf(after.primary), nameOf(after.secondary)]
  const { before, complete, named, others } = events
  const goes = (count: number, to: "primary" | "secondary"): string =>
    to === "secondary"
      ? `${verb(isDone, count, ["go", "goes", "went"])} back to ${returns}`
      : `${verb(isDone, count, ["stay", "stays", "stayed"])} with ${stays}`
  const sentences = [`${returns} ${isDone ? "is" : "becomes"} a person again, and ${stays} stays.`]
  if (before.count > 0) {
    sentences.push(`${counted(before.count)} from before the merge ${goes(before.count, before.to)}.`)
  }
  if (named.count > 0) {
    const to = isDivided ? named.to_divided : named.to
    sentences.push(
      `${counted(named.count)} since the merge named ${stays} by an identifier of ${returns}, and ${goes(named.count, to)}.`,
    )
    if (!isDone) sentences.push(otherwise(named.count, isDivided, { returns, stays }))
  }
  if (others.count > 0) {
    sentences.push(`${counted(others.count, "other ")} since the merge ${goes(others.count, others.to)}.`)
  }
  if (!complete) {
    sentences.push(`${stays} has more entries than were looked at, so there may be more events.`)
  }
  return sentences
}

/** Says what would happen the other way. */
const otherwise = (
  count: number,
  isDivided: boolean,
  { returns, stays }: { readonly returns: string; readonly stays: string },
): string => {
  const they = count === 1 ? "it" : "they"
  return isDivided
    ? `Undivided, ${they} would stay with ${stays}.`
    : `Divided, ${they} would go back to ${returns}.`
}

type Forms = readonly [many: string, one: string, past: string]

const verb = (isDone: boolean, count: number, [many, one, past]: Forms): string =>
  isDone ? past : count === 1 ? one : many

const counted = (count: number, other = ""): string => `${count} ${other}${count === 1 ? "event" : "events"}`

const nameOf = ({ email, id, svc_id }: PersonDocument): string => id ?? email ?? svc_id
