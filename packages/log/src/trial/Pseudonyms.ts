import { isPlaceholder } from "@inlethq/core/values/placeholder"
import { isJsonObject, type Json, type JsonObject } from "@inlethq/core/values/Json"
import { looksLikeData } from "../types/looksLikeData.ts"

/** Fields whose texts are words of the program and no data. */
const words: ReadonlySet<string> = new Set([
  "_tag",
  "action",
  "channel",
  "code",
  "kind",
  "metric",
  "platform",
  "reason",
  "rule",
  "source",
  "typeId",
])

/** Fields with what a client sent, at any depth. */
const dataFields: ReadonlySet<string> = new Set(["data", "value", "values", "properties", "context"])

/** Fields that a decision does not need, and that could say something about somebody. They are left out or emptied. */
const dropped: ReadonlyMap<string, Json | undefined> = new Map<string, Json | undefined>([
  ["sent", undefined],
  ["keptAs", undefined],
  ["freed", undefined],
  ["moved", undefined],
  ["via", undefined],
  ["former", []],
  ["origins", []],
  ["addresses", []],
  ["sender", null],
  ["description", null],
])

const letters = "abcdefghijklmnopqrstuvwxyz"
const twoByteLetters = "àáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿ"

/**
 * Replaces texts and numbers by others of the same shape and length, each always by the same one. Names of events, attributes and
 * fields stay, unless they look like data.
 */
export class Pseudonyms {
  private readonly salt: string
  /** The attempt that gave a text, without regard to case, a replacement that nothing else has. */
  private readonly attempts = new Map<string, number>()
  private readonly taken = new Set<string>()

  /** With the same salt, the same text gets the same replacement. A salt that is thrown away cannot be searched. */
  constructor(salt: string) {
    this.salt = salt
  }

  /** Replaces what a decision knows. `field` is the field that has the value. */
  structure(value: Json, field: string): Json {
    if (typeof value === "string") return this.word(value, field)
    if (Array.isArray(value)) {
      if (isAttribute(value)) return [this.name(value[0]), this.structure(value[1], "")]
      return value.map((item) => this.structure(item, field))
    }
    if (!isJsonObject(value)) return value
    const fields: Record<string, Json> = {}
    for (const [name, one] of Object.entries(value)) {
      if (dropped.has(name)) {
        const instead = dropped.get(name)
        if (instead !== undefined) fields[name] = instead
      } else if (name === "workspace") fields[name] = one
      else if (name === "provenance")
        fields[name] = isJsonObject(one) && one["bot"] === true ? { bot: true } : {}
      else fields[name] = dataFields.has(name) ? this.data(one) : this.structure(one, name)
    }
    return fields
  }

  private word(value: string, field: string): string {
    if (words.has(field)) return value
    if (field === "name" || field === "mapping") return this.name(value)
    if (field === "metrics") return value
    if (field === "field") return value.startsWith("devices.") ? this.text(value) : this.name(value)
    return this.text(value)
  }

  private name(value: string): string {
    return looksLikeData(value) ? this.text(value) : value
  }

  private data(value: Json): Json {
    if (typeof value === "string") return this.text(value)
    if (typeof value === "number") return this.number(value)
    if (Array.isArray(value)) return value.map((item) => this.data(item))
    if (!isJsonObject(value)) return value
    const fields: JsonObject = Object.fromEntries(
      Object.entries(value).map(([name, one]) => [this.name(name), this.data(one)]),
    )
    return fields
  }

  /** Emails are told apart without regard to case, so the case stays where it was. */
  private text(value: string): string {
    if (value === "" || isPlaceholder(value)) return value
    const key = value.toLowerCase()
    let attempt = this.attempts.get(key) ?? 0
    const made = () => shapedLike(value, random(`${this.salt} ${attempt} ${key}`))
    if (!this.attempts.has(key)) {
      while (attempt < attemptsMax && this.isTaken(made().toLowerCase(), key)) attempt++
      this.attempts.set(key, attempt)
      this.taken.add(made().toLowerCase())
    }
    return made()
  }

  private isTaken(made: string, key: string): boolean {
    return made === key || this.taken.has(made)
  }

  /** Seconds and milliseconds since 1970 become earlier ones, so that a time stays a time of the past. */
  private number(value: number): number {
    if (!Number.isFinite(value) || Math.abs(value) < smallNumbers) return value
    const draw = random(`${this.salt} ${value}`)
    if (Number.isInteger(value) && value > 1e9 && value < 1e14)
      return value - 1 - draw(value > 1e11 ? 1e9 : 1e7)
    const digits = String(value).replaceAll(/\d/g, (digit, at: number) =>
      at === 0 || (at === 1 && value < 0) ? digit : String(draw(10)),
    )
    return /e/i.test(digits) ? 12_345 : Number(digits)
  }
}

/** Numbers below it say nothing about anybody. */
const smallNumbers = 10

/** The attempts to find a replacement that nothing else has. There are few for short texts. */
const attemptsMax = 50

const isAttribute = (value: ReadonlyArray<Json>): value is readonly [string, JsonObject] => {
  const [name, stamped, ...others] = value
  return (
    typeof name === "string" &&
    stamped !== undefined &&
    isJsonObject(stamped) &&
    "at" in stamped &&
    "value" in stamped &&
    others.length === 0
  )
}

/** Replaces letters by letters and digits by digits of as many bytes, so that limits and formats hold as before. */
const shapedLike = (text: string, draw: (below: number) => number): string => {
  const time = /^\d{4}-\d\d-\d\d/.test(text)
  return Array.from(text, (character, at) => {
    if (time) return pastDigit(character, at, draw)
    if (/\d/.test(character)) return String(draw(10))
    if (/[a-z]/.test(character)) return letters[draw(letters.length)] ?? "x"
    if (/[A-Z]/.test(character)) return (letters[draw(letters.length)] ?? "x").toUpperCase()
    if (!/\p{L}/u.test(character)) return character
    const bytes = new TextEncoder().encode(character).length
    if (bytes === 2) return twoByteLetters[draw(twoByteLetters.length)] ?? "é"
    return String.fromCodePoint(bytes === 3 ? 0x4e00 + draw(0x5000) : 0x20000 + draw(0xa000))
  }).join("")
}

/** A date becomes another one that exists, some time ago. */
const pastDigit = (character: string, at: number, draw: (below: number) => number): string => {
  if (!/\d/.test(character)) return character
  const fixed: Readonly<Record<number, string>> = {
    0: "2",
    1: "0",
    2: "0",
    5: "0",
    8: "1",
    11: "0",
    14: "0",
    17: "0",
  }
  const digit = fixed[at]
  if (digit !== undefined) return digit
  if (at > 19) return "0"
  return at === 6 ? String(1 + draw(9)) : String(draw(10))
}

/** Returns numbers that depend on a text only. */
const random = (text: string): ((below: number) => number) => {
  let state = 0x811c9dc5
  for (let at = 0; at < text.length; at++) state = Math.imul(state ^ text.charCodeAt(at), 0x01000193)
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}
