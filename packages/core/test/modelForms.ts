import type { IdentifyPerson } from "@inlethq/core/person/commands"
import type { MapForm, SubmitForm } from "@inlethq/core/form/commands"
import type { Outcome } from "@inlethq/core/log/Outcome"
import { identify } from "./modelPeople.ts"
import type { FreshKeys, Model, ModelForm } from "./modelState.ts"
import { isIgnored } from "./modelSuppression.ts"

const formNamed = (model: Model, formId: string): ModelForm | null =>
  model.forms.find((form) => form.formId === formId) ?? null

export const submitForm = (model: Model, command: SubmitForm, fresh: FreshKeys): Outcome => {
  const { fields, formId } = command
  const known = formNamed(model, formId)
  const form: ModelForm = known ?? { formId, mapping: [] }
  if (known === null) model.forms.push(form)
  // Even a rejected submission creates the form, since field names are not personal data.
  for (const { name } of fields)
    if (!form.mapping.some(({ field }) => field === name)) form.mapping.push({ field: name, attribute: name })
  const request = identifyOf(command, form)
  if (request === null) return "rejected"
  return isIgnored(model, request) ? "ignored" : identify(model, request, fresh)
}

/** Returns the identify command that applies a submission, or null if no field maps to a valid `id` or `email`. */
const identifyOf = (command: SubmitForm, form: ModelForm): IdentifyPerson | null => {
  const { fields: _, formId: __, ...envelope } = command
  const said = command.fields.map(({ name, value }) => ({
    name: form.mapping.find(({ field }) => field === name)?.attribute ?? name,
    value,
  }))
  const id = said.find(({ name, value }) => name === "id" && value !== "")?.value ?? null
  const email = said.find(({ name, value }) => name === "email" && value !== "")?.value ?? null
  const kind = id === null ? "email" : "id"
  const value = id ?? email
  if (value === null) return null
  return {
    ...envelope,
    _tag: "IdentifyPerson",
    target: { _tag: "ByIdentifier", kind, value },
    id: null,
    email: kind === "id" ? email : null,
    removeEmail: false,
    anonymousId: null,
    assignments: said.filter(({ name }) => name !== "id" && name !== "email"),
    relationships: null,
    device: null,
    updateOnly: false,
  }
}

export const mapForm = (model: Model, command: MapForm): Outcome => {
  const form = formNamed(model, command.formId)
  if (form === null) return "dropped"
  for (const [field, attribute] of command.mapping) {
    const known = form.mapping.find((one) => one.field === field)
    if (known === undefined) form.mapping.push({ field, attribute })
    else known.attribute = attribute
  }
  return "applied"
}
