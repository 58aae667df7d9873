import { catalogue, errorText, faultText } from "./ErrorText.ts"

/** Reasons why an operation is dropped. Most reasons say that a person or an object in the request does not exist. */
export const dropTexts = catalogue("", {
  noSuchBuild: errorText(
    "the build of the rules has moved on",
    "Do nothing. The server continues the build.",
  ),
  unknownSvcId: errorText(
    "unknown svc_id (no person has it)",
    "Find the person by id or email. A person with this `svc_id` was deleted, was merged into another person, or belongs to another workspace.",
  ),
  svcIdGone: errorText(
    "the person with this svc_id was {became} by operation {operation}",
    "If that should stand, do nothing. Otherwise name the person by id or email, who may have another `svc_id`.",
  ),
  noPersonToDelete: errorText(
    "the person to delete does not exist",
    "If the person was deleted before, do nothing. Otherwise correct the identifier.",
  ),
  noPersonToUpdate: errorText(
    "the person to update does not exist",
    "Identify the person first, or leave `_update` out.",
  ),
  noPerson: errorText(
    "no person has this identifier",
    "Nothing to do: the device or relationship that the call removes does not exist either. Correct the identifier if you expected a person with this identifier.",
  ),
  noPrimary: errorText(
    "the primary person of the merge does not exist",
    "Identify the primary before the merge.",
  ),
  noSecondary: errorText(
    "the secondary person of the merge does not exist",
    "If the two people were merged before, do nothing. Otherwise correct `secondary`.",
  ),
  partyMerged: errorText(
    "the {party} of the merge was merged into another person by operation {operation}",
    "If the two are one person by now, do nothing. Otherwise name the person who remains.",
  ),
  partyDeleted: errorText(
    "the {party} of the merge was deleted by operation {operation}",
    "If the deletion should stand, do nothing. Otherwise identify the person again before the merge.",
  ),
  partyRenamed: errorText(
    "the {party} of the merge has another identifier since operation {operation}",
    "Name the person by the identifier that they have now.",
  ),
  samePerson: errorText(
    "primary and secondary are the same person",
    "If the two people were merged before, do nothing. Otherwise correct one of the identifiers.",
  ),
  notMerged: errorText(
    "the secondary is not merged into the primary, or no longer",
    "Read the merges of the primary again.",
  ),
  suppressedSince: errorText(
    "an identifier of the secondary was suppressed since the merge, so the secondary cannot return",
    "Lift the suppression first if the person asked for that.",
  ),
  noPrevious: errorText(
    "no person or visitor has the previous id",
    "Send the alias after the first call that uses the previous id.",
  ),
  tooMuchMerged: errorText(
    "the two people have {total} {what} together; a merge can have at most {max}",
    "Find out why so many people are merged into this person. The cause is often a shared id or email. Otherwise raise the limit of the workspace.",
  ),
  notSuppressible: errorText(
    "only an id or an email can be suppressed",
    "Identify the person by `id` or `email`.",
  ),
  notSuppressed: errorText(
    "this identifier is not suppressed",
    "Nothing to do: calls with this identifier are already accepted. Correct the identifier if you expected a suppression.",
  ),
  unknownRecipient: errorText(
    "the person of the delivery does not exist",
    "Identify the person, then register the delivery again.",
  ),
  unknownDelivery: errorText(
    "unknown delivery (no delivery has this id)",
    "Register each delivery through the management API before you send its message. Inlet drops an unsubscribe that names an unknown delivery.",
  ),
  noRecipient: errorText(
    "the delivery is not registered with a person",
    "Register the delivery with its person.",
  ),
  unknownSvcObjectId: errorText(
    "no object has this svc_object_id",
    "Name the object by type and id. If no object has this type and id, Inlet creates the object.",
  ),
  unknownObject: errorText(
    "the object does not exist",
    "Nothing to do: the object or relationship that the call removes does not exist. Correct the type and id if you expected the object to exist.",
  ),
  unknownForm: errorText("form not found", "Submit the form once before you map its fields."),
  unknownSegment: errorText("segment not found", "Create the segment, or correct its id."),
})

/** The reasons that log entries show for ignored operations, duplicate operations and exceeded request rates. */
export const ignoreTexts = catalogue("", {
  suppressed: errorText(
    "the request names a suppressed person",
    "Unsuppress the person if they may be contacted again.",
  ),
  duplicate: errorText(
    "an operation with this id was received before",
    "If the client retried, do nothing: Inlet processed the first arrival. Otherwise give each event its own id.",
  ),
  duplicateSame: errorText(
    "operation {operation} had this id before, with the same content",
    "If the client retried, do nothing: Inlet processed the first arrival. Otherwise give each event its own id.",
  ),
  duplicateOther: errorText(
    "operation {operation} had this id before, and its content differs",
    "Give each event its own id: this call was not applied, because an id stands for one operation.",
  ),
  duplicateOf: errorText(
    "operation {operation} had this id before",
    "If the client retried, do nothing: Inlet processed the first arrival. Otherwise give each call its own id.",
  ),
  bot: errorText("the user agent is that of a bot", "To keep them, set `bots` of the workspace to `mark`."),
  rateExceeded: errorText(
    "{requests} requests in {seconds} seconds, but at most {max} are allowed",
    "Send batches, or raise `rate_requests` of the workspace.",
  ),
})

/** What an entry says about an operation beside its outcome. */
export const noteTexts = catalogue("", {
  deletedBefore: errorText(
    "the {kind} was that of a person who was deleted by operation {operation}",
    "If the deletion should stand, find the client that still sends this person, and suppress the person to ignore further calls.",
  ),
  gainsUnlisted: errorText(
    "the entry does not list {count} more values that the person received",
    "Look at the person: everything has moved. The entry lists the first ones.",
  ),
  mergedBefore: errorText(
    "the {kind} was that of a person who was merged into another one by operation {operation}",
    "If both are the same person, merge them again, and let the client send the identifier of the one who remains.",
  ),
  replacedBefore: errorText(
    "the {kind} was that of another person, who has lost it by operation {operation}",
    "If both are the same person, merge them, and let the client send the identifier that the person has now.",
  ),
  placeholderId: errorText(
    "the {kind} {value} looks like a placeholder for one that was not set",
    "Find out why the client has no {kind}. Set `placeholder_ids` of the workspace to `reject` to refuse such calls.",
  ),
})

/** Faults found while an operation is decided. In most cases, the part at fault is left out and the rest is applied. */
export const decisionTexts = catalogue("", {
  changedSinceMerge: faultText(
    "stale",
    "{name} changed since the merge, so the primary keeps it",
    "Change it by hand, on one of the two people.",
    "contract §6 unmerge",
  ),
  goneSinceMerge: faultText(
    "stale",
    "{name} was removed since the merge",
    "Set it again on the secondary if it is still right.",
    "contract §6 unmerge",
  ),
  elsewhereSinceMerge: faultText(
    "stale",
    "{name} belongs to somebody else since the merge",
    "If both are the same person, merge the two people.",
    "contract §6 unmerge",
  ),
  takenIdentifier: faultText(
    "invalid",
    "{name} belongs to another person",
    "If both are the same person, merge the two people.",
    "contract §6 taken identifiers",
  ),
  fixedIdentifier: faultText(
    "invalid",
    "{name} is already set; to change it, address the person by svc_id",
    "Address the person by `svc_id` to change the identifier. If calls that address a person by id should be able to change the email, turn on the workspace setting `email_update_by_id`.",
    "contract §6 identifier changes",
  ),
  tooManyMergedIdentifiers: faultText(
    "too_many",
    "{name} is left out: at most {max} visitors and identifiers can be merged into one person",
    "Find out why so many visitors are identified as this person. The cause is often a shared id or email.",
    "contract §5 limits of a person",
  ),
  tooManyAnonymousIds: faultText(
    "too_many",
    "a person has at most {max} anonymous ids",
    "Find out why so many visitors are identified as this person. The cause is often a shared id or email.",
    "contract §5 limits of a person",
  ),
  emailNotRemovable: faultText(
    "invalid",
    "email can be removed only from a person who has an id and is addressed by id or svc_id",
    "Address the person by id or `svc_id`.",
    "contract §6 email removal",
  ),
  notEmail: faultText(
    "invalid",
    "email must be an address such as name@example.com, without spaces",
    "Correct the address.",
    "contract §6 valid email",
  ),
  unknownPerson: faultText(
    "invalid",
    "unknown svc_id (no person has it)",
    "Correct the `svc_id`, or name the person by id or email.",
    "contract §9 person entries",
  ),
  suppressedPerson: faultText(
    "invalid",
    "the person is suppressed",
    "Unsuppress the person first.",
    "contract §6 suppressed calls",
  ),
  unknownRelated: faultText(
    "invalid",
    "no object has this svc_object_id",
    "Name the object by type and id.",
    "contract §9 svc_object_id",
  ),
  tooManyRelationships: faultText(
    "too_many",
    "a person has at most {max} relationships",
    "Delete relationships that are not needed, or raise `relationships_per_person` of the workspace.",
    "contract §5 limits of a person",
  ),
  tooManyDevices: faultText(
    "too_many",
    "a person has at most {max} devices",
    "Delete devices that are not used, or raise `devices_per_person` of the workspace.",
    "contract §5 limits of a person",
  ),
  tooMuchHeld: faultText(
    "too_large",
    "the devices and relationships of a person have at most {bytes} bytes in all",
    "Send fewer or shorter attributes, or delete devices and relationships that are not needed.",
    "contract §5 limits of a person",
  ),
  tooManyAttributes: faultText(
    "too_many",
    "{owner} has at most {max} attributes",
    "Remove attributes that are not needed, or raise the limit of the workspace.",
    "contract §6 attribute limits",
  ),
  attributesTooLarge: faultText(
    "too_large",
    "the attributes of {owner} cannot be larger than {bytes} bytes in all",
    "Remove attributes that are not needed, or raise `object_attributes_bytes` of the workspace.",
    "contract §6 attribute limits",
  ),
  fullWorkspace: faultText(
    "too_many",
    "the workspace is full: it stores at most {max} people, objects, forms, deliveries, and identifiers of unknown people",
    "Delete people and objects that are not needed, or raise `records_max` of the workspace. Then send the call again.",
  ),
  preferencesNotObject: faultText(
    "invalid",
    "{field} must be an object",
    "Send an object with `topics`.",
    "contract §5 preferences",
  ),
  tooManyTopics: faultText(
    "too_many",
    "{topic} is left out: a person has at most {max} topics of subscription preferences",
    "Remove topics that are not used, or raise `topics_per_person` of the workspace.",
    "contract §5 preferences",
  ),
  preferencesTooLarge: faultText(
    "too_large",
    "{topic} is left out: the subscription preferences of a person have at most {bytes} bytes in all",
    "Remove topics that are not used, or raise `preferences_bytes` of the workspace.",
    "contract §5 preferences",
  ),
  noRespondent: faultText(
    "required",
    "data must contain an id or an email, or a field that is mapped to id or email",
    "Map a field of the form to `id` or `email` through the management API.",
  ),
  tooManyFields: faultText(
    "too_many",
    "a form has at most {max} fields",
    "Remove fields from the form. This limit is fixed.",
    "contract §12 form fields",
  ),
  segmentNotFound: faultText("invalid", "segment not found", "Create the segment, or correct its id."),
  segmentByRule: faultText(
    "invalid",
    "the rule of the segment decides who is in it",
    "Change the data that the rule reads, or use a segment without a rule.",
  ),
  segmentByHand: faultText(
    "invalid",
    "the people of the segment are chosen by hand",
    "Create another segment with the rule.",
  ),
  ruleBuilding: faultText(
    "invalid",
    "the rule is being built",
    "Pause the segment once it is active, or delete it.",
  ),
  ruleAnnounced: faultText(
    "invalid",
    "the rule is being built, and the log already says who enters and leaves",
    "Change the segment once the build is done, or delete it.",
  ),
  segmentInUse: faultText(
    "invalid",
    "the rule of segment {user} names this segment",
    "Delete the other segment first, or give it another rule.",
  ),
  invalidRule: faultText(
    "invalid",
    "the rule is not valid: {message}",
    "Correct the part of the rule that the path names.",
  ),
  tooManyRules: faultText(
    "too_many",
    "a workspace has at most {max} segments with rules",
    "Delete segments that nobody uses. This limit is fixed.",
  ),
  tooManyRuleLeaves: faultText(
    "too_many",
    "the rules of a workspace have at most {max} different leaves",
    "Delete segments that nobody uses. This limit is fixed.",
  ),
  tooManyRegistrations: faultText(
    "too_many",
    "a delivery can be registered for at most {max} people",
    "Use a separate delivery id for each message to each person.",
  ),
  stale: faultText(
    "stale",
    "the stored value is of {stored}, and this one of {sent}, which is earlier",
    "Send the value again without a time if it is the right one, and check the clocks of both senders. The operation that set the stored value says which sender that was.",
    "contract §6 stale",
  ),
})

/** What stands in place of reasons that a log entry does not list. */
export const listTexts = catalogue("", {
  more: errorText(
    "and {count} more",
    "Correct the listed faults, then send the call again to see the other faults.",
  ),
  moreStale: errorText(
    "and {count} more",
    "If updates arrived out of order, do nothing: the newer values are right. Otherwise check the sender's clock.",
  ),
})

/** Why a node of a shared database takes no calls. */
export const fitnessTexts = {
  clockAhead: errorText(
    "the clock of this node is {seconds} s ahead of the database's clock, so it takes no calls; send the request again later, or to another node",
    "Set the clock of the node by NTP. Within seconds it takes calls again by itself. If every node says so, the database's clock is wrong.",
  ),
  clockBehind: errorText(
    "the clock of this node is {seconds} s behind the database's clock, so it takes no calls; send the request again later, or to another node",
    "Set the clock of the node by NTP. Within seconds it takes calls again by itself. If every node says so, the database's clock is wrong.",
  ),
  otherFormat: errorText(
    "the database has format {found}, but this node works with format {known}, so it takes no calls; send the request again later, or to another node",
    "Start the version of Inlet that migrated the database on this node.",
  ),
}

/** Errors of a store that cannot read or commit. */
export const storeTexts = {
  unavailable: errorText(
    "the store cannot {operation} now",
    "Check disk space and file permissions. Inlet recovers by itself once the cause is removed.",
  ),
  overloaded: errorText(
    "the commit queue is full",
    "Send the request again later. If the error persists, the disk is too slow for the load.",
  ),
  workspaceDeleted: errorText(
    "workspace {workspace} was deleted",
    "Use another workspace. The call changed nothing.",
  ),
  lastWorkspace: errorText(
    "the last workspace cannot be deleted",
    "Create another workspace first. To remove everything, stop the server and remove its data.",
  ),
  tooManyWorkspaces: errorText(
    "this store cannot have more than {max} workspaces",
    "Use an existing workspace, or create the workspace in another installation.",
  ),
  tooManyTokens: errorText(
    "this installation cannot have more than {max} management tokens",
    "Revoke tokens that nobody uses. Expired ones count too.",
  ),
  tooManyKeys: errorText(
    "a workspace has at most {max} API keys",
    "Revoke keys that nobody uses. Expired ones count too.",
  ),
  tooManyWebhooks: errorText(
    "a workspace has at most {max} webhooks",
    "Delete webhooks that are no longer used.",
  ),
  changedMeanwhile: errorText(
    "somebody else changed these settings at the same time",
    "Read them again, and repeat the change if it is still right.",
  ),
}
