import { Schema } from "effect"

const Bytes = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 64 * 1024 * 1024 }))
const Count = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 }))

/**
 * What a workspace accepts (contract §5, track-api §8). Lengths are bytes of UTF-8; an attribute's value is measured as
 * its text, or as its JSON where it is no text. The defaults are the reference's; a workspace may have any of them
 * raised.
 */
export const Limits = Schema.Struct({
  /** One call of Track v1, of v2 `/entity`, or of Pipelines in strict mode. */
  requestBytesMax: Bytes,
  /** One batch in all. */
  batchBytesMax: Bytes,
  /** One item of a batch, as JSON. */
  batchItemBytesMax: Bytes,
  personIdBytesMax: Bytes,
  objectIdBytesMax: Bytes,
  attributeNameBytesMax: Bytes,
  attributeValueBytesMax: Bytes,
  attributesPerPersonMax: Count,
  attributesPerObjectMax: Count,
  objectAttributesBytesMax: Bytes,
  eventNameBytesMax: Bytes,
  eventDataBytesMax: Bytes,
  segmentIdsMax: Count,
  /** Objects that one person or visitor can be related to. */
  relationshipsPerPersonMax: Count,
  /** Manual segments that one person can be in. */
  segmentsPerPersonMax: Count,
  /** Devices of one person or visitor. */
  devicesPerPersonMax: Count,
  /** Anonymous visitors, waiting identifiers and merged people that one person can have taken over. */
  identifiersPerPersonMax: Count,
  /** The subscription preferences of one person or visitor, as JSON. */
  preferencesBytesMax: Bytes,
  /** The topics of those preferences: entries of `topics`, and whatever stands beside `topics`. */
  topicsPerPersonMax: Count,
  /** Requests in one window of `rateWindowSeconds`. */
  rateRequestsMax: Count,
  rateWindowSeconds: Count,
})
export type Limits = typeof Limits.Type

const KB = 1024

export const defaultLimits: Limits = {
  requestBytesMax: 32 * KB,
  batchBytesMax: 500 * KB,
  batchItemBytesMax: 32 * KB,
  personIdBytesMax: 150,
  objectIdBytesMax: 150,
  attributeNameBytesMax: 150,
  attributeValueBytesMax: 1000,
  attributesPerPersonMax: 300,
  attributesPerObjectMax: 300,
  objectAttributesBytesMax: 100 * KB,
  eventNameBytesMax: 100,
  eventDataBytesMax: 100_000,
  segmentIdsMax: 1000,
  relationshipsPerPersonMax: 1000,
  segmentsPerPersonMax: 1000,
  devicesPerPersonMax: 100,
  identifiersPerPersonMax: 1000,
  preferencesBytesMax: 16 * KB,
  topicsPerPersonMax: 300,
  rateRequestsMax: 3000,
  rateWindowSeconds: 3,
}

/** Pipelines in default mode takes this much in one call; what is larger is answered but not processed (contract §5). */
export const lenientRequestBytesMax = (limits: Limits): number => Math.max(64 * KB, limits.requestBytesMax)

/** Bytes that the body of a segment call may have: as many ids as it may name, and what JSON adds to them (contract §16). */
export const segmentBodyBytesMax = ({ personIdBytesMax, segmentIdsMax }: Limits): number =>
  512 + segmentIdsMax * (personIdBytesMax + 3)

/** Pipelines in default mode takes this much in one batch. */
export const lenientBatchBytesMax = (limits: Limits): number => Math.max(KB * KB, limits.batchBytesMax)

/**
 * How many times a limit of what one person holds two people may have together to be merged. A merge loses nothing, so the
 * primary may exceed its limits by it; a merge beyond this is refused, or each one would add as much (contract §16 *merged
 * limits*).
 */
export const mergedHoldingsFactor = 2

/** Fields that a form can have. */
export const formFieldsMax = 300

/** Bytes of the ids of forms and deliveries and of device tokens. */
export const foreignIdBytesMax = 1000

/** Bytes of all that a person or visitor has in devices and relationships: their document is written whole. */
export const holdingsBytesPerPersonMax = 1024 * 1024

/** Removed attributes whose time is remembered, so that an older update does not bring them back. */
export const removedAttributesPerPersonMax = 300
