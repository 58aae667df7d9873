import { Command } from "@inlethq/core/Command"
import { Subject } from "@inlethq/core/state/Subject"
import { isPlaceholder } from "@inlethq/core/values/placeholder"
import { isJsonObject, type Json, type JsonObject } from "@inlethq/core/values/Json"
import { looksLikeData } from "../types/looksLikeData.ts"
import { literalsOf } from "./literalsOf.ts"
import { drawsFrom, numberLike, shapedLike, type Draw } from "./shapedLike.ts"

/** Fields whose texts are words of the program, if they are one of these. What a client chose stands beside some of them. */
const wordFields: ReadonlySet<string> = new Set([
  "_tag",
  "action",
  "channel",
  "kind",
  "metric",
  "metrics",
  "reason",
  "rule",
  "source",
  "sources",
])

/** The words that commands and subjects have in these fields. */
const words: ReadonlySet<string> = literalsOf([Command.ast, Subject.ast])

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

/** A name of these is chosen as freely as a value: titles of pages, and what operators call people. */
const isFreelyNamed = ({ _tag, kind }: JsonObject): boolean =>
  _tag === "RecordEvent"
    ? kind !== "event"
    : _tag === "Segment" || _tag === "CreateSegment" || _tag === "UpdateSegment"

/**
 * Returns 16 bytes or more that depend on a text and on a random key. If nobody keeps the key, nobody can find a text by trying
 * what its replacement would be.
 */
export type KeyedDigest = (text: string) => Uint8Array

/**
 * Replaces texts and numbers by others of the same shape and length, each always by the same one. Names of events, attributes and
 * fields stay, unless they look like data.
 */
export class Pseudonyms {
  private readonly digest: KeyedDigest
  /** The attempt that gave a text, without regard to case, a replacement that nothing else has. */
  private readonly attempts = new Map<string, number>()
  private readonly taken = new Set<string>()

  constructor(digest: KeyedDigest) {
    this.digest = digest
  }

  /** Replaces what a decision knows. `field` is the field that has the value. */
  structure(value: Json, field: string): Json {
    if (typeof value === "string") return this.word(value, field)
    if (typeof value === "number") return field === "sources" ? this.number(value) : value
    if (Array.isArray(value)) {
      if (isAttribute(value)) return [this.name(value[0]), this.structure(value[1], "")]
      return value.map((item) => this.structure(item, field))
    }
    return isJsonObject(value) ? this.fields(value) : value
  }

  private fields(value: JsonObject): JsonObject {
    const fields: Record<string, Json> = {}
    for (const [name, one] of Object.entries(value)) {
      if (dropped.has(name)) {
        const instead = dropped.get(name)
        if (instead !== undefined) fields[name] = instead
      } else if (name === "workspace") fields[name] = one
      else if (name === "provenance")
        fields[name] = isJsonObject(one) && one["bot"] === true ? { bot: true } : {}
      else if (name === "name" && typeof one === "string" && isFreelyNamed(value))
        fields[name] = this.text(one)
      else if (name === "source" && typeof one !== "string") fields[name] = null
      else fields[name] = dataFields.has(name) ? this.data(one) : this.structure(one, name)
    }
    return fields
  }

  private word(value: string, field: string): string {
    if (field === "code" || (wordFields.has(field) && words.has(value))) return value
    if (field === "name" || field === "mapping") return this.name(value)
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
    const made = () => shapedLike(value, this.draws(`text ${attempt} ${key}`))
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

  /** Small integers stay, because they say nothing about anybody. */
  private number(value: number): number {
    if (!Number.isFinite(value) || (Number.isInteger(value) && Math.abs(value) < smallIntegers)) return value
    for (let attempt = 0; attempt < attemptsMax; attempt++) {
      const made = numberLike(value, this.draws(`number ${attempt} ${value}`))
      if (made !== value) return made
    }
    return 0
  }

  private draws(text: string): Draw {
    return drawsFrom(this.digest(text))
  }
}

/** Integers below it say nothing about anybody. */
const smallIntegers = 10

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
