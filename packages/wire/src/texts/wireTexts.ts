import { catalogue, errorText, faultText } from "@inlethq/core/log/ErrorText"

/** Error texts for invalid credentials and for an unknown segment. */
export const answerTexts = {
  unauthorized: errorText(
    "Unauthorized request",
    "Send the site id and an API key of the workspace as Basic credentials. A lost key is replaced by a new one.",
  ),
  invalidWriteKey: errorText("the write key is not valid", "Correct the key, or create a new key."),
  segmentNotFound: errorText(
    "The segment was not found.",
    "Create the segment through the management API, or correct its id.",
  ),
}

/** Faults that concern a request as a whole. */
export const requestTexts = catalogue("request_", {
  malformed: faultText(
    "malformed",
    "the body is not valid JSON",
    "Send the body as JSON. `Content-Type` does not matter.",
  ),
  malformedAt: faultText(
    "malformed",
    "the body is not valid JSON: at byte {offset} it has {found}",
    "Write the body with a JSON library. The entry of the call keeps the beginning of the body as it was sent.",
  ),
  malformedInItem: faultText(
    "malformed",
    "the body is not valid JSON: at byte {offset}, in item {item} of the batch, it has {found}",
    "Write the body with a JSON library. Nothing of the batch was applied, because its other items cannot be told apart.",
  ),
  notUtf8: faultText(
    "malformed",
    "the body is not valid JSON: it is not UTF-8, since byte {offset} is 0x{byte}",
    "Encode the body as UTF-8.",
  ),
  gzipWithoutHeader: faultText(
    "malformed",
    "the body is not valid JSON: it is compressed with gzip, but the call has no Content-Encoding header that says so",
    "Send the header `Content-Encoding: gzip`, or do not compress the body.",
  ),
  form: faultText(
    "malformed",
    "the body is not valid JSON: it is a form",
    "Send the fields as a JSON object.",
  ),
  empty: faultText(
    "malformed",
    "the body is not valid JSON: it is empty",
    "Send the fields as a JSON object.",
  ),
  bodyNotObject: faultText(
    "invalid",
    "the body must be a JSON object",
    "Put the fields of the call into an object.",
  ),
  itemNotObject: faultText(
    "invalid",
    "the item must be a JSON object",
    "Correct the item that the response names.",
  ),
  tooLarge: faultText(
    "too_large",
    "the request cannot be larger than {bytes} bytes",
    "Send less in one call, or raise `request_bytes` or `batch_bytes` of the workspace.",
  ),
  itemTooLarge: faultText(
    "too_large",
    "an item of a batch cannot be larger than {bytes} bytes",
    "Make the item smaller, or raise `batch_item_bytes` of the workspace.",
  ),
  shortItems: faultText(
    "too_many",
    "the items of this batch are too short to be valid: a batch of more than {max} items must have at least {bytes} bytes per item on average",
    "Remove empty or truncated items from the batch.",
  ),
  moreFaults: faultText(
    "too_many",
    "{count} more faults are not listed",
    "Correct the listed faults, then send the call again to see the other faults.",
  ),
  notApplied: faultText(
    "invalid",
    "the item is invalid; its activity entry has the details",
    "Look up the item's activity entry. Its id is the batch's operation id, a hyphen and `batch_index`.",
  ),
  unknownType: faultText(
    "unknown_type",
    "unknown type {type}: expected person, object or delivery",
    "Correct `type`.",
  ),
  unknownAction: faultText(
    "unknown_action",
    "unknown action {action} for {type}: expected {actions}",
    "Correct `action`.",
  ),
  unknownMerge: faultText(
    "invalid",
    "{field} must be the key of a merge into the primary that can be undone",
    "Replay the merge first. It can be undone for 30 days, and as long as the log keeps its entry.",
  ),
})

/** Faults that any single value can have. */
export const valueTexts = catalogue("value_", {
  missing: faultText("required", "{field} must be present", "Send the field."),
  notObject: faultText("invalid", "{field} must be an object", "Send an object."),
  notArray: faultText("invalid", "{field} must be an array", "Send an array."),
  inexactInteger: faultText(
    "invalid",
    "{field} must be a string or an integer up to 2^53",
    "Send large numbers as strings.",
  ),
  notText: faultText(
    "invalid",
    "{field} must be a string",
    "Send a string. Large numbers must be strings too.",
  ),
  notBoolean: faultText(
    "invalid",
    "{field} must be a boolean",
    "Send `true` or `false`. A missing field counts as true.",
  ),
  halfCharacter: faultText(
    "invalid",
    "half a character (a lone surrogate) was replaced by U+FFFD",
    "Do not cut texts inside a character such as an emoji.",
    "contract §6 half characters",
  ),
  topicNotBoolean: faultText(
    "invalid",
    "a topic must be true or false, not a text",
    "Send topics as true or false.",
    "contract §5 preferences",
  ),
  textTooLong: faultText("too_long", "{field} cannot be longer than {bytes} bytes", "Shorten the value."),
  notOneOf: faultText("invalid", "{field} must be one of {values}", "Send one of the listed values."),
  unreadableTime: faultText(
    "invalid",
    "{name} must be Unix seconds or an ISO 8601 date-time",
    "Correct the time. Inlet left it out and applied the rest: an event without a time of its own is dated at its receipt.",
    "contract §6 unreadable times",
  ),
  implausibleYear: faultText(
    "invalid",
    "{name} is in the year {year}, but a time must be from 1970 to 2200",
    "Correct the sender's clock, its calendar, or the unit of its times. Inlet left this time out and applied the rest: an event without a time of its own is dated at its receipt.",
    "contract §6 unreadable times",
  ),
  futureTime: faultText(
    "invalid",
    "{name} is {time}, more than one day later than the time of receipt",
    "Correct the sender's clock. If the item has no other time, Inlet used the receipt time.",
    "contract §8 future times",
  ),
})

/** Faults of identifiers. Several of these texts are prescribed by the hosted service's documentation. */
export const identifierTexts = catalogue("identifier_", {
  missing: faultText(
    "required",
    "id attribute must be present",
    "Put an id, an email address or a `svc_id` into the path or into `userId`.",
  ),
  empty: faultText(
    "invalid",
    "id attribute cannot be an empty string",
    "Leave `id` out, or send the person's id.",
  ),
  notText: faultText(
    "invalid",
    "{kind} attribute must be a string value",
    "Send the identifier as a string.",
  ),
  tooLong: faultText(
    "too_long",
    "{kind} attribute cannot be longer than {bytes} bytes",
    "Shorten the identifier, or raise `person_id_bytes` of the workspace.",
  ),
  notUsed: faultText(
    "invalid",
    "{kind} does not identify people in this workspace",
    "Use another kind of identifier. The workspace setting `identifiers` lists the allowed kinds.",
  ),
  anonymousNotAllowed: faultText(
    "invalid",
    "anonymous_id cannot be used for this action",
    "Identify the person by `id`, `email` or `svc_id`.",
  ),
  notEmailOnly: faultText(
    "invalid",
    "invalid identifier: this workspace identifies people by email; send an email or a svc_id",
    "Identify the person by an email address or a `svc_id`.",
  ),
  placeholder: faultText(
    "invalid",
    "{field} is a placeholder for an identifier that was not set, which this workspace refuses",
    "Send the call without the identifier, or with the right one. The workspace setting `placeholder_ids` decides.",
    "contract §6 placeholders",
  ),
  halfCharacter: faultText(
    "invalid",
    "an identifier cannot contain half a character (a lone surrogate)",
    "Do not cut identifiers inside a character such as an emoji.",
    "contract §6 half characters",
  ),
  notEmail: faultText(
    "invalid",
    "email must be an address such as name@example.com, without spaces",
    "Correct the address.",
    "contract §6 valid email",
  ),
  leadingEmailRemoved: faultText(
    "invalid",
    "email cannot be removed by a request that identifies the person by email",
    "Identify the person by id or `svc_id` to remove the email.",
    "contract §6 email removal",
  ),
  none: faultText(
    "required",
    "{field} must contain an id, email or svc_id",
    "Add an `id`, `email` or `svc_id`.",
  ),
  notExactlyOne: faultText(
    "invalid",
    "{field} must contain exactly one identifier",
    "Send one identifier and remove the others.",
  ),
  differs: faultText(
    "invalid",
    "{kind} differs from the {kind} that addresses the person",
    "Address the person by `svc_id` to change an identifier.",
    "contract §6 path and body",
  ),
  idOfVisitor: faultText(
    "invalid",
    "id cannot be given to an anonymous visitor",
    "Send `userId` with the anonymous id to identify the visitor as a person.",
  ),
})

/** Faults of attributes. Several of these texts are prescribed by the hosted service's documentation. */
export const attributeTexts = catalogue("attribute_", {
  nameTooLong: faultText(
    "too_long",
    "attribute name cannot be longer than {bytes} bytes",
    "Shorten the name, or raise `attribute_name_bytes` of the workspace.",
  ),
  nameTooLongNamed: faultText(
    "too_long",
    "attribute name cannot be longer than {bytes} bytes; left out: {names}",
    "Shorten the name, or raise `attribute_name_bytes` of the workspace. Inlet applied the other attributes.",
  ),
  valueTooLong: faultText(
    "too_long",
    "value for attribute '{attribute}' cannot be longer than {bytes} bytes",
    "Shorten the value, or raise `attribute_value_bytes` of the workspace.",
  ),
  outOfRange: faultText(
    "invalid",
    "value for attribute '{attribute}' is a number out of range",
    "Send the number as a string.",
  ),
  unfit: faultText(
    "invalid",
    "value for attribute '{attribute}' is nested deeper than {levels} levels or contains a number out of range",
    "Flatten the value, or send large numbers as strings.",
  ),
  tooMany: faultText(
    "too_many",
    "cannot identify more than {max} attributes in one request",
    "Send fewer attributes, or raise `attributes_per_person` of the workspace.",
  ),
  tooManyNamed: faultText(
    "too_many",
    "cannot identify more than {max} attributes in one request; left out: {names}",
    "Send fewer attributes, or raise `attributes_per_person` of the workspace. Inlet applied the other attributes.",
  ),
  tooManyOfObject: faultText(
    "too_many",
    "{field} cannot have more than {max} attributes",
    "Send fewer attributes, or raise `attributes_per_object` of the workspace.",
  ),
  tooManyOfObjectNamed: faultText(
    "too_many",
    "{field} cannot have more than {max} attributes; left out: {names}",
    "Send fewer attributes, or raise `attributes_per_object` of the workspace. Inlet applied the other attributes.",
  ),
  tooLargeOfObject: faultText(
    "too_large",
    "{field} cannot be larger than {bytes} bytes in all",
    "Send fewer or shorter attributes, or raise `object_attributes_bytes` of the workspace.",
  ),
  tooLargeOfObjectNamed: faultText(
    "too_large",
    "{field} cannot be larger than {bytes} bytes in all; left out: {names}",
    "Send fewer or shorter attributes, or raise `object_attributes_bytes` of the workspace. Inlet applied the other attributes.",
  ),
})

/** Faults of events. Several of these texts are prescribed by the hosted service's documentation. */
export const eventTexts = catalogue("event_", {
  nameNotText: faultText("invalid", "event name must be a string", "Send the name as a string."),
  nameBlank: faultText("required", "event name must not be blank", "Send the event's name."),
  nameTooLong: faultText(
    "too_long",
    "event name cannot be longer than {bytes} bytes",
    "Shorten the name, or raise `event_name_bytes` of the workspace.",
  ),
  dataNotObject: faultText("invalid", "event data must be a hash", "Put the event's data into an object."),
  dataTooLong: faultText(
    "too_large",
    "event data cannot be longer than {bytes} bytes",
    "Send less data, or raise `event_data_bytes` of the workspace.",
  ),
  dataUnfit: faultText(
    "invalid",
    "event data '{key}' is nested deeper than {levels} levels or contains a number out of range",
    "Flatten the data, or send large numbers as strings.",
  ),
  unknownType: faultText(
    "unknown_type",
    "event type must be one of event, page and screen",
    "Correct `type`, or leave it out.",
  ),
})

/** Faults that only requests about relationships, segments, forms or devices can have. */
export const resourceTexts = catalogue("resource_", {
  unknownRelationshipAction: faultText(
    "unknown_action",
    "{field} must be add_relationships or delete_relationships",
    "Correct `action`.",
  ),
  addedBesideRemoval: faultText(
    "invalid",
    "{field} cannot add a relationship in a call that also removes relationships",
    "Send one call that adds relationships and another call that removes relationships.",
  ),
  onlyAdded: faultText(
    "invalid",
    "{field} of an object identify can only add relationships",
    "To remove relationships, send an item with the action `delete_relationships`.",
  ),
  noIds: faultText("required", "ids must contain at least one id", "Add at least one id."),
  tooManyIds: faultText(
    "too_many",
    "ids cannot contain more than {max} ids",
    "Send several calls, or raise `segment_ids` of the workspace.",
  ),
  unknownIdType: faultText(
    "invalid",
    "id_type must be one of id, email and svc_id",
    "Correct `id_type` in the query.",
  ),
  fieldWithoutName: faultText("invalid", "a field of the form must have a name", "Name the field."),
  tooManyFields: faultText(
    "too_many",
    "a form cannot have more than {max} fields",
    "Remove fields. This limit is fixed.",
  ),
  noRespondent: faultText(
    "required",
    "data must contain a field that identifies the respondent by id or email",
    "Add `id` or `email`, or map a field of the form through the management API.",
  ),
  unknownLastStatus: faultText(
    "invalid",
    '_last_status must be one of "", bounced, sent and suppressed',
    "Send one of the listed values, or leave `_last_status` out.",
  ),
})
