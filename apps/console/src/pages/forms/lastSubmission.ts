import type { ActivityDocument } from "@inlet/api/management/ActivityLog"
import type { FormDocument } from "@inlet/api/management/Forms"
import { api } from "../../api/api.ts"

/** The number of most recent submissions that are searched. */
const searchedMax = 200

/**
 * Returns the last submission in which all fields belong to the form, or null if no recent submission does. The search
 * compares fields, because the log entry of a submission does not name its form.
 */
export const lastSubmission = async (
  w: string,
  { fields }: FormDocument,
  signal: AbortSignal,
): Promise<ActivityDocument | null> => {
  const page = await api.activity.list(w, { filter: "kind:form_submission", limit: searchedMax }, signal)
  return (
    page.items.find(({ data }) => {
      const submitted = Object.keys(data ?? {})
      return submitted.length > 0 && submitted.every((field) => fields.includes(field))
    }) ?? null
  )
}
