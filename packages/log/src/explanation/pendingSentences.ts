import type { ActivityDocument } from "@inlethq/contract/activity/ActivityLog"

/** Returns what an event waits for that belongs to nobody yet, as a sentence about it; null if it never joins anybody. */
const awaited = ({ subject: { anonymous_id, email, id } }: ActivityDocument): string | null => {
  if (id !== null) return `a person has the id ${JSON.stringify(id)}`
  if (email !== null) return `a person has the email ${JSON.stringify(email)}`
  return anonymous_id === null
    ? null
    : `a person is identified with the anonymous id ${JSON.stringify(anonymous_id)}`
}

/** Says that an event is stored and what it waits for. `operation` is the event as the beginning of the sentence. */
export const pendingSentence = (entry: ActivityDocument, operation: string): string => {
  const until = awaited(entry)
  return until === null
    ? `${operation} is stored, but it names nobody, so it never joins the activity of a person.`
    : `${operation} is stored and waits until ${until}.`
}

/** What the sender of an event should do that belongs to nobody yet. */
export const pendingAdvice = (entry: ActivityDocument): string => {
  if (awaited(entry) === null)
    return "Send an `anonymous_id`, or the id or email of a person, if the event is somebody's. Otherwise leave it as it is."
  return entry.subject.id === null && entry.subject.email === null
    ? "There is nothing to do. The entry becomes part of a person's activity if they are identified with this anonymous id within 30 days."
    : "There is nothing to do if the person is identified soon, which makes the entry part of their activity. Otherwise correct the identifier."
}
