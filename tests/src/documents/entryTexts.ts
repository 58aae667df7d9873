/**
 * What docs/entry.md says about each field of an entry: by the name of the schema in the OpenAPI document and the path
 * of the field below it.
 */
export const entryTexts: Readonly<Record<string, string>> = {
  "ActivityEntry.operation_id":
    "names the entry everywhere: in the header `Inlet-Operation-Id` of the answer, in `inlet why`, in addresses of the console. An item of a batch has the id of the batch, `-` and its index",
  "ActivityEntry.sequence":
    "the position in the log of the workspace, counted from 1 without gaps. `inlet replay --positions` and `position=` mean this number",
  "ActivityEntry.at":
    "when it happened: the time that the call states, or that of its receipt. Never later than its receipt",
  "ActivityEntry.original_timestamp":
    "the time as the client sent it, where `at` differs from it: a Pipelines `originalTimestamp`, or a time ahead of receipt",
  "ActivityEntry.received_at": "when the server received it. Within a workspace, it never decreases",
  "ActivityEntry.processed_at":
    "when it took effect. Null while the outcome is `pending`; an event of a visitor gets it when somebody is identified as the visitor",
  "ActivityEntry.source":
    "how it came: by one of the two Track APIs, Pipelines, a file (`csv`), an operator (`management`), or by the server itself (`system`)",
  "ActivityEntry.sender": "who sent it, and how. Null if the server made it, or if no key is known",
  "ActivityEntry.kind": "what was asked for. Null if the call was too malformed to tell",
  "ActivityEntry.name":
    "the name of an event, page or screen, the metric of a report about a message, the form of a submission",
  "ActivityEntry.outcome": "[what became of it](concepts.md#what-became-of-a-call)",
  "ActivityEntry.reason":
    "why it was not applied, or what was left out, as a sentence for people. Its wording may change",
  "ActivityEntry.reasons": "the same for programs. Empty where `reason` is null",
  "ActivityEntry.rule":
    "the clause of [the contract](contract.md) or of [a reference](references.md) that decided. `inlet why` prints its text",
  "ActivityEntry.subject": "who or what it is about, by the identifiers of today",
  "ActivityEntry.subject.svc_id": "the permanent id of the person",
  "ActivityEntry.subject.id": "the `id` of the person",
  "ActivityEntry.subject.email": "the email of the person",
  "ActivityEntry.subject.name": "the attribute `name`, or `first_name` and `last_name`",
  "ActivityEntry.subject.anonymous_id":
    "the anonymous id, if the call named the person by one, or if it is about a visitor",
  "ActivityEntry.subject.object_type_id": "the type of the object",
  "ActivityEntry.subject.object_id": "the id of the object",
  "ActivityEntry.subject.segment": "the segment, until it is deleted",
  "ActivityEntry.subject.segment.segment_id": "the id of the segment",
  "ActivityEntry.subject.segment.name": "its name",
  "ActivityEntry.via":
    "who was merged into the person, if an event named the person by an identifier that came with this merge. Such events go back when the merge is undone [with `--divide`](history.md#divide-the-events)",
  "ActivityEntry.via.svc_id": "the permanent id of that person",
  "ActivityEntry.id":
    "the deduplication key that the client sent: the `id` of an event, or the Pipelines `messageId`",
  "ActivityEntry.trigger_eligible":
    "whether an event is recent enough to trigger a message in the hosted service. Inlet itself sends none",
  "ActivityEntry.data":
    "what was sent: the data of an event, the attributes of an identify call, the item of a rejected call. Passwords and keys are never in it",
  "ActivityEntry.changes": "what changed, value by value",
  "ActivityEntry.refused": "what was left out, with the reason and the clause for each value. At most 50",
  "ActivityEntry.kept_as":
    "what was read differently than it was sent, such as a number that lost digits. At most 50",
  "ActivityEntry.effects": "who entered and who left [segments by rule](segments.md) because of it",
  "ActivityEntry.request":
    "how a rejected call arrived, for as long as the workspace keeps such calls (`rejected_days`). Null for every other entry",
  "ActivityEntry.message_overrides":
    "`recipient`, `from_address` and `reply_to` from the data of an event. Missing if it has none of them",
  "ActivityEntry.context":
    "where a Pipelines call came from: page, campaign, address, device and whatever else its `context` has, as sent. Missing if it has none, and for other APIs",
  "ActivityEntry.integrations": "the `integrations` of a Pipelines call. Missing if it has none",
  "ActivityEntry.geo": "the place of the client's address",
  "ActivityEntry.geo.country": "the ISO 3166 code of the country",
  "ActivityEntry.geo.region": "the name of the region",
  "ActivityEntry.geo.city": "the name of the city",
  "ActivityEntry.bot": "true if the user agent is that of a bot",
  "ActivityEntry.context_omitted":
    "the paths in the context that were left out because they exceed a limit. Paths in `integrations` begin with that",
  "ActivityEntry.omitted": "what was left out because of the setting `omit` of the workspace",
  "ActivityEntry.plan":
    "the [plan](plans.md) that the data did not fit, and where. Missing if they fit, or if there is no plan",
  "PlanFinding.name":
    "the name of the plan, or of the event that has none. Null if such an event was rejected",
  "PlanFinding.version": "the version of the plan. Null if the event has no plan",
  "PlanFinding.violations": "where the data did not fit. At most 20",
  "PlanFinding.violations.path": "where the value stands in the data. Empty for the whole of them",
  "PlanFinding.violations.clause":
    "the keyword of the schema that the value does not fit, or `unknown_events`",
  "PlanFinding.violations.got":
    "the type and the length of the value, such as `text(12)`, and never the value",
  "Sender.key": "the key of the client",
  "Sender.key.key_id": "the id of the key, as `inlet keys list` shows it",
  "Sender.key.name": "the name of the key",
  "Sender.token":
    "the management token of an operator or an import, or the person whom an issuer signed in. Null if a client sent it with a key",
  "Sender.token.token_id":
    "the id of the token, as `inlet tokens list` shows it, or the issuer and the subject of the person",
  "Sender.token.name": "the name of the token or the person",
  "Sender.user_agent": "the beginning of the client's `User-Agent`",
  "Sender.route": "the method, and the path with its parameters by name",
  "Reason.code": "a word that never changes; [errors.md](errors.md) lists them all",
  "Reason.field": "the path of the value at fault. Empty if it is about the whole operation",
  "Reason.values": "what fills the text of the code",
  "ActivityEntry.changes.path": "such as `email`, `attributes.plan` or `devices.<token>.platform`",
  "ActivityEntry.changes.from": "the value before. Null if there was none",
  "ActivityEntry.changes.to": "the value since. Null if it was removed",
  "RefusedValue.path": "where the value stood",
  "RefusedValue.value": "the value. Null if there was none, or if it may not be kept",
  "RefusedValue.cut_from": "the bytes of the whole value as JSON, if `value` is only its beginning",
  "RefusedValue.reason": "what is wrong with it, as a sentence",
  "RefusedValue.code": "the code of that reason",
  "RefusedValue.rule": "the clause that decided",
  "RefusedValue.other": "to whom the value belongs, if it is somebody else",
  "RefusedValue.other.svc_id": "the permanent id of that person",
  "KeptValue.path": "where the value stood",
  "KeptValue.sent": "the value as it was sent",
  "KeptValue.cut_from": "the bytes of the whole value as JSON, if `sent` is only its beginning",
  "KeptValue.kept": "what was stored instead. Null if nothing was, or if it may not be kept",
  "KeptValue.why": "why, as a sentence",
  "KeptValue.code": "why, as a word that never changes",
  "SegmentEffect.svc_id": "who entered or left",
  "SegmentEffect.segment_id": "the segment",
  "SegmentEffect.version": "which of its rules decided, counted from 1",
  "SegmentEffect.change": "`entered` or `left`",
  "RejectedRequest.path": "the path that was called",
  "RejectedRequest.key_id": "the id of the key",
  "RejectedRequest.key_name": "the name of the key",
  "RejectedRequest.user_agent": "the client's `User-Agent`",
  "RejectedRequest.address": "the address of the client",
  "RejectedRequest.cut_from": "the characters of the item as JSON, if it was too large to keep",
  "Operation.explanation":
    "what was decided and what the sender should do, in sentences, as `inlet why` prints it",
  "Operation.call": "the call that makes the operation again, to send or to replay",
  "Operation.call_reason": "why the log cannot say which call it was. Null if `call` has it",
  "Operation.answer": "what the sender of a rejected call was answered. Null for every other operation",
  "Operation.forwards":
    "what became of it at each [forward](forward.md) that the workspace had when it arrived",
  "Forwarded.forward_id": "the id of the forward",
  "Forwarded.name": "its name",
  "Forwarded.state":
    "`delivered`, `retrying`, `failed` or `skipped` as the newest attempt ended, `waiting` if it was not sent yet, `not_sent` if it never will be",
  "Forwarded.reason": "why it is not sent. Null in any other state",
  "Forwarded.attempts": "the number of attempts, or 0 if none is kept",
  "Forwarded.at": "when the newest attempt began, or null if none is kept",
  "Forwarded.response_status": "the status of the receiver's answer, or null if none arrived",
  "Forwarded.response_excerpt": "the beginning of the receiver's answer",
  "Explanation.summary": "what became of the call",
  "Explanation.rule": "the clause that decided, with its text",
  "Explanation.advice": "what the sender should do. Empty if there is nothing to do",
  "Explanation.overridden_by": "other operations that set the same fields and won",
  "Explanation.overridden_by.path": "the field",
  "Explanation.overridden_by.operation_id": "the operation that set it",
  "Explanation.owners": "who has the identifiers that were refused",
  "Explanation.owners.path": "where the refused value stood",
  "Explanation.owners.person": "who has it",
  "Explanation.merge": "the merge with which the same call would succeed, if the two people are one",
  "Explanation.merge.primary": "who would remain",
  "Explanation.merge.secondary": "who would be merged",
  "DecidingClause.rule": "the name of the clause",
  "DecidingClause.title": "what it is about",
  "DecidingClause.text": "what it says, as Markdown",
  "NamedPerson.svc_id": "the permanent id of the person",
  "NamedPerson.id": "the current `id`",
  "NamedPerson.email": "the current email",
  "Call.protocol": "the API that takes the call, and with it the kind of key that it needs",
  "Call.method": "the method",
  "Call.path": "the path with its query. An item of a batch or a row of CSV is a request of its own",
  "Call.body": "the body, without credentials. Null if the call has none",
  "CallReason.code": "a word that never changes; [errors.md](errors.md) lists them all",
  "CallReason.values": "what fills the text of the code",
  "CallReason.reason": "the same as a sentence",
  "CallAnswer.status": "the status",
  "CallAnswer.body": "the body. For an item of a batch, the answer to the item alone",
}
