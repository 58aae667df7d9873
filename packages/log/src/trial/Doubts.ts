import type { Command } from "@inlethq/core/Command"
import { targetsOf } from "@inlethq/core/CommandTable"
import { resolvePerson } from "@inlethq/core/decision/resolvePerson"
import { currentPersonOf } from "@inlethq/core/fold/WorkingSet"
import { lookupTextsOf } from "@inlethq/core/state/lookupTexts"
import type { Person } from "@inlethq/core/state/Person"
import { identifierText, type Identifier, type SubjectKey } from "@inlethq/core/values/Identifier"
import { exceedsBytes } from "@inlethq/core/values/Json"
import { isPlaceholder } from "@inlethq/core/values/placeholder"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import type { TrialWorld } from "./TrialWorld.ts"

/** The most people and objects about whom nothing can be said, and names of theirs. Beyond them, the trial ends. */
const doubtfulMax = 500_000

/**
 * About whom a trial can say nothing: what an undecidable call would have done with them in the tried world is not known, nor is
 * what follows from it.
 */
export class Doubts {
  private readonly now: TrialWorld
  private readonly tried: TrialWorld
  private readonly doubtful = new Set<SubjectKey>()
  /** The lookup texts that they had when they became doubtful, which may still lead to them in the tried world. */
  private readonly texts = new Set<string>()
  /** Who has an identifier in the tried world that leads to nobody or to somebody else now. */
  private readonly ahead = new Set<SubjectKey>()

  constructor(now: TrialWorld, tried: TrialWorld) {
    this.now = now
    this.tried = tried
  }

  get isFull(): boolean {
    return this.doubtful.size + this.texts.size > doubtfulMax
  }

  /** `texts` are those that had led to them. */
  add(key: SubjectKey, texts: Iterable<string> = this.textsOf([key])): void {
    this.doubtful.add(key)
    for (const text of texts) this.texts.add(text)
  }

  /** Returns the lookup texts that lead to subjects in both worlds. */
  textsOf(keys: Iterable<SubjectKey>): ReadonlyArray<string> {
    const found: Array<string> = []
    for (const key of keys) {
      for (const { state } of [this.now, this.tried]) {
        const subject = state.subjects.get(key)
        if (subject !== undefined) found.push(...lookupTextsOf(subject))
      }
    }
    return found
  }

  /** Returns to whom else the names that somebody has now lead in the tried world. */
  ledTo(key: SubjectKey): ReadonlyArray<SubjectKey> {
    const subject = this.now.state.subjects.get(key)
    if (subject === undefined) return []
    const found = lookupTextsOf(subject).flatMap((text) => leadsTo(this.tried, text) ?? [])
    return found.filter((other) => other !== key)
  }

  has(keys: Iterable<SubjectKey>): boolean {
    if (this.doubtful.size === 0) return false
    for (const key of keys) if (this.doubtful.has(key)) return true
    return false
  }

  /** Whether lookup texts lead to somebody of them in the tried world. */
  lead(texts: Iterable<string>): boolean {
    if (this.doubtful.size === 0) return false
    for (const text of texts) {
      const key = leadsTo(this.tried, text)
      if (this.texts.has(text) || (key !== undefined && this.doubtful.has(key))) return true
    }
    return false
  }

  /** Notes that a subject was written in one of the worlds. */
  written(key: SubjectKey): void {
    const subject = this.tried.state.subjects.get(key)
    const { identifiers } = this.now.state
    if (subject !== undefined && lookupTextsOf(subject).some((text) => identifiers.get(text) !== key))
      this.ahead.add(key)
    else this.ahead.delete(key)
  }

  /** Notes that a subject was deleted in both worlds. */
  deleted(key: SubjectKey): void {
    this.ahead.delete(key)
    this.doubtful.delete(key)
  }

  /**
   * Notes a call that had no effect, and whose content is not kept. It named nobody, or somebody without effect. In the tried world
   * the same names can lead to whoever has other ones there.
   */
  passedOver(): void {
    for (const key of this.ahead) this.add(key)
    this.ahead.clear()
  }
}

/** Returns whom a lookup text leads to in a world, once merges are followed. */
const leadsTo = ({ state }: TrialWorld, text: string): SubjectKey | undefined => {
  const key = state.identifiers.get(text)
  const subject = key === undefined ? undefined : state.subjects.get(key)
  return subject === undefined ? key : (currentPersonOf(state.subjects, subject)?.key ?? key)
}

/**
 * Returns the people whom a command names now by an identifier of which the entry does not say that it is the one that was used. The
 * people of an object are kept as the call named them.
 */
export const namedBy = (command: Command, { state }: TrialWorld): ReadonlyArray<Person> =>
  command._tag === "IdentifyObject" || command._tag === "ChangeObjectRelationships"
    ? []
    : targetsOf(command).flatMap((reference) => {
        const found = resolvePerson(state, reference)
        return found._tag === "KnownPerson" ? [found.person] : []
      })

/**
 * Returns whether it matters by which identifier a call named somebody who has several: in the tried world they lead to different
 * people or to nobody, or are refused.
 */
export const isAmbiguous = ({ anonymousIds, email, id }: Person, tried: TrialWorld): boolean => {
  const names: ReadonlyArray<Identifier> = [
    ...(id === null ? [] : [{ kind: "id", value: id } as const]),
    ...(email === null ? [] : [{ kind: "email", value: email } as const]),
    ...anonymousIds.map((value) => ({ kind: "anonymous_id", value }) as const),
  ]
  if (names.length < 2) return false
  const [first, ...others] = names.map(({ kind, value }) => {
    const found = leadsTo(tried, identifierText(kind, value))
    const isPerson = found !== undefined && tried.state.subjects.get(found)?._tag === "Person"
    return isPerson && isAccepted(tried.workspace, kind, value) ? found : null
  })
  return first === null || others.some((one) => one !== first)
}

const isAccepted = (
  { limits, placeholderIds }: Workspace,
  kind: Identifier["kind"],
  value: string,
): boolean =>
  kind === "email"
    ? !exceedsBytes(value, limits.attributeValueBytesMax)
    : !exceedsBytes(value, limits.personIdBytesMax) && (placeholderIds === "mark" || !isPlaceholder(value))
