import { attributesBytes, type Attributes } from "./Attributes.ts"
import { noDevices, type Devices } from "./device/Device.ts"
import type { SubjectKey } from "./Identifier.ts"
import { utf8Bytes } from "./Json.ts"
import { heldBytesPerPersonMax } from "./Limits.ts"
import { noRelationships, type Relationships } from "./relationship/Relationships.ts"
import type { Holder } from "./Subject.ts"
import { decisionFaults } from "./faults.ts"

/** What somebody has besides attributes of its own. */
export interface Held {
  readonly devices: Devices
  readonly relationships: Relationships
}

/** Somebody by key with what they have: nothing, where the command makes them. */
export const heldBy = (key: SubjectKey, holder: Holder | null): Held & { readonly key: SubjectKey } => ({
  key,
  devices: holder?.devices ?? noDevices,
  relationships: holder?.relationships ?? noRelationships,
})

/** What a device or a relationship takes besides its attributes: a key and marks. */
const entryBytes = 24

/** How much more somebody can have: their document is written whole, so all of it has a bound in bytes. */
export class HeldRoom {
  private left: number

  constructor({ devices, relationships }: Held) {
    this.left = heldBytesPerPersonMax
    for (const [token, { attributes }] of devices) this.left -= deviceBytes(token, attributes)
    for (const attributes of relationships.values()) this.left -= relationshipBytes(attributes)
  }

  /** Makes room for what takes its place, or takes none: false where there is not enough. What shrinks always fits. */
  has(bytes: number, before = 0): boolean {
    const growth = bytes - before
    if (growth > 0 && growth > this.left) return false
    this.left -= growth
    return true
  }
}

export const deviceBytes = (token: string, attributes: Attributes): number =>
  entryBytes + utf8Bytes(token) + attributesBytes(attributes)

export const relationshipBytes = (attributes: Attributes | undefined): number =>
  attributes === undefined ? 0 : entryBytes + attributesBytes(attributes)

/** What is said of a device or a relationship that is left out. */
export const tooMuchHeld = (field: string) =>
  decisionFaults.tooMuchHeld(field, { bytes: heldBytesPerPersonMax })
