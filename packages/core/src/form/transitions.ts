import { keptValues, type ReadOtherwise } from "../log/KeptValue.ts"
import { createdAtName, unsubscribedName, type Assignment } from "../state/Attributes.ts"
import { isFlagText, isTrue } from "../values/flags.ts"
import { preferencesName } from "../state/preferenceBounds.ts"
import type { IdentifyPerson } from "../person/commands.ts"
import type { MapForm, SubmitForm } from "./commands.ts"
import { emailIn, formText, identifierText } from "../values/Identifier.ts"
import { exceedsBytes, isJsonObject, type JsonObject } from "../values/Json.ts"
import { formFieldsMax } from "../workspace/Limits.ts"
import { identifyPerson } from "../person/transitions.ts"
import { findSuppressionOfText } from "../decision/findSuppression.ts"
import { readTime } from "../values/Timestamp.ts"
import { withKeptCall } from "../decision/keptCall.ts"
import { dropped, accepted, ignoredAs, rejected, type Verdict } from "../decision/Verdict.ts"
import { DecisionDraft } from "../decision/DecisionDraft.ts"
import { subjectByText, type WorkingSet } from "../fold/WorkingSet.ts"
import type { FieldMapping, Form } from "../state/Form.ts"
import { decisionTexts, dropTexts } from "../log/operationTexts.ts"

const rule = "track-api §4.3 rule 3"

const nobodyNamed = decisionTexts.noRespondent("data")

/**
 * Applies a form submission (contract §12). Creates the form if it is unknown, and identifies the person that the
 * submission names. A submission that names no person is rejected but still creates the form. The name of the log entry
 * is the id of the form.
 */
export const submitForm = (state: WorkingSet, command: SubmitForm): Verdict => ({
  ...decideSubmission(state, command),
  name: command.formId,
})

const decideSubmission = (state: WorkingSet, command: SubmitForm): Verdict => {
  const form = formOf(state, command)
  const draft = new DecisionDraft(state, command.faults)
  const mapping = withNewFields(command, form?.mapping ?? new Map(), draft)
  if (form === null || mapping.size > form.mapping.size) {
    const { formId, receivedAt: at } = command
    const key = form?.key ?? draft.newKey()
    draft.changes.push({ _tag: "FormMapped", key, formId, mapping, at })
  }
  const respondent = identifyOf(command, mapping, draft)
  if (respondent === null) {
    return { ...withKeptCall(state, command, rejected([nobodyNamed], rule)), changes: draft.changes }
  }
  for (const kind of ["id", "email"] as const) {
    const value = respondent[kind]
    const suppressed = value === null ? undefined : findSuppressionOfText(state, identifierText(kind, value))
    if (suppressed?.text != null) {
      return { ...ignoredAs(state.digest(suppressed.text), null), changes: draft.changes }
    }
  }
  const verdict = identifyPerson(state, respondent, draft)
  const data = payload(command, mapping, verdict)
  const told = { ...verdict, data, ...flagsReadOtherwise(command, mapping) }
  return verdict.outcome === "partial" ? told : { ...told, rule }
}

/** All values of a form are texts, so only a text that is no boolean in any spelling is read otherwise. */
const flagsReadOtherwise = ({ fields }: SubmitForm, mapping: FieldMapping): Pick<Verdict, "keptAs"> => {
  const read = fields.flatMap(({ name, value }): ReadonlyArray<ReadOtherwise> =>
    mapping.get(name) === unsubscribedName && !isFlagText(value)
      ? [{ path: `data.${name}`, sent: value, kept: isTrue(value), why: "not_boolean" }]
      : [],
  )
  return read.length === 0 ? {} : { keptAs: keptValues(read) }
}

/**
 * Returns the submitted fields for the log entry. Identifiers of other people are left out, because deleting those
 * people would not erase this entry.
 */
const payload = ({ fields }: SubmitForm, mapping: FieldMapping, { data }: Verdict): JsonObject => {
  const taken = isJsonObject(data) ? data : {}
  const isRefused = (attribute: string | undefined) =>
    (attribute === "id" || attribute === "email") && !Object.hasOwn(taken, attribute)
  return Object.fromEntries(
    fields.flatMap(({ name, value }) => (isRefused(mapping.get(name)) ? [] : [[name, value]])),
  )
}

/** Maps fields of a form to the attributes that the fields set. Adds fields that the form does not have yet. */
export const mapForm = (state: WorkingSet, command: MapForm): Verdict => {
  const form = formOf(state, command)
  if (form === null) return dropped(dropTexts.unknownForm(), "contract §12 form mapping")
  const { formId, mapping, receivedAt: at } = command
  const { key } = form
  if (new Set([...form.mapping.keys(), ...mapping.keys()]).size > formFieldsMax) {
    return {
      ...rejected([{ ...tooManyFields, field: "mapping" }], "contract §12 form mapping"),
      subject: key,
    }
  }
  return accepted("applied", command.faults, {
    rule: "contract §12 form mapping",
    subject: key,
    data: { form_id: formId, mapping: Object.fromEntries(mapping) },
    changes: [{ _tag: "FormMapped", key, formId, mapping, at }],
  })
}

const tooManyFields = decisionTexts.tooManyFields("data", { max: formFieldsMax })

const formOf = (state: WorkingSet, { formId }: SubmitForm | MapForm): Form | null => {
  const subject = subjectByText(state, formText(formId))
  return subject?._tag === "Form" ? subject : null
}

/**
 * Returns the field mapping of a form, extended by the new fields of a submission. Each new field sets the attribute
 * with the same name. Adds a fault if the form would have too many fields.
 */
const withNewFields = (command: SubmitForm, known: FieldMapping, draft: DecisionDraft): FieldMapping => {
  const mapping = new Map(known)
  for (const { name } of command.fields) {
    if (mapping.has(name) || name === "") continue
    if (mapping.size >= formFieldsMax) {
      draft.faults.push({ ...tooManyFields, value: name })
      break
    }
    mapping.set(name, name)
  }
  return mapping
}

const isTooLong = (
  { workspace: { limits } }: SubmitForm,
  { anonymousId, email, id }: NamedIdentifiers,
): boolean =>
  exceedsBytes(id ?? "", limits.personIdBytesMax) ||
  exceedsBytes(anonymousId ?? "", limits.personIdBytesMax) ||
  exceedsBytes(email ?? "", limits.attributeValueBytesMax)

/** Reserved names that a form cannot set (contract §6). Fields mapped to them are ignored. */
const notAttributes: ReadonlySet<string> = new Set([
  "svc_id",
  "_timestamp",
  "_update",
  "svc_relationships",
  preferencesName,
])

/** The identifiers in a form submission. */
interface NamedIdentifiers {
  id: string | null
  email: string | null
  anonymousId: string | null
}

/** The fault of an email field with a value that is not an email. The value is left out (contract §6). */
const notAnEmail = (field: string) => decisionTexts.notEmail(`data.${field}`)

/** Returns the identify command that applies a submission, or null if the submission names no person. */
const identifyOf = (
  command: SubmitForm,
  mapping: FieldMapping,
  { faults }: DecisionDraft,
): IdentifyPerson | null => {
  const named: NamedIdentifiers = { id: null, email: null, anonymousId: null }
  const assignments: Array<Assignment> = []
  const uses = command.workspace.identifiers
  for (const { name, value } of command.fields) {
    const attribute = mapping.get(name)
    if (attribute === undefined || notAttributes.has(attribute)) continue
    if (attribute === createdAtName && readTime(value) === undefined) continue
    if (attribute === "id" && uses.id) named.id ??= value || null
    else if (attribute === "email" && uses.email) {
      named.email ??= emailIn(value)
      if (value !== "" && emailIn(value) === null) faults.push({ ...notAnEmail(name), value })
    } else if (attribute === "anonymous_id") named.anonymousId ??= value || null
    else assignments.push({ name: attribute, value: attribute === unsubscribedName ? isTrue(value) : value })
  }
  const { fields: _1, formId: _2, ...envelope } = command
  const lead = named.id ?? named.email
  if (lead === null || isTooLong(command, named)) return null
  return {
    ...envelope,
    _tag: "IdentifyPerson",
    target: { _tag: "ByIdentifier", kind: named.id === null ? "email" : "id", value: lead },
    ...named,
    removeEmail: false,
    assignments,
    relationships: null,
    device: null,
    updateOnly: false,
  }
}
