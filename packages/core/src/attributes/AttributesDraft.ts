import { isJsonObject, sameJson, type Json, type JsonObject } from "../values/Json.ts"
import type { Fault, FieldChange } from "../log/Outcome.ts"
import {
  excessOf,
  isPreferencePath,
  keepPreferences,
  pathOf,
  preferencesName,
  putWithin,
} from "../state/preferenceBounds.ts"
import { PreferencesDocument } from "../state/PreferencesDocument.ts"
import { isBefore } from "../values/Timestamp.ts"
import { decisionTexts } from "../log/operationTexts.ts"
import {
  attributeBytes,
  attributesBytes,
  isReserved,
  valueOf,
  type Attributes,
  type Stamped,
} from "../state/Attributes.ts"
import { preferenceAt, preferencesDocumentOf } from "../state/storedPreferences.ts"
import { countPresent, type AttributeBounds } from "./attributeBounds.ts"
import { applyAssigned } from "./applyAssigned.ts"

/** The faults of an update, and the field changes that the log entry of the update shows. */
export interface UpdateResult {
  readonly fields: Array<FieldChange>
  readonly faults: Array<Fault>
}

/** Collects the attributes that an update sets. Enforces the limits of the person, object, relationship or device. */
export class AttributesDraft {
  readonly written = new Map<string, Stamped>()
  private readonly current: Attributes
  private readonly bounds: AttributeBounds
  private readonly visible: UpdateResult
  /** The number of attributes that the update can still add. */
  private room = Infinity
  private bytesLeft = Infinity
  /** The current subscription preferences, or undefined if they were not read yet. */
  private document: PreferencesDocument | undefined
  /**
   * The number of preferences with dotted names (such as `svc_subscription_preferences.topics.news`), or undefined if
   * they were not counted yet.
   */
  private paths: number | undefined
  private readonly isBounded: boolean

  constructor(
    current: Attributes,
    bounds: AttributeBounds,
    mayOverflow: boolean,
    visible: UpdateResult,
    isBounded = true,
  ) {
    this.current = current
    this.bounds = bounds
    this.visible = visible
    this.isBounded = isBounded
    if (!mayOverflow) return
    this.room = bounds.countMax - countPresent(current, bounds)
    if (bounds.bytesMax < Infinity) this.bytesLeft = bounds.bytesMax - attributesBytes(current)
  }

  get(name: string): Stamped | undefined {
    const own = this.written.get(name) ?? this.current.get(name)
    return this.bounds.hasReserved && isPreferencePath(name) ? this.preference(name, own) : own
  }

  /** Returns the path under which a log entry lists the change of an attribute. */
  pathOf(name: string): string {
    return this.bounds.hasReserved && isReserved(name) ? name : this.bounds.pathPrefix + name
  }

  /**
   * Returns the newer of two values of a preference: the value `own`, which was set with the dotted name (such as
   * `svc_subscription_preferences.topics.news`), or the value at the same path in the whole preferences object.
   */
  private preference(name: string, own: Stamped | undefined): Stamped | undefined {
    const whole = this.written.get(preferencesName) ?? this.current.get(preferencesName)
    if (whole === undefined) return own
    if (own !== undefined && (isBefore(whole.at, own.at) || this.isSetSince(name, own, whole))) return own
    return { value: preferenceAt(whole.value, pathOf(name)), at: whole.at }
  }

  /**
   * Returns whether a preference with a dotted name overrides the whole preferences object. The preference overrides the
   * object if it was received after the object and its time is not earlier than the object's time. The keys of `current`
   * are in order of receipt.
   */
  private isSetSince(name: string, own: Stamped, whole: Stamped): boolean {
    if (isBefore(own.at, whole.at)) return false
    if (this.written.has(name)) return true
    if (this.written.has(preferencesName)) return false
    for (const known of this.current.keys()) {
      if (known === preferencesName) return true
      if (known === name) return false
    }
    return false
  }

  set(name: string, known: Stamped | undefined, stamped: Stamped): void {
    const from = known?.value ?? null
    const { value } = stamped
    const isApart = this.bounds.hasReserved && isReserved(name)
    if (!isApart && this.room < Infinity && !this.fits(name, from, value)) return
    if (isApart && name === preferencesName) return this.write(name, from, this.withinWhole(stamped))
    if (isApart && isPreferencePath(name) && !this.fitsPath(name, value)) return
    this.write(name, from, stamped)
  }

  /** Sets an attribute without checking the limits. */
  write(name: string, from: Json, stamped: Stamped): void {
    const { value } = stamped
    this.written.set(name, stamped)
    if (!sameJson(from, value)) this.visible.fields.push({ path: this.pathOf(name), from, to: value })
  }

  /**
   * Returns whether a person may inherit preferences from a visitor. If the person already exceeds a limit, adds a
   * fault and returns false.
   */
  mayInheritPreferences(own: JsonObject): boolean {
    const fault = this.isBounded ? excessOf(new PreferencesDocument(own), this.bounds.preferences) : undefined
    if (fault === undefined) return true
    this.visible.faults.push(fault(preferencesName))
    return false
  }

  /** Returns whether a preference with a dotted name fits into the limits. If not, adds a fault. */
  private fitsPath(name: string, value: Json): boolean {
    const { preferences } = this.bounds
    const document = (this.document ??= preferencesDocumentOf(applyAssigned(this.current, this.written)))
    const fault = this.hasRoomForPath(name, value)
      ? putWithin(document, pathOf(name), value, preferences)
      : (field: string) =>
          decisionTexts.tooManyTopics(field, { topic: field, max: preferences.topicsPerPersonMax })
    if (fault !== undefined) this.visible.faults.push({ ...fault(name), value })
    return fault === undefined
  }

  /**
   * Returns whether a preference with a dotted name can be stored. Each such preference is stored separately, so the
   * limit on topics also limits the number of such preferences.
   */
  private hasRoomForPath(name: string, value: Json): boolean {
    if (value === null || valueOf(this.written, name) !== null || valueOf(this.current, name) !== null) {
      return true
    }
    this.paths ??= countPaths(applyAssigned(this.current, this.written))
    if (this.paths >= this.bounds.preferences.topicsPerPersonMax) return false
    this.paths++
    return true
  }

  /**
   * Returns the preferences object without the topics that exceed the limits, and adds a fault for each of these
   * topics. Preferences with dotted names that are newer than the object stay stored, so they count towards the limits.
   */
  private withinWhole({ at, value }: Stamped): Stamped {
    const document = new PreferencesDocument(null)
    for (const [name, newer] of [...this.current, ...this.written]) {
      if (isPreferencePath(name) && isBefore(at, newer.at)) document.put(pathOf(name), newer.value)
    }
    this.document = undefined
    this.paths = undefined
    if (!isJsonObject(value)) return { at, value }
    const { faults, kept } = keepPreferences(value, this.bounds.preferences, document)
    this.visible.faults.push(...faults)
    return { at, value: kept }
  }

  private fits(name: string, from: Json, to: Json): boolean {
    const { bytesMax, countMax, owner: of, pathPrefix: path } = this.bounds
    const growth = (to === null ? 0 : 1) - (from === null ? 0 : 1)
    const bytes = this.bytesLeft === Infinity ? 0 : attributeBytes(name, to) - attributeBytes(name, from)
    const refuse = (fault: Fault) => {
      this.visible.faults.push({ ...fault, value: to })
      return false
    }
    if (growth > 0 && growth > this.room)
      return refuse(decisionTexts.tooManyAttributes(path + name, { owner: of, max: countMax }))
    if (bytes > 0 && bytes > this.bytesLeft) {
      return refuse(decisionTexts.attributesTooLarge(path + name, { owner: of, bytes: bytesMax }))
    }
    this.room -= growth
    this.bytesLeft -= bytes
    return true
  }
}

const countPaths = (attributes: Attributes): number => {
  let count = 0
  for (const [name, { value }] of attributes) if (value !== null && isPreferencePath(name)) count++
  return count
}
