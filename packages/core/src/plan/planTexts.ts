import { catalogue, errorText, faultText } from "../log/ErrorText.ts"

const codePrefix = "plan_"

/** Returns whether a code says that a plan stripped or rejected something. */
export const isPlanCode = (code: string): boolean => code.startsWith(codePrefix)

/** Faults of calls that do not fit the plan of their event. */
export const planTexts = catalogue(codePrefix, {
  value: faultText(
    "invalid",
    "{field} is {got}, which {clause} of the plan does not allow",
    "Correct the value, or the plan of the event. `inlet plan pull` prints the plan.",
    "contract §8 plans",
  ),
  required: faultText(
    "required",
    "{field} is required by the plan",
    "Send the property, or take it out of `required` of the plan.",
    "contract §8 plans",
  ),
  additional: faultText(
    "invalid",
    "{field} is not in the plan",
    "Leave the property out, or add it to the plan of the event.",
    "contract §8 plans",
  ),
  unknownEvent: faultText(
    "invalid",
    "the event has no plan",
    "Correct the name of the event, add a plan for it, or set `unknown_events` of the workspace to `allow`.",
    "contract §8 plans",
  ),
})

const mend = "Correct the plan at the path that the message begins with."

/** What is wrong with plans that somebody wants to save. */
export const planProblems = {
  notObject: errorText("{path}: must be an object", mend),
  notList: errorText("{path}: must be a list", mend),
  unknownKeyword: errorText(
    "{path}: plans do not have {keyword}; a schema can have {keywords}",
    "Say it with one of the keywords that plans have, or leave it out.",
  ),
  unknownKey: errorText("{path}: unknown key {key}; a plan has kind, name, mode and schema", mend),
  kind: errorText(
    "{path}: must be event, page, screen, person or object: with the id of an object type",
    mend,
  ),
  name: errorText("{path}: must be a text of at most {max} characters that is not empty", mend),
  nameOfAttributes: errorText("{path}: the plan of people and of objects is named attributes", mend),
  mode: errorText("{path}: must be observe, strip or reject", mend),
  observeOnly: errorText(
    "{path}: must be observe, because only events can be stripped and rejected",
    "Set the mode of plans for people and objects to `observe`.",
  ),
  twice: errorText("{path}: this kind and name have a plan before", "Keep one plan for each kind and name."),
  type: errorText("{path}: must be one or several of {types}", mend),
  rootType: errorText("{path}: the schema of a plan must have the type object", mend),
  keys: errorText("{path}: must be a list of different texts", mend),
  values: errorText("{path}: must be a list with at least one value", mend),
  number: errorText("{path}: must be a number", mend),
  count: errorText("{path}: must be a whole number from 0 on", mend),
  format: errorText("{path}: must be one of {formats}", mend),
  schema: errorText("{path}: must be a schema: an object, true or false", mend),
  tooDeep: errorText("{path}: schemas have at most {max} levels", "Describe less of the value."),
  tooManyProperties: errorText("{path}: a plan has at most {max} properties", "Describe fewer properties."),
  tooLarge: errorText("{path}: a plan has at most {max} bytes as JSON", "Describe less of the event."),
  tooManyPlans: errorText("plans: a workspace has at most {max} plans", "Remove plans."),
  tooLargeTogether: errorText(
    "plans: the plans of a workspace have at most {max} bytes together",
    "Remove plans, or describe less.",
  ),
} as const
