import { attributesBytes, type Attributes } from "../state/Attributes.ts"
import { noDevices, type Devices } from "../state/Device.ts"
import { decisionTexts } from "../log/operationTexts.ts"
import type { SubjectKey } from "../values/Identifier.ts"
import { utf8Bytes } from "../values/Json.ts"
import { holdingsBytesPerPersonMax, type Limits } from "../workspace/Limits.ts"
import type { Fault } from "../log/Outcome.ts"
import { noRelationships, type Relationships } from "../state/Relationships.ts"
import type { Holder } from "../state/Subject.ts"

/** The devices and relationships of a person or a visitor. */
export interface Holdings {
  readonly devices: Devices
  readonly relationships: Relationships
}

/**
 * Returns the devices and relationships of a person or a visitor. Both are empty if `holder` is null, because the
 * command creates the person or visitor.
 */
export const holdingsOf = (
  key: SubjectKey,
  holder: Holder | null,
): Holdings & { readonly key: SubjectKey } => ({
  key,
  devices: holder?.devices ?? noDevices,
  relationships: holder?.relationships ?? noRelationships,
})

/** The size of a device or a relationship in bytes, not counting its token and attributes. */
const entryBytes = 24

export const deviceBytes = (token: string, attributes: Attributes): number =>
  entryBytes + utf8Bytes(token) + attributesBytes(attributes)

export const relationshipBytes = (attributes: Attributes): number => entryBytes + attributesBytes(attributes)

/** Returns the bytes of all devices and relationships of one person or visitor. */
export const holdingsBytes = ({ devices, relationships }: Holdings): number => {
  let bytes = 0
  for (const [token, { attributes }] of devices) bytes += deviceBytes(token, attributes)
  for (const attributes of relationships.values()) bytes += relationshipBytes(attributes)
  return bytes
}

interface Count {
  devices: number
  relationships: number
  bytes: number
}

/**
 * Checks the limits on the devices and relationships of one person or visitor while a command is decided (contract §5
 * *held limits*). Bytes are limited because one row stores all devices and relationships, and every change rewrites
 * this row. The stored devices and relationships are counted on the first use, because most commands add no device or
 * relationship.
 */
export class HoldingsBudget {
  private readonly limits: Limits
  private readonly holdings: Holdings
  private counted: Count | undefined

  constructor(limits: Limits, held: Holdings) {
    this.limits = limits
    this.holdings = held
  }

  /**
   * Counts a device of `bytes` bytes. If the device replaces a stored device, `before` is the size of the stored
   * device. Returns a fault if the person's devices would exceed a limit.
   */
  addDevice(bytes: number, before: number | null): Fault | undefined {
    const { count, limits } = this
    const isNew = before === null
    if (isNew && count.devices >= limits.devicesPerPersonMax) return tooManyDevices(limits)
    if (!this.hasRoomFor(bytes - (before ?? 0))) return tooMuchHeld("device")
    if (isNew) count.devices++
    count.bytes += bytes - (before ?? 0)
    return undefined
  }

  /**
   * Counts a relationship of `bytes` bytes. If the relationship replaces a stored relationship, `before` is the size of
   * the stored relationship. Returns a fault if the person's relationships would exceed a limit.
   */
  addRelationship(field: string, bytes: number, before: number | null): Fault | undefined {
    const { count, limits } = this
    const isNew = before === null
    if (isNew && count.relationships >= limits.relationshipsPerPersonMax) {
      return tooManyRelationships(limits, field)
    }
    if (!this.hasRoomFor(bytes - (before ?? 0))) return tooMuchHeld(field)
    if (isNew) count.relationships++
    count.bytes += bytes - (before ?? 0)
    return undefined
  }

  /**
   * Counts the devices of a visitor who was identified as this person. If the person is within the limits, all devices
   * are accepted, even if the person then exceeds a limit. If the person already exceeds a limit, no device is accepted
   * and a fault is returned.
   */
  inheritDevices(added: number, bytes: number): Fault | undefined {
    const { count, limits } = this
    if (count.devices > limits.devicesPerPersonMax) return tooManyDevices(limits)
    if (count.bytes > holdingsBytesPerPersonMax) return tooMuchHeld("device")
    count.devices += added
    count.bytes += bytes
    return undefined
  }

  /**
   * Counts the relationships of a visitor who was identified as this person. `added` is the number of relationships
   * that the person does not have yet. If the person is within the limits, all relationships are accepted, even if the
   * person then exceeds a limit. If the person already exceeds a limit and the relationships would add to the excess,
   * no relationship is accepted and a fault is returned.
   */
  inheritRelationships(field: string, added: number, bytes: number): Fault | undefined {
    const { count, limits } = this
    if (added > 0 && count.relationships > limits.relationshipsPerPersonMax) {
      return tooManyRelationships(limits, field)
    }
    if (bytes > 0 && count.bytes > holdingsBytesPerPersonMax) return tooMuchHeld(field)
    count.relationships += added
    count.bytes += bytes
    return undefined
  }

  private get count(): Count {
    const { devices, relationships } = this.holdings
    return (this.counted ??= {
      devices: devices.size,
      relationships: relationships.size,
      bytes: holdingsBytes(this.holdings),
    })
  }

  /** Returns whether a change that adds `growth` bytes fits into the limit. A change that removes bytes always fits. */
  private hasRoomFor(growth: number): boolean {
    return growth <= 0 || this.count.bytes + growth <= holdingsBytesPerPersonMax
  }
}

const tooManyDevices = ({ devicesPerPersonMax: max }: Limits): Fault =>
  decisionTexts.tooManyDevices("device", { max })

const tooManyRelationships = ({ relationshipsPerPersonMax: max }: Limits, field: string): Fault =>
  decisionTexts.tooManyRelationships(field, { max })

const tooMuchHeld = (field: string): Fault =>
  decisionTexts.tooMuchHeld(field, { bytes: holdingsBytesPerPersonMax })
