import { errorText, faultText } from "./ErrorText.ts"

const dropped = "activity entries (`dropped`)"
const partial = "activity entries (`partial`)"

/** Reasons for dropping an operation: it names a person or a thing that does not exist. */
export const dropReasons = {
  unknownSvcId: errorText("unknown svc_id", {
    seen: dropped,
    expected: "the `svc_id` of a person who exists",
    remedy: "The person was deleted or merged, or belongs to another workspace. Look them up by id or email.",
  }),
  noPersonToDelete: errorText("no such person to delete", {
    seen: dropped,
    expected: "a person, or stored events under this identifier",
    remedy: "Nothing, if the person was deleted before.",
  }),
  noPersonToUpdate: errorText("no such person to update", {
    seen: dropped,
    expected: "a person who exists, since the request says `_update`",
    remedy: "Identify the person first, or leave `_update` out.",
  }),
  noPerson: errorText("no person has this identifier", {
    seen: dropped,
    expected: "a person who exists",
    remedy: "Nothing. What should be removed is not there.",
  }),
  noPrimary: errorText("the primary does not exist", {
    seen: dropped,
    expected: "two people who exist",
    remedy: "Identify the primary before the merge.",
  }),
  noSecondary: errorText("the secondary does not exist", {
    seen: dropped,
    expected: "two people who exist",
    remedy: "Nothing, if they were merged before.",
  }),
  samePerson: errorText("primary and secondary are the same person", {
    seen: dropped,
    expected: "two different people",
    remedy: "Nothing, if they were merged before.",
  }),
  noPrevious: errorText("no person or visitor has the previous id", {
    seen: dropped,
    expected: "a `previousId` that was used before",
    remedy: "Send the alias after the first call under the previous id.",
  }),
  tooMuchMerged: errorText("the two people have {total} {what} together; a merge can have at most {max}", {
    seen: dropped,
    expected: "people who hold at most twice the limit together",
    remedy:
      "Check what merges everyone into this person. It is often a shared id or email. Otherwise raise the limit of the workspace.",
  }),
  notSuppressible: errorText("only an id or an email can be suppressed", {
    seen: dropped,
    expected: "an `id` or `email`",
    remedy: "Name the person by one of them.",
  }),
  notSuppressed: errorText("this identifier is not suppressed", {
    seen: dropped,
    expected: "a suppressed identifier",
    remedy: "Nothing.",
  }),
  unknownRecipient: errorText("the person of the delivery does not exist", {
    seen: "activity entries (`dropped`), management API (422)",
    expected: "a person who exists",
    remedy: "Identify the person before you register the delivery.",
  }),
  unknownDelivery: errorText("unknown delivery", {
    seen: dropped,
    expected: "a delivery that was reported or registered",
    remedy: "Register deliveries through the management API before people can unsubscribe by them.",
  }),
  noRecipient: errorText("the delivery has no known recipient", {
    seen: dropped,
    expected: "a delivery that was registered with its person",
    remedy: "Register the delivery with its person.",
  }),
  unknownSvcObjectId: errorText("no object has this svc_object_id", {
    seen: dropped,
    expected: "the `svc_object_id` of an object that exists",
    remedy: "Name the object by type and id, which also creates it.",
  }),
  unknownObject: errorText("no such object", {
    seen: dropped,
    expected: "an object that exists",
    remedy: "Nothing. What should be removed is not there.",
  }),
  unknownForm: errorText("form not found", {
    seen: dropped,
    expected: "a form with a submission",
    remedy: "Submit the form once before you map its fields.",
  }),
  unknownSegment: errorText("segment not found", {
    seen: dropped,
    expected: "a segment that exists",
    remedy: "Create the segment, or correct its id.",
  }),
}

/** Reasons of other entries without effect, and of entries about the workspace. */
export const entryReasons = {
  suppressed: errorText("suppressed", {
    seen: "activity entries (`ignored`)",
    expected: "a person who is not suppressed",
    remedy: "Unsuppress the person if they may be contacted again.",
  }),
  duplicate: errorText("an operation with this id was received before", {
    seen: "activity entries (`duplicate`)",
    expected: "an `id` or `messageId` of its own for each event",
    remedy: "Nothing, if the client retried.",
  }),
  rateExceeded: errorText("{requests} requests in {seconds} seconds; {max} are allowed", {
    seen: "activity entries of the workspace",
    expected: "a rate within `rate_requests`",
    remedy: "Send batches, or raise the limit.",
  }),
}

/** Faults found while an operation is decided. The parts at fault are left out and the rest is applied. */
export const decisionFaults = {
  takenIdentifier: faultText("invalid", "{name} belongs to another person", {
    seen: partial,
    expected: "an identifier that no other person has",
    remedy: "Merge the two people if they are one.",
  }),
  fixedIdentifier: faultText("invalid", "{name} is set already; address the person by svc_id", {
    seen: partial,
    expected: "a person without this kind of identifier",
    remedy: "Address the person by `svc_id` to change it, or allow `email_update_by_id`.",
  }),
  tooManyMergedIdentifiers: faultText(
    "too_many",
    "{name} cannot be taken: the person has taken over {max} visitors",
    {
      seen: partial,
      expected: "fewer visitors and identifiers of one person",
      remedy: "Check what identifies everyone as this person.",
    },
  ),
  tooManyAnonymousIds: faultText("too_many", "a person has at most {max} anonymous ids", {
    seen: partial,
    expected: "fewer anonymous ids of one person",
    remedy: "Check what identifies every visitor as this person.",
  }),
  emailNotRemovable: faultText(
    "invalid",
    "email can be removed only from a person who has an id and is addressed by id or svc_id",
    {
      seen: partial,
      expected: "a person with another identifier, addressed by it",
      remedy: "Address the person by id or `svc_id`.",
    },
  ),
  notEmail: faultText("invalid", "email must be an address such as name@example.com, without spaces", {
    seen: partial,
    expected: "text without spaces, and an `@` with something on both sides",
    remedy: "Correct the address.",
  }),
  unknownPerson: faultText("invalid", "nobody has this svc_id", {
    seen: partial,
    expected: "the `svc_id` of a person who exists",
    remedy: "Correct the entry, or name the person by id or email.",
  }),
  suppressedPerson: faultText("invalid", "the person is suppressed", {
    seen: partial,
    expected: "a person who is not suppressed",
    remedy: "Unsuppress the person first.",
  }),
  unknownObject: faultText("invalid", "no object has this svc_object_id", {
    seen: partial,
    expected: "the `svc_object_id` of an object that exists",
    remedy: "Name the object by type and id.",
  }),
  tooManyRelationships: faultText("too_many", "a person has at most {max} relationships", {
    seen: partial,
    expected: "fewer objects of one person",
    remedy: "Delete relationships that are not needed.",
  }),
  tooManyDevices: faultText("too_many", "a person has at most {max} devices", {
    seen: partial,
    expected: "fewer devices of one person",
    remedy: "Delete devices that are not used.",
  }),
  tooMuchHeld: faultText(
    "too_large",
    "the devices and relationships of a person have at most {bytes} bytes in all",
    {
      seen: partial,
      expected: "less data on devices and relationships",
      remedy: "Send fewer attributes of devices and relationships.",
    },
  ),
  tooManyAttributes: faultText("too_many", "{owner} has at most {max} attributes", {
    seen: partial,
    expected: "fewer attributes",
    remedy: "Remove attributes that are not needed, or raise the limit of the workspace.",
  }),
  attributesTooLarge: faultText("too_large", "the attributes of {owner} have at most {bytes} bytes in all", {
    seen: partial,
    expected: "smaller attributes",
    remedy: "Remove attributes that are not needed, or raise `object_attributes_bytes` of the workspace.",
  }),
  preferencesNotObject: faultText("invalid", "{field} must be an object", {
    seen: partial,
    expected: "an object with `topics`",
    remedy: "Correct the value.",
  }),
  tooManyTopics: faultText(
    "too_many",
    "{field} is left out: a person has at most {max} topics of subscription preferences",
    {
      seen: "activity entries (`partial`), Track (400)",
      expected: "fewer topics",
      remedy: "Remove topics that are not used, or raise `topics_per_person` of the workspace.",
    },
  ),
  preferencesTooLarge: faultText(
    "too_large",
    "{field} is left out: the subscription preferences of a person have at most {bytes} bytes in all",
    {
      seen: "activity entries (`partial`), Track (400)",
      expected: "smaller preferences",
      remedy: "Remove topics that are not used, or raise `preferences_bytes` of the workspace.",
    },
  ),
  noRespondent: faultText(
    "required",
    "data must hold an id or an email, or a field that is mapped to one of them",
    {
      seen: "activity entries (`rejected`)",
      expected: "a field that names the respondent",
      remedy: "Map the form's field through the management API.",
    },
  ),
  tooManyFields: faultText("too_many", "a form has at most {max} fields", {
    seen: "activity entries (`partial`), management API (400)",
    expected: "fewer fields",
    remedy: "Send fewer fields.",
  }),
  segmentNotFound: faultText("invalid", "segment not found", {
    seen: "activity entries (`rejected`)",
    expected: "a segment that exists",
    remedy: "Create the segment, or correct its id.",
  }),
  tooManyRegistrations: faultText("too_many", "a delivery can be registered for at most {max} people", {
    seen: "management API (400)",
    expected: "one person a delivery",
    remedy: "Give each message a delivery id of its own.",
  }),
  stale: faultText("stale", "a newer value is stored", {
    seen: partial,
    expected: "an update that is newer than the stored value",
    remedy: "Nothing, if updates arrived out of order. Otherwise check the sender's clock.",
  }),
}

/** Errors of a store that cannot read or commit. */
export const storeTexts = {
  unavailable: errorText("the store cannot {operation} now", {
    seen: "management API: 503 with `Retry-After`; the log",
    expected: "a store that can read and commit",
    remedy: "Check disk space and file permissions. Inlet recovers by itself once the cause is gone.",
  }),
  overloaded: errorText("too much is waiting to be committed", {
    seen: "management API: 503 with `Retry-After`; the log",
    expected: "room in the queue",
    remedy: "Send it again later. If it lasts, the disk is too slow for the load.",
  }),
}
