import { errorText, faultText } from "@inlet/core/log/ErrorText"

const everywhere = "Track, Pipelines"

/** Texts of answers that do not concern the content of a request. */
export const answerTexts = {
  unauthorized: errorText("Unauthorized request", {
    seen: "Track: 401",
    expected: "site id and API key of a workspace, as Basic credentials",
    remedy: "Correct the credentials, or create a key.",
  }),
  invalidWriteKey: errorText("the write key is not valid", {
    seen: "Pipelines in strict mode: 401",
    expected: "a known write key in the header or in the body",
    remedy: "Correct the key, or create one.",
  }),
  segmentNotFound: errorText("The segment was not found.", {
    seen: "Track v1 segments: 404, `text/plain`",
    expected: "a manual segment that exists",
    remedy: "Create the segment through the management API, or correct its id.",
  }),
}

/** Faults of a request as a whole. */
export const requestFaults = {
  malformed: faultText("malformed", "the body is not valid JSON", {
    seen: everywhere,
    expected: "JSON",
    remedy: "Send the body as JSON, whatever its content type.",
  }),
  bodyNotObject: faultText("invalid", "the body must be a JSON object", {
    seen: everywhere,
    expected: "a JSON object",
    remedy: "Put the fields of the call into an object.",
  }),
  itemNotObject: faultText("invalid", "the item must be a JSON object", {
    seen: everywhere,
    expected: "a JSON object for each item of a batch",
    remedy: "Correct the item that the answer names.",
  }),
  tooLarge: faultText("too_large", "the request cannot be larger than {bytes} bytes", {
    seen: "Track (413), Pipelines (400 in strict mode)",
    expected: "a body within the limit, inflated",
    remedy: "Send less in one call, or raise `request_bytes` or `batch_bytes` of the workspace.",
  }),
  itemTooLarge: faultText("too_large", "an item of a batch cannot be larger than {bytes} bytes", {
    seen: everywhere,
    expected: "items within the limit",
    remedy: "Make the item smaller, or raise `batch_item_bytes` of the workspace.",
  }),
  shortItems: faultText(
    "too_many",
    "a batch of more than {max} items must have at least {bytes} bytes an item",
    {
      seen: everywhere,
      expected: "items that are valid, and therefore longer",
      remedy: "Correct the items.",
    },
  ),
  moreFaults: faultText("too_many", "{count} more faults are left out", {
    seen: everywhere,
    expected: "at most 10 faults an operation",
    remedy: "Correct the faults that are listed, and send it again to see the others.",
  }),
  notApplied: faultText("invalid", "refused: see its activity entry for the reason", {
    seen: "Track v2 `/batch`, in place of an item's own message",
    expected: "fewer faults in one batch",
    remedy: "Look up the item's activity entry. The errors of one batch fill at most 1 MB.",
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

/** Faults of a single value. */
export const valueFaults = {
  missing: faultText("required", "{field} must be present", {
    seen: everywhere,
    expected: "a value that is neither null nor empty",
    remedy: "Send the field.",
  }),
  notObject: faultText("invalid", "{field} must be an object", {
    seen: everywhere,
    expected: "a JSON object",
    remedy: "Correct the value.",
  }),
  notArray: faultText("invalid", "{field} must be an array", {
    seen: everywhere,
    expected: "a JSON array",
    remedy: "Correct the value.",
  }),
  inexactInteger: faultText("invalid", "{field} must be a string or an integer up to 2^53", {
    seen: everywhere,
    expected: "a text, or an integer that a 64-bit float holds exactly",
    remedy: "Send large numbers as text.",
  }),
  notText: faultText("invalid", "{field} must be a string", {
    seen: everywhere,
    expected: "a text, or for ids an integer up to 2^53",
    remedy: "Correct the value. Send large numbers as text.",
  }),
  notBoolean: faultText("invalid", "{field} must be a boolean", {
    seen: "Track, on unsubscribes",
    expected: "true or false",
    remedy: "Correct the value. Without the field it is true.",
  }),
  textTooLong: faultText("too_long", "{field} cannot be longer than {bytes} bytes", {
    seen: everywhere,
    expected: "a text within the limit, in bytes of UTF-8",
    remedy: "Shorten the value.",
  }),
  notOneOf: faultText("invalid", "{field} must be one of {values}", {
    seen: everywhere,
    expected: "one of the values that the message lists",
    remedy: "Correct the value.",
  }),
  unreadableTime: faultText("invalid", "{name} must be Unix seconds or an ISO 8601 date-time", {
    seen: everywhere,
    expected: "Unix seconds as number or text, or ISO 8601",
    remedy: "Correct the value. Invalid times of events are refused, other times are left out.",
  }),
  futureTime: faultText("invalid", "{name} is more than a day ahead of receipt", {
    seen: "activity entries (`partial`)",
    expected: "a time at most one day after the server's",
    remedy: "Correct the sender's clock. The receipt time counts instead.",
  }),
}

/** Faults of identifiers. Several of these texts are documented by the hosted service. */
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
    expected: "a text, or an integer up to 2^53",
    remedy: "Send the identifier as text.",
  }),
  tooLong: faultText("too_long", "{kind} attribute cannot be longer than {bytes} bytes", {
    seen: everywhere,
    expected: "an identifier within the limit, in bytes of UTF-8",
    remedy: "Shorten it, or raise `person_id_bytes` of the workspace.",
  }),
  notUsed: faultText("invalid", "{kind} does not identify people in this workspace", {
    seen: everywhere,
    expected: "a kind of identifier that the workspace uses",
    remedy: "Use another identifier, or see the workspace's `identifiers`.",
  }),
  anonymousNotAllowed: faultText("invalid", "anonymous_id cannot be used for this action", {
    seen: "Track v2",
    expected: "`id`, `email` or `svc_id`",
    remedy: "Name the person by another identifier.",
  }),
  notEmailOnly: faultText(
    "invalid",
    "invalid identifier: this workspace identifies people by email; send an email or a svc_id",
    {
      seen: everywhere,
      expected: "an email address or a `svc_id`",
      remedy: "Name the person by email.",
    },
  ),
  notEmail: faultText("invalid", "email must be an address such as name@example.com, without spaces", {
    seen: everywhere,
    expected: "text without spaces, and an `@` with something on both sides",
    remedy: "Correct the address.",
  }),
  leadingEmailRemoved: faultText(
    "invalid",
    "email cannot be removed by a request that identifies the person by email",
    {
      seen: "activity entries (`partial`)",
      expected: "a person who is addressed by id or `svc_id`",
      remedy: "Address the person by another identifier to remove the email.",
    },
  ),
  none: faultText("required", "{field} must hold one of id, email and svc_id", {
    seen: "Track",
    expected: "an identifier",
    remedy: "Add one.",
  }),
  notExactlyOne: faultText("invalid", "{field} must hold exactly one identifier", {
    seen: "Track, on merges",
    expected: "one of `id`, `email` and `svc_id`",
    remedy: "Keep one identifier.",
  }),
  differs: faultText("invalid", "{kind} differs from the {kind} that is addressed", {
    seen: "activity entries (`partial`)",
    expected: "the same identifier in path and body",
    remedy: "Address the person by `svc_id` to change an identifier.",
  }),
  idOfVisitor: faultText("invalid", "id cannot be given to an anonymous visitor", {
    seen: "activity entries (`partial`)",
    expected: "an `email`, or a `userId` together with the anonymous id",
    remedy: "Identify the person first.",
  }),
}

/** The message of a Pipelines fault that also lists the attributes it leaves out. */
export const droppedNamesText = errorText("{message}; left out: {names}", {
  seen: "activity entries of Pipelines calls (`partial`)",
  expected: "as the first half of the message says",
  remedy: "Correct the listed attributes. The others were applied.",
})

/** Faults of attributes. Several of these texts are documented by the hosted service. */
export const attributeFaults = {
  nameTooLong: faultText("too_long", "attribute name cannot be longer than {bytes} bytes", {
    seen: everywhere,
    expected: "a name within the limit, in bytes of UTF-8",
    remedy: "Shorten it, or raise `attribute_name_bytes` of the workspace.",
  }),
  valueTooLong: faultText(
    "too_long",
    "value for attribute '{attribute}' cannot be longer than {bytes} bytes",
    {
      seen: everywhere,
      expected: "a value within the limit: bytes of a text, or of the JSON of anything else",
      remedy: "Shorten it, or raise `attribute_value_bytes` of the workspace.",
    },
  ),
  outOfRange: faultText("invalid", "value for attribute '{attribute}' is a number out of range", {
    seen: everywhere,
    expected: "a number that a 64-bit float can hold",
    remedy: "Send the number as text.",
  }),
  unfit: faultText(
    "invalid",
    "value for attribute '{attribute}' is nested deeper than {levels} levels or holds a number out of range",
    {
      seen: everywhere,
      expected: "flatter JSON, and numbers that a 64-bit float can hold",
      remedy: "Flatten the value, or send large numbers as text.",
    },
  ),
  tooMany: faultText("too_many", "cannot identify more than {max} attributes in one request", {
    seen: everywhere,
    expected: "fewer attributes",
    remedy: "Send fewer, or raise `attributes_per_person` of the workspace.",
  }),
  tooManyOfObject: faultText("too_many", "{field} cannot hold more than {max} attributes", {
    seen: everywhere,
    expected: "fewer attributes of an object or a relationship",
    remedy: "Send fewer, or raise `attributes_per_object` of the workspace.",
  }),
  tooLargeOfObject: faultText("too_large", "{field} cannot be larger than {bytes} bytes in all", {
    seen: everywhere,
    expected: "smaller attributes of an object or a relationship",
    remedy: "Send less, or raise `object_attributes_bytes` of the workspace.",
  }),
}

/** Faults of events. Several of these texts are documented by the hosted service. */
export const eventFaults = {
  nameNotText: faultText("invalid", "event name must be a string", {
    seen: everywhere,
    expected: "a text",
    remedy: "Correct the name.",
  }),
  nameBlank: faultText("required", "event name must not be blank", {
    seen: everywhere,
    expected: "a name with a character that is not a space",
    remedy: "Send the event's name.",
  }),
  nameTooLong: faultText("too_long", "event name cannot be longer than {bytes} bytes", {
    seen: everywhere,
    expected: "a name within the limit once trimmed, in bytes of UTF-8",
    remedy: "Shorten it, or raise `event_name_bytes` of the workspace.",
  }),
  dataNotObject: faultText("invalid", "event data must be a hash", {
    seen: everywhere,
    expected: "a JSON object",
    remedy: "Put the event's data into an object.",
  }),
  dataTooLong: faultText("too_large", "event data cannot be longer than {bytes} bytes", {
    seen: everywhere,
    expected: "data within the limit, in bytes of JSON",
    remedy: "Send less, or raise `event_data_bytes` of the workspace.",
  }),
  dataUnfit: faultText(
    "invalid",
    "event data '{key}' is nested deeper than {levels} levels or holds a number out of range",
    {
      seen: everywhere,
      expected: "flatter JSON, and numbers that a 64-bit float can hold",
      remedy: "Flatten the data, or send large numbers as text.",
    },
  ),
  unknownType: faultText("unknown_type", "event type must be one of event, page and screen", {
    seen: "Track v1",
    expected: "`event`, `page` or `screen`",
    remedy: "Correct `type`, or leave it out.",
  }),
}

/** Faults of relationships, segments, forms and devices. */
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
    "{field} cannot add a relationship in a call that also removes some",
    {
      seen: "Pipelines identify, Track v2 identify",
      expected: "relationships that are added, or relationships that are removed",
      remedy: "Send two calls.",
    },
  ),
  onlyAdded: faultText("invalid", "{field} must be add_relationships among the attributes of an object", {
    seen: "Track v2",
    expected: "`add_relationships`, or a list of relationships",
    remedy: "Send an item with the action `delete_relationships` to remove some.",
  }),
  noIds: faultText("required", "ids must hold at least one id", {
    seen: "Track v1 segments",
    expected: "1 to 1000 ids",
    remedy: "Add an id.",
  }),
  tooManyIds: faultText("too_many", "ids cannot hold more than {max} ids", {
    seen: "Track v1 segments",
    expected: "1 to 1000 ids",
    remedy: "Send several calls, or raise `segment_ids` of the workspace.",
  }),
  unknownIdType: faultText("invalid", "id_type must be one of id, email and svc_id", {
    seen: "Track v1 segments",
    expected: "`id`, `email` or `svc_id`",
    remedy: "Correct the query.",
  }),
  fieldWithoutName: faultText("invalid", "a field of the form must have a name", {
    seen: "Track v1 forms",
    expected: "a key that is not empty",
    remedy: "Name the field.",
  }),
  tooManyFields: faultText("too_many", "a form cannot have more than {max} fields", {
    seen: "Track v1 forms",
    expected: "fewer fields",
    remedy: "Send fewer fields.",
  }),
  noRespondent: faultText(
    "required",
    "data must hold a field that identifies the respondent by id or email",
    {
      seen: "Track v1 forms",
      expected: "`id`, `email`, or a field that is mapped to one of them",
      remedy: "Add one, or map the form's field through the management API.",
    },
  ),
  unknownLastStatus: faultText("invalid", '_last_status must be one of "", bounced, sent and suppressed', {
    seen: "Track v2",
    expected: "one of the four values",
    remedy: "Correct the value.",
  }),
}
