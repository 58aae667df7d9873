import type { ObjectDocument } from "@inlethq/contract/objects/Objects"
import type { PersonDocument } from "@inlethq/contract/people/People"
import type { ActivityDocument } from "../../api/documents.ts"
import { isRecord } from "../../shared/values/isRecord.ts"
import type { Sample } from "./sampledValues.ts"

type Item = Sample["items"][number]

/** The attribute that holds what a person subscribed to. */
export const preferencesName = "svc_subscription_preferences"

/** A person with the fields that conditions can name, as rules read them: attributes, and what is stored beside them. */
export const personItem = ({
  attributes,
  created_at,
  email,
  id,
  subscription_preferences,
  svc_id,
}: Pick<
  PersonDocument,
  "attributes" | "created_at" | "email" | "id" | "subscription_preferences" | "svc_id"
>): Item => {
  const preferences = Object.keys(subscription_preferences).length === 0 ? null : subscription_preferences
  return {
    created_at: Math.floor(Date.parse(created_at) / 1000),
    ...attributes,
    id: id ?? attributes["id"],
    email: email ?? attributes["email"],
    svc_id,
    [preferencesName]: preferences,
    // Other names of the same fields.
    cio_id: svc_id,
    cio_subscription_preferences: preferences,
  }
}

export const objectItem = ({
  attributes,
  object_id,
}: Pick<ObjectDocument, "attributes" | "object_id">): Item => ({ ...attributes, object_id })

/** The data of an event, with the context of its call. */
export const eventItem = ({ context, data }: Pick<ActivityDocument, "context" | "data">): Item => ({
  ...(isRecord(data) ? data : {}),
  ...(context === undefined ? {} : { context }),
})
