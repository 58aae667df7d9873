import { SubjectKey, Sequence } from "@inlethq/core/values/Identifier"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import { secondMs } from "@inlethq/core/values/Timestamp"
import { Effect } from "effect"
import { type AppRefused, refuse } from "./AppAnswer.ts"
import { appTexts } from "./appTexts.ts"

/** Decodes what is percent-encoded. Clients also send what they have not encoded, so a stray `%` stands for itself. */
export const decodeLoosely = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text.replaceAll(/(?:%[0-9a-f]{2})+/gi, (escaped) => {
      try {
        return decodeURIComponent(escaped)
      } catch {
        return escaped
      }
    })
  }
}

const cursorPattern = /^([a-z])([1-9]\d{0,14})$/

/** The query of a request. The first of several values with one name counts, and an empty one is absent. */
export class AppQuery {
  private readonly values = new Map<string, string>()

  constructor(raw: string) {
    for (const pair of raw.split("&")) {
      const equals = pair.indexOf("=")
      const name = decodeLoosely(equals < 0 ? pair : pair.slice(0, equals))
      if (equals >= 0 && !this.values.has(name)) this.values.set(name, pair.slice(equals + 1))
    }
  }

  /** Returns a value in which a plus sign stands for itself, as in an email. */
  plain(name: string): string | undefined {
    const raw = this.values.get(name)
    return raw === undefined || raw === "" ? undefined : decodeLoosely(raw)
  }

  /** Returns a value in which a plus sign stands for a space, as in forms. */
  text(name: string): string | undefined {
    const raw = this.values.get(name)
    return raw === undefined || raw === "" ? undefined : decodeLoosely(raw.replaceAll("+", " "))
  }

  isTrue(name: string): boolean {
    return ["true", "1"].includes(this.text(name) ?? "")
  }

  /** Returns the limit of a page. One above the largest is cut, as in the hosted service. */
  limit(usual: number, largest: number): Effect.Effect<number, AppRefused> {
    const text = this.text("limit")
    if (text === undefined) return Effect.succeed(usual)
    const given = /^\d{1,15}$/.test(text) ? Number(text) : 0
    if (given < 1) return Effect.fail(refuse(400, appTexts.wrongLimit()))
    return Effect.succeed(Math.min(given, largest))
  }

  /** Returns the place after which a page begins, or null for the first page. `letter` is that of the list. */
  start(letter: string): Effect.Effect<number | null, AppRefused> {
    const text = this.text("start")
    if (text === undefined) return Effect.succeed(null)
    const [, of, place] = cursorPattern.exec(Buffer.from(text, "base64url").toString("latin1")) ?? []
    return of === letter ? Effect.succeed(Number(place)) : Effect.fail(refuse(400, appTexts.wrongStart()))
  }

  startKey(letter: string): Effect.Effect<SubjectKey | null, AppRefused> {
    return Effect.map(this.start(letter), (place) => (place === null ? null : SubjectKey.make(place)))
  }

  startSequence(letter: string): Effect.Effect<Sequence | null, AppRefused> {
    return Effect.map(this.start(letter), (place) => (place === null ? null : Sequence.make(place)))
  }

  /** Returns a time that is given in Unix seconds. */
  time(field: string): Effect.Effect<EpochMillis | undefined, AppRefused> {
    const text = this.text(field)
    if (text === undefined) return Effect.succeed(undefined)
    return /^\d{1,11}$/.test(text)
      ? Effect.succeed(Number(text) * secondMs)
      : Effect.fail(refuse(400, appTexts.wrongTime({ field })))
  }

  /** Returns a value that must be one of these words. */
  word<Word extends string>(
    field: string,
    words: ReadonlyArray<Word>,
  ): Effect.Effect<Word | undefined, AppRefused> {
    const text = this.text(field)
    if (text === undefined) return Effect.succeed(undefined)
    const found = words.find((word) => word === text)
    return found === undefined
      ? Effect.fail(refuse(400, appTexts.wrongWord({ field, words: quoted(words) })))
      : Effect.succeed(found)
  }
}

/** Returns what a client sends as `start` to get the page after a place; undefined after the last page. */
export const nextStart = (letter: string, place: number | null): string | undefined =>
  place === null ? undefined : Buffer.from(`${letter}${place}`, "latin1").toString("base64url")

export const quoted = (words: ReadonlyArray<string>): string => words.map((word) => `\`${word}\``).join(", ")
