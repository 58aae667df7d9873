import { errorText, faultText } from "./ErrorText.ts"

const dropped = "activity entries (`dropped`)"
const partial = "activity entries (`partial`)"

/** Reasons why an operation is dropped. Most reasons say that a person or an object in the request does not exist. */
export const dropReasons = {
  unknownSvcId: errorText("unknown svc_id (no person has it)", {
    seen: dropped,
    expected: "the `svc_id` of a person who exists",
    remedy:
      "Find the person by id or email. A person with this `svc_id` was deleted, was merged into another person, or belongs to another workspace.",
  }),
  noPersonToDelete: errorText("the person to delete does not exist", {
    seen: dropped,
    expected: "an identifier that a person has, or that stored events contain although no person has it yet",
    remedy: "If the person was deleted before, do nothing. Otherwise correct the identifier.",
  }),
  noPersonToUpdate: errorText("the person to update does not exist", {
    seen: dropped,
    expected: "a person who exists, because `_update: true` only updates",
    remedy: "Identify the person first, or leave `_update` out.",
  }),
  noPerson: errorText("no person has this identifier", {
    seen: dropped,
    expected: "a person who exists",
    remedy:
      "Nothing to do: the device or relationship that the call removes does not exist either. Correct the identifier if you expected a person with this identifier.",
  }),
  noPrimary: errorText("the primary person of the merge does not exist", {
    seen: dropped,
    expected: "two people who exist",
    remedy: "Identify the primary before the merge.",
  }),
  noSecondary: errorText("the secondary person of the merge does not exist", {
    seen: dropped,
    expected: "two people who exist",
    remedy: "If the two people were merged before, do nothing. Otherwise correct `secondary`.",
  }),
  samePerson: errorText("primary and secondary are the same person", {
    seen: dropped,
    expected: "two different people",
    remedy: "If the two people were merged before, do nothing. Otherwise correct one of the identifiers.",
  }),
  noPrevious: errorText("no person or visitor has the previous id", {
    seen: dropped,
    expected: "a `previousId` that was used before",
    remedy: "Send the alias after the first call that uses the previous id.",
  }),
  tooMuchMerged: errorText("the two people have {total} {what} together; a merge can have at most {max}", {
    seen: dropped,
    expected: "two people who together have at most twice the workspace's limit",
    remedy:
      "Find out why so many people are merged into this person. The cause is often a shared id or email. Otherwise raise the limit of the workspace.",
  }),
  notSuppressible: errorText("only an id or an email can be suppressed", {
    seen: dropped,
    expected: "an `id` or `email`",
    remedy: "Identify the person by `id` or `email`.",
  }),
  notSuppressed: errorText("this identifier is not suppressed", {
    seen: dropped,
    expected: "a suppressed identifier",
    remedy:
      "Nothing to do: calls with this identifier are already accepted. Correct the identifier if you expected a suppression.",
  }),
  unknownRecipient: errorText("the person of the delivery does not exist", {
    seen: "activity entries (`dropped`), management API (422)",
    expected: "a person who exists",
    remedy: "Identify the person, then register the delivery again.",
  }),
  unknownDelivery: errorText("unknown delivery (no delivery has this id)", {
    seen: dropped,
    expected: "a delivery that was registered, or for which a metric (such as `opened`) was reported",
    remedy:
      "Register each delivery through the management API before you send its message. Inlet drops an unsubscribe that names an unknown delivery.",
  }),
  noRecipient: errorText("the delivery is not registered with a person", {
    seen: dropped,
    expected: "a delivery that was registered with its person",
    remedy: "Register the delivery with its person.",
  }),
  unknownSvcObjectId: errorText("no object has this svc_object_id", {
    seen: dropped,
    expected: "the `svc_object_id` of an object that exists",
    remedy: "Name the object by type and id. If no object has this type and id, Inlet creates the object.",
  }),
  unknownObject: errorText("the object does not exist", {
    seen: dropped,
    expected: "an object that exists",
    remedy:
      "Nothing to do: the object or relationship that the call removes does not exist. Correct the type and id if you expected the object to exist.",
  }),
  unknownForm: errorText("form not found", {
    seen: dropped,
    expected: "a form with at least one submission",
    remedy: "Submit the form once before you map its fields.",
  }),
  unknownSegment: errorText("segment not found", {
    seen: dropped,
    expected: "a segment that exists",
    remedy: "Create the segment, or correct its id.",
  }),
}

/** The reasons that log entries show for ignored operations, duplicate operations and exceeded request rates. */
export const entryReasons = {
  suppressed: errorText("the request names a suppressed person", {
    seen: "activity entries (`ignored`)",
    expected: "a person who is not suppressed",
    remedy: "Unsuppress the person if they may be contacted again.",
  }),
  duplicate: errorText("an operation with this id was received before", {
    seen: "activity entries (`duplicate`)",
    expected: "a different `id` or `messageId` for each event",
    remedy:
      "If the client retried, do nothing: Inlet processed the first arrival. Otherwise give each event its own id.",
  }),
  rateExceeded: errorText("{requests} requests in {seconds} seconds, but at most {max} are allowed", {
    seen: "activity entries of the workspace",
    expected: "a rate of at most `rate_requests`",
    remedy: "Send batches, or raise `rate_requests` of the workspace.",
  }),
}

/** Faults found while an operation is decided. In most cases, the part at fault is left out and the rest is applied. */
export const decisionFaults = {
  takenIdentifier: faultText("invalid", "{name} belongs to another person", {
    seen: partial,
    rule: "contract §6 taken identifiers",
    expected: "an identifier that no other person has",
    remedy: "If both are the same person, merge the two people.",
  }),
  fixedIdentifier: faultText("invalid", "{name} is already set; to change it, address the person by svc_id", {
    seen: partial,
    rule: "contract §6 identifier changes",
    expected: "a person who does not have this kind of identifier yet",
    remedy:
      "Address the person by `svc_id` to change the identifier. If calls that address a person by id should be able to change the email, turn on the workspace setting `email_update_by_id`.",
  }),
  tooManyMergedIdentifiers: faultText(
    "too_many",
    "{name} is left out: at most {max} visitors and identifiers can be merged into one person",
    {
      seen: partial,
      rule: "contract §16 limits of a person",
      expected: "fewer visitors and identifiers for one person",
      remedy:
        "Find out why so many visitors are identified as this person. The cause is often a shared id or email.",
    },
  ),
  tooManyAnonymousIds: faultText("too_many", "a person has at most {max} anonymous ids", {
    seen: partial,
    rule: "contract §16 limits of a person",
    expected: "fewer anonymous ids for one person",
    remedy:
      "Find out why so many visitors are identified as this person. The cause is often a shared id or email.",
  }),
  emailNotRemovable: faultText(
    "invalid",
    "email can be removed only from a person who has an id and is addressed by id or svc_id",
    {
      seen: partial,
      rule: "contract §16 email removal",
      expected: "a person who has an id, addressed by `id` or `svc_id`",
      remedy: "Address the person by id or `svc_id`.",
    },
  ),
  notEmail: faultText("invalid", "email must be an address such as name@example.com, without spaces", {
    seen: partial,
    rule: "contract §16 email",
    expected: "a string without spaces that has an `@` with at least one character on each side",
    remedy: "Correct the address.",
  }),
  unknownPerson: faultText("invalid", "unknown svc_id (no person has it)", {
    seen: partial,
    rule: "contract §9 person entries",
    expected: "the `svc_id` of a person who exists",
    remedy: "Correct the `svc_id`, or name the person by id or email.",
  }),
  suppressedPerson: faultText("invalid", "the person is suppressed", {
    seen: partial,
    rule: "contract §6 suppressed calls",
    expected: "a person who is not suppressed",
    remedy: "Unsuppress the person first.",
  }),
  unknownObject: faultText("invalid", "no object has this svc_object_id", {
    seen: partial,
    rule: "contract §9 svc_object_id",
    expected: "the `svc_object_id` of an object that exists",
    remedy: "Name the object by type and id.",
  }),
  tooManyRelationships: faultText("too_many", "a person has at most {max} relationships", {
    seen: partial,
    rule: "contract §16 limits of a person",
    expected: "fewer relationships for one person",
    remedy: "Delete relationships that are not needed, or raise `relationships_per_person` of the workspace.",
  }),
  tooManyDevices: faultText("too_many", "a person has at most {max} devices", {
    seen: partial,
    rule: "contract §16 limits of a person",
    expected: "fewer devices for one person",
    remedy: "Delete devices that are not used, or raise `devices_per_person` of the workspace.",
  }),
  tooMuchHeld: faultText(
    "too_large",
    "the devices and relationships of a person have at most {bytes} bytes in all",
    {
      seen: partial,
      rule: "contract §16 limits of a person",
      expected: "smaller attributes of devices and relationships",
      remedy: "Send fewer or shorter attributes, or delete devices and relationships that are not needed.",
    },
  ),
  tooManyAttributes: faultText("too_many", "{owner} has at most {max} attributes", {
    seen: partial,
    rule: "contract §6 attribute limits",
    expected: "fewer attributes",
    remedy: "Remove attributes that are not needed, or raise the limit of the workspace.",
  }),
  attributesTooLarge: faultText(
    "too_large",
    "the attributes of {owner} cannot be larger than {bytes} bytes in all",
    {
      seen: partial,
      rule: "contract §6 attribute limits",
      expected: "smaller attributes",
      remedy: "Remove attributes that are not needed, or raise `object_attributes_bytes` of the workspace.",
    },
  ),
  fullWorkspace: faultText(
    "too_many",
    "the workspace is full: it stores at most {max} people, objects, forms, deliveries, and identifiers of unknown people",
    {
      seen: "activity entries (`rejected`)",
      expected: "fewer records than `records_max` of the workspace",
      remedy:
        "Delete people and objects that are not needed, or raise `records_max` of the workspace. Then send the call again.",
    },
  ),
  preferencesNotObject: faultText("invalid", "{field} must be an object", {
    seen: partial,
    rule: "contract §16 preferences",
    expected: "an object with `topics`",
    remedy: "Send an object with `topics`.",
  }),
  tooManyTopics: faultText(
    "too_many",
    "{field} is left out: a person has at most {max} topics of subscription preferences",
    {
      seen: "activity entries (`partial`), Track (400)",
      rule: "contract §16 preferences",
      expected: "fewer topics for one person",
      remedy: "Remove topics that are not used, or raise `topics_per_person` of the workspace.",
    },
  ),
  preferencesTooLarge: faultText(
    "too_large",
    "{field} is left out: the subscription preferences of a person have at most {bytes} bytes in all",
    {
      seen: "activity entries (`partial`), Track (400)",
      rule: "contract §16 preferences",
      expected: "smaller preferences",
      remedy: "Remove topics that are not used, or raise `preferences_bytes` of the workspace.",
    },
  ),
  noRespondent: faultText(
    "required",
    "data must contain an id or an email, or a field that is mapped to id or email",
    {
      seen: "activity entries (`rejected`)",
      expected: "a field with the id or email address of the person who submitted the form",
      remedy: "Map a field of the form to `id` or `email` through the management API.",
    },
  ),
  tooManyFields: faultText("too_many", "a form has at most {max} fields", {
    seen: "activity entries (`partial`), management API (400)",
    rule: "contract §12 form fields",
    expected: "fewer distinct fields in the form's submissions and mapping",
    remedy: "Remove fields from the form. This limit is fixed.",
  }),
  segmentNotFound: faultText("invalid", "segment not found", {
    seen: "activity entries (`rejected`)",
    expected: "a segment that exists",
    remedy: "Create the segment, or correct its id.",
  }),
  segmentByRule: faultText("invalid", "the rule of the segment decides who is in it", {
    seen: "Track v1 and v2 (400), activity entries (`rejected`)",
    expected: "a segment without a rule",
    remedy: "Change the data that the rule reads, or use a segment without a rule.",
  }),
  segmentInUse: faultText("invalid", "the rule of segment {user} names this segment", {
    seen: "management API (400), activity entries (`rejected`)",
    expected: "a segment that no rule names",
    remedy: "Delete the other segment first, or give it another rule.",
  }),
  invalidRule: faultText("invalid", "the rule is not valid: {message}", {
    seen: "management API (400), activity entries (`rejected`)",
    expected: "a rule of the rule language",
    remedy: "Correct the part of the rule that the path names.",
  }),
  tooManyRules: faultText("too_many", "a workspace has at most {max} segments with rules", {
    seen: "management API (400)",
    expected: "fewer segments with rules",
    remedy: "Delete segments that nobody uses. This limit is fixed.",
  }),
  tooManyRuleLeaves: faultText("too_many", "the rules of a workspace have at most {max} different leaves", {
    seen: "management API (400)",
    expected: "rules that share their conditions",
    remedy: "Delete segments that nobody uses. This limit is fixed.",
  }),
  tooManyRegistrations: faultText("too_many", "a delivery can be registered for at most {max} people", {
    seen: "management API (400)",
    expected: "a delivery id that is registered for fewer people",
    remedy: "Use a separate delivery id for each message to each person.",
  }),
  stale: faultText("stale", "a newer value is already stored", {
    seen: partial,
    rule: "contract §16 stale",
    expected: "an update that is newer than the stored value",
    remedy:
      "If updates arrived out of order, do nothing: the newer value is right. Otherwise check the sender's clock.",
  }),
}

/** Errors of a store that cannot read or commit. */
export const storeTexts = {
  unavailable: errorText("the store cannot {operation} now", {
    seen: "management API: 503 with `Retry-After`; the server's log",
    expected: "a store that can read and commit",
    remedy: "Check disk space and file permissions. Inlet recovers by itself once the cause is removed.",
  }),
  overloaded: errorText("the commit queue is full", {
    seen: "management API: 503 with `Retry-After`; the server's log",
    expected: "space in the queue",
    remedy: "Send the request again later. If the error persists, the disk is too slow for the load.",
  }),
  workspaceDeleted: errorText("workspace {workspace} was deleted", {
    seen: "management API: 404, for a call that was in progress when the workspace was deleted",
    expected: "a workspace that exists",
    remedy: "Use another workspace. The call changed nothing.",
  }),
  lastWorkspace: errorText("the last workspace cannot be deleted", {
    seen: "management API, deleting a workspace: 409",
    expected: "another workspace in the installation",
    remedy: "Create another workspace first. To remove everything, stop the server and remove its data.",
  }),
  tooManyWorkspaces: errorText("this store cannot have more than {max} workspaces", {
    seen: "management API, workspaces: 409",
    expected: "fewer workspaces in one installation",
    remedy: "Use an existing workspace, or create the workspace in another installation.",
  }),
  tooManyTokens: errorText("this installation cannot have more than {max} management tokens", {
    seen: "management API, tokens: 409",
    expected: "fewer management tokens, expired ones included",
    remedy: "Revoke tokens that nobody uses.",
  }),
}
