import { errorText, faultText } from "@inlet/core/log/ErrorText"

const everywhere = "Track, Pipelines"

/** Error texts for invalid credentials and for an unknown segment. */
export const answerTexts = {
  unauthorized: errorText("Unauthorized request", {
    seen: "Track: 401",
    expected: "the site id and API key of a workspace as Basic credentials",
    remedy: "Correct the credentials, or create a new API key.",
  }),
  invalidWriteKey: errorText("the write key is not valid", {
    seen: "Pipelines in strict mode: 401",
    expected: "a known write key in the header or in the request body",
    remedy: "Correct the key, or create a new key.",
  }),
  segmentNotFound: errorText("The segment was not found.", {
    seen: "Track v1 segments: 404, `text/plain`",
    expected: "a manual segment that exists",
    remedy: "Create the segment through the management API, or correct its id.",
  }),
}

/** Faults that concern a request as a whole. */
export const requestFaults = {
  malformed: faultText("malformed", "the body is not valid JSON", {
    seen: everywhere,
    expected: "a body that is valid JSON",
    remedy: "Send the body as JSON. `Content-Type` does not matter.",
  }),
  bodyNotObject: faultText("invalid", "the body must be a JSON object", {
    seen: everywhere,
    expected: "a JSON object",
    remedy: "Put the fields of the call into an object.",
  }),
  itemNotObject: faultText("invalid", "the item must be a JSON object", {
    seen: everywhere,
    expected: "a JSON object for each item of a batch",
    remedy: "Correct the item that the response names.",
  }),
  tooLarge: faultText("too_large", "the request cannot be larger than {bytes} bytes", {
    seen: "Track (413), Pipelines (400 in strict mode)",
    expected: "a request body within the limit, measured after inflating",
    remedy: "Send less in one call, or raise `request_bytes` or `batch_bytes` of the workspace.",
  }),
  itemTooLarge: faultText("too_large", "an item of a batch cannot be larger than {bytes} bytes", {
    seen: everywhere,
    expected: "batch items within the limit",
    remedy: "Make the item smaller, or raise `batch_item_bytes` of the workspace.",
  }),
  shortItems: faultText(
    "too_many",
    "the items of this batch are too short to be valid: a batch of more than {max} items must have at least {bytes} bytes per item on average",
    {
      seen: everywhere,
      expected:
        "longer items, because every valid item is longer than this average. The limit keeps a small request from creating millions of log entries with the outcome `rejected`",
      remedy: "Remove empty or truncated items from the batch.",
    },
  ),
  moreFaults: faultText("too_many", "{count} more faults are not listed", {
    seen: everywhere,
    expected: "at most 10 faults in one operation",
    remedy: "Correct the listed faults, then send the call again to see the other faults.",
  }),
  notApplied: faultText("invalid", "the item is invalid; its activity entry has the details", {
    seen: "Track v2 `/batch`, for the items after the first 1 MB of errors",
    expected: "a valid item. A response describes at most 1 MB of errors",
    remedy:
      "Look up the item's activity entry. Its id is the batch's operation id, a hyphen and `batch_index`.",
  }),
  unknownType: faultText("unknown_type", "unknown type {type}: expected person, object or delivery", {
    seen: "Track v2",
    expected: "`person`, `object` or `delivery`",
    remedy: "Correct `type`.",
  }),
  unknownAction: faultText("unknown_action", "unknown action {action} for {type}: expected {actions}", {
    seen: "Track v2",
    expected: "an action of the item's type",
    remedy: "Correct `action`.",
  }),
}

/** Faults that any single value can have. */
export const valueFaults = {
  missing: faultText("required", "{field} must be present", {
    seen: everywhere,
    expected: "a value that is neither null nor empty",
    remedy: "Send the field.",
  }),
  notObject: faultText("invalid", "{field} must be an object", {
    seen: everywhere,
    expected: "a JSON object",
    remedy: "Send an object.",
  }),
  notArray: faultText("invalid", "{field} must be an array", {
    seen: everywhere,
    expected: "a JSON array",
    remedy: "Send an array.",
  }),
  inexactInteger: faultText("invalid", "{field} must be a string or an integer up to 2^53", {
    seen: everywhere,
    expected: "a string, or an integer that a 64-bit float represents exactly",
    remedy: "Send large numbers as strings.",
  }),
  notText: faultText("invalid", "{field} must be a string", {
    seen: everywhere,
    expected: "a string, or for ids an integer up to 2^53",
    remedy: "Send a string. Large numbers must be strings too.",
  }),
  notBoolean: faultText("invalid", "{field} must be a boolean", {
    seen: "Track, on unsubscribes",
    expected: "`true` or `false`",
    remedy: "Send `true` or `false`. A missing field counts as true.",
  }),
  textTooLong: faultText("too_long", "{field} cannot be longer than {bytes} bytes", {
    seen: everywhere,
    expected: "a string within the limit, in bytes of UTF-8",
    remedy: "Shorten the value.",
  }),
  notOneOf: faultText("invalid", "{field} must be one of {values}", {
    seen: everywhere,
    expected: "one of the values that the message lists",
    remedy: "Send one of the listed values.",
  }),
  unreadableTime: faultText("invalid", "{name} must be Unix seconds or an ISO 8601 date-time", {
    seen: everywhere,
    rule: "contract §6 unreadable times",
    expected: "Unix seconds as a number or string, or an ISO 8601 string",
    remedy:
      "Correct the time. Inlet rejects a Track event or report with an invalid `timestamp`, and a CSV row with an invalid `_svc_timestamp`. Inlet leaves any other invalid time out.",
  }),
  futureTime: faultText("invalid", "{name} is more than one day later than the time of receipt", {
    seen: "activity entries (`partial`)",
    rule: "contract §16 future times",
    expected: "a time at most one day later than the server's clock",
    remedy:
      "Correct the sender's clock. Inlet left this time out. If the item has no other time, Inlet used the receipt time.",
  }),
}

/** Faults of identifiers. Several of these texts are prescribed by the hosted service's documentation. */
export const identifierFaults = {
  missing: faultText("required", "id attribute must be present", {
    seen: "Track v1, Pipelines",
    expected: "an identifier",
    remedy: "Put an id, an email address or a `svc_id` into the path or into `userId`.",
  }),
  empty: faultText("invalid", "id attribute cannot be an empty string", {
    seen: "Track v1 identify",
    expected: "an `id` with at least one character",
    remedy: "Leave `id` out, or send the person's id.",
  }),
  notText: faultText("invalid", "{kind} attribute must be a string value", {
    seen: everywhere,
    expected:
      "an identifier of this kind (such as `id` or `email`) that is a string, or an integer up to 2^53",
    remedy: "Send the identifier as a string.",
  }),
  tooLong: faultText("too_long", "{kind} attribute cannot be longer than {bytes} bytes", {
    seen: everywhere,
    expected: "an identifier within the limit, in bytes of UTF-8",
    remedy: "Shorten the identifier, or raise `person_id_bytes` of the workspace.",
  }),
  notUsed: faultText("invalid", "{kind} does not identify people in this workspace", {
    seen: everywhere,
    expected: "a kind of identifier that the workspace uses",
    remedy: "Use another kind of identifier. The workspace setting `identifiers` lists the allowed kinds.",
  }),
  anonymousNotAllowed: faultText("invalid", "anonymous_id cannot be used for this action", {
    seen: "Track v2",
    expected: "`id`, `email` or `svc_id`",
    remedy: "Identify the person by `id`, `email` or `svc_id`.",
  }),
  notEmailOnly: faultText(
    "invalid",
    "invalid identifier: this workspace identifies people by email; send an email or a svc_id",
    {
      seen: everywhere,
      expected: "an email address or a `svc_id`",
      remedy: "Identify the person by an email address or a `svc_id`.",
    },
  ),
  notEmail: faultText("invalid", "email must be an address such as name@example.com, without spaces", {
    seen: everywhere,
    rule: "contract §16 email",
    expected: "a string without spaces that has an `@` with at least one character on each side",
    remedy: "Correct the address.",
  }),
  leadingEmailRemoved: faultText(
    "invalid",
    "email cannot be removed by a request that identifies the person by email",
    {
      seen: "activity entries (`partial`)",
      rule: "contract §16 email removal",
      expected: "a request that identifies the person by id or `svc_id`",
      remedy: "Identify the person by id or `svc_id` to remove the email.",
    },
  ),
  none: faultText("required", "{field} must contain an id, email or svc_id", {
    seen: "Track",
    expected: "an identifier",
    remedy: "Add an `id`, `email` or `svc_id`.",
  }),
  notExactlyOne: faultText("invalid", "{field} must contain exactly one identifier", {
    seen: "Track, on merges",
    expected: "exactly one of `id`, `email` and `svc_id`",
    remedy: "Send one identifier and remove the others.",
  }),
  differs: faultText("invalid", "{kind} differs from the {kind} that addresses the person", {
    seen: "activity entries (`partial`)",
    rule: "contract §6 path and body",
    expected: "the same identifier in path and body",
    remedy: "Address the person by `svc_id` to change an identifier.",
  }),
  idOfVisitor: faultText("invalid", "id cannot be given to an anonymous visitor", {
    seen: "activity entries (`partial`)",
    expected: "an `email`, or a `userId` together with the anonymous id",
    remedy: "Send `userId` with the anonymous id to identify the visitor as a person.",
  }),
}

/** The message of a Pipelines fault, followed by the names of the attributes that were left out. */
export const droppedNamesText = errorText("{message}; left out: {names}", {
  seen: "activity entries of Pipelines calls (`partial`)",
  expected: "attributes within the limit that the message states",
  remedy: "Correct the listed attributes. Inlet applied the other attributes.",
})

/** Faults of attributes. Several of these texts are prescribed by the hosted service's documentation. */
export const attributeFaults = {
  nameTooLong: faultText("too_long", "attribute name cannot be longer than {bytes} bytes", {
    seen: everywhere,
    expected: "a name within the limit, in bytes of UTF-8",
    remedy: "Shorten the name, or raise `attribute_name_bytes` of the workspace.",
  }),
  valueTooLong: faultText(
    "too_long",
    "value for attribute '{attribute}' cannot be longer than {bytes} bytes",
    {
      seen: everywhere,
      expected:
        "a value within the limit. A string counts by its bytes, and any other value by the bytes of its JSON",
      remedy: "Shorten the value, or raise `attribute_value_bytes` of the workspace.",
    },
  ),
  outOfRange: faultText("invalid", "value for attribute '{attribute}' is a number out of range", {
    seen: everywhere,
    expected: "a number that a 64-bit float can hold",
    remedy: "Send the number as a string.",
  }),
  unfit: faultText(
    "invalid",
    "value for attribute '{attribute}' is nested deeper than {levels} levels or contains a number out of range",
    {
      seen: everywhere,
      expected: "less nesting, and numbers that a 64-bit float can hold",
      remedy: "Flatten the value, or send large numbers as strings.",
    },
  ),
  tooMany: faultText("too_many", "cannot identify more than {max} attributes in one request", {
    seen: everywhere,
    expected: "fewer attributes in one call",
    remedy: "Send fewer attributes, or raise `attributes_per_person` of the workspace.",
  }),
  tooManyOfObject: faultText("too_many", "{field} cannot have more than {max} attributes", {
    seen: everywhere,
    expected: "fewer attributes for an object or relationship",
    remedy: "Send fewer attributes, or raise `attributes_per_object` of the workspace.",
  }),
  tooLargeOfObject: faultText("too_large", "{field} cannot be larger than {bytes} bytes in all", {
    seen: everywhere,
    expected: "attributes of an object or relationship within the limit",
    remedy: "Send fewer or shorter attributes, or raise `object_attributes_bytes` of the workspace.",
  }),
}

/** Faults of events. Several of these texts are prescribed by the hosted service's documentation. */
export const eventFaults = {
  nameNotText: faultText("invalid", "event name must be a string", {
    seen: everywhere,
    expected: "a string",
    remedy: "Send the name as a string.",
  }),
  nameBlank: faultText("required", "event name must not be blank", {
    seen: everywhere,
    expected: "a name with a character that is not a space",
    remedy: "Send the event's name.",
  }),
  nameTooLong: faultText("too_long", "event name cannot be longer than {bytes} bytes", {
    seen: everywhere,
    expected: "a name within the limit, in bytes of UTF-8, without the spaces around the name",
    remedy: "Shorten the name, or raise `event_name_bytes` of the workspace.",
  }),
  dataNotObject: faultText("invalid", "event data must be a hash", {
    seen: everywhere,
    expected: "a JSON object",
    remedy: "Put the event's data into an object.",
  }),
  dataTooLong: faultText("too_large", "event data cannot be longer than {bytes} bytes", {
    seen: everywhere,
    expected: "data within the limit, in bytes of JSON",
    remedy: "Send less data, or raise `event_data_bytes` of the workspace.",
  }),
  dataUnfit: faultText(
    "invalid",
    "event data '{key}' is nested deeper than {levels} levels or contains a number out of range",
    {
      seen: everywhere,
      expected: "less nesting, and numbers that a 64-bit float can hold",
      remedy: "Flatten the data, or send large numbers as strings.",
    },
  ),
  unknownType: faultText("unknown_type", "event type must be one of event, page and screen", {
    seen: "Track v1",
    expected: "`event`, `page` or `screen`",
    remedy: "Correct `type`, or leave it out.",
  }),
}

/** Faults that only requests about relationships, segments, forms or devices can have. */
export const resourceFaults = {
  unknownRelationshipAction: faultText(
    "unknown_action",
    "{field} must be add_relationships or delete_relationships",
    {
      seen: "Track v1",
      expected: "`add_relationships` or `delete_relationships`",
      remedy: "Correct `action`.",
    },
  ),
  addedBesideRemoval: faultText(
    "invalid",
    "{field} cannot add a relationship in a call that also removes relationships",
    {
      seen: "Pipelines identify, Track v2 identify",
      expected: "a call that only adds or only removes relationships",
      remedy: "Send one call that adds relationships and another call that removes relationships.",
    },
  ),
  onlyAdded: faultText("invalid", "{field} of an object identify can only add relationships", {
    seen: "Track v2",
    expected: "the action `add_relationships`, or an array of relationships without an action",
    remedy: "To remove relationships, send an item with the action `delete_relationships`.",
  }),
  noIds: faultText("required", "ids must contain at least one id", {
    seen: "Track v1 segments",
    expected: "1 to 1000 ids by default",
    remedy: "Add at least one id.",
  }),
  tooManyIds: faultText("too_many", "ids cannot contain more than {max} ids", {
    seen: "Track v1 segments",
    expected: "1 to 1000 ids by default",
    remedy: "Send several calls, or raise `segment_ids` of the workspace.",
  }),
  unknownIdType: faultText("invalid", "id_type must be one of id, email and svc_id", {
    seen: "Track v1 segments",
    expected: "`id`, `email` or `svc_id`",
    remedy: "Correct `id_type` in the query.",
  }),
  fieldWithoutName: faultText("invalid", "a field of the form must have a name", {
    seen: "Track v1 forms",
    expected: "a non-empty key for each field of `data`",
    remedy: "Name the field.",
  }),
  tooManyFields: faultText("too_many", "a form cannot have more than {max} fields", {
    seen: "Track v1 forms",
    expected: "fewer fields in `data`",
    remedy: "Remove fields. This limit is fixed.",
  }),
  noRespondent: faultText(
    "required",
    "data must contain a field that identifies the respondent by id or email",
    {
      seen: "Track v1 forms",
      expected: "`id`, `email`, or a field that is mapped to one of them",
      remedy: "Add `id` or `email`, or map a field of the form through the management API.",
    },
  ),
  unknownLastStatus: faultText("invalid", '_last_status must be one of "", bounced, sent and suppressed', {
    seen: "Track v2",
    expected: '`""`, `bounced`, `sent` or `suppressed`',
    remedy: "Send one of the listed values, or leave `_last_status` out.",
  }),
}
