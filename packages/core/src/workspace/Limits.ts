import { Schema } from "effect"

const Bytes = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 64 * 1024 * 1024 }))
const Count = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 }))

/**
 * The limits of a workspace (contract §5, track-api §8). Lengths are bytes of UTF-8. If an attribute value is not a
 * string, the length of its JSON counts. Operators can raise the defaults for each workspace.
 */
export const Limits = Schema.Struct({
  /**
   * The largest number of bytes in the body of a Track v1 call, a v2 `/entity` call, or a Pipelines call in strict
   * mode.
   */
  requestBytesMax: Bytes,
  /** The largest number of bytes in the body of a batch request. */
  batchBytesMax: Bytes,
  /** The largest number of bytes of one batch item as JSON. */
  batchItemBytesMax: Bytes,
  /** The largest number of bytes of an `id` or anonymous id. */
  personIdBytesMax: Bytes,
  /** The largest number of bytes of an object id or object type. */
  objectIdBytesMax: Bytes,
  /** The largest number of bytes of the name of an attribute. */
  attributeNameBytesMax: Bytes,
  /** The largest number of bytes of the value of one attribute, or of an email. */
  attributeValueBytesMax: Bytes,
  /** The largest number of attributes of a person. */
  attributesPerPersonMax: Count,
  /** The largest number of attributes of an object or of a relationship. */
  attributesPerObjectMax: Count,
  /** The largest number of bytes of all attributes of an object or of a relationship, as JSON. */
  objectAttributesBytesMax: Bytes,
  /** The largest number of bytes of the name of an event. */
  eventNameBytesMax: Bytes,
  /** The largest number of bytes of the data of an event as JSON. */
  eventDataBytesMax: Bytes,
  /** The largest number of ids in one segment call. */
  segmentIdsMax: Count,
  /** The largest number of objects that one person or visitor can be related to. */
  relationshipsPerPersonMax: Count,
  /** The largest number of manual segments that one person can be in. */
  segmentsPerPersonMax: Count,
  /** The largest number of devices of one person or visitor. */
  devicesPerPersonMax: Count,
  /**
   * The largest number of visitors, identifiers known only from events, and merged people that one person can own
   * together.
   */
  identifiersPerPersonMax: Count,
  /** The largest number of bytes that the subscription preferences of one person or visitor may have as JSON. */
  preferencesBytesMax: Bytes,
  /**
   * The largest number of topics in the subscription preferences of one person or visitor. Each key of `topics` and
   * each other key of the preferences object counts as a topic.
   */
  topicsPerPersonMax: Count,
  /** The largest number of requests in one window. */
  rateRequestsMax: Count,
  /** The length of a window in which requests are counted. */
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

/**
 * Returns the largest number of bytes that one call may have in the default mode of Pipelines. Larger calls are
 * answered but not processed (contract §5).
 */
export const lenientRequestBytesMax = (limits: Limits): number => Math.max(64 * KB, limits.requestBytesMax)

/**
 * Returns the largest number of bytes that the body of a segment call may have: the largest allowed number of ids at
 * their largest length, with JSON punctuation (contract §12).
 */
export const segmentBodyBytesMax = ({ personIdBytesMax, segmentIdsMax }: Limits): number =>
  512 + segmentIdsMax * (personIdBytesMax + 3)

/** Returns the largest number of bytes that one batch may have in the default mode of Pipelines. */
export const lenientBatchBytesMax = (limits: Limits): number => Math.max(KB * KB, limits.batchBytesMax)

/**
 * A merge keeps all data of the two people, so the primary may exceed its limits. A merge is refused if the two people
 * together have more than this multiple of a limit. Without this bound, the data of a person could grow with every
 * merge (contract §5 *merged limits*).
 */
export const mergedHoldingsFactor = 2

/** The largest number of fields that a form can have. */
export const formFieldsMax = 300

/** The largest number of bytes of a form id, a delivery id or a device token. */
export const foreignIdBytesMax = 1000

/**
 * The largest number of bytes that the devices and relationships of one person or visitor may have. All of them are
 * stored in one row, and each change writes the whole row.
 */
export const holdingsBytesPerPersonMax = 1024 * 1024

/**
 * The largest number of removed attributes of one person that are stored with their time of removal. Without that time,
 * an older update would restore the attribute.
 */
export const removedAttributesPerPersonMax = 300
