import { attributesToJson } from "@inlethq/core/state/Attributes"
import type { DataObject } from "@inlethq/core/state/DataObject"
import type { Device } from "@inlethq/core/state/Device"
import type { Person } from "@inlethq/core/state/Person"
import { preferencesName, isPreference } from "@inlethq/core/state/preferenceBounds"
import { preferencesOf } from "@inlethq/core/state/storedPreferences"
import { svcIdText } from "@inlethq/core/values/Identifier"
import type { JsonObject } from "@inlethq/core/values/Json"

/*
 * What the fields of conditions name, as plain objects.
 */

const seconds = (ms: number): number => Math.floor(ms / 1000)

/** The attributes of a person, with the identifiers, the preferences as a whole, and the time of creation. */
export const personDocument = (person: Person): JsonObject => {
  const preferences = preferencesOf(person.attributes)
  return {
    created_at: seconds(person.createdAt),
    ...Object.fromEntries(
      Object.entries(attributesToJson(person.attributes)).filter(([name]) => !isPreference(name)),
    ),
    ...(Object.keys(preferences).length > 0 && { [preferencesName]: preferences }),
    ...(person.id !== null && { id: person.id }),
    ...(person.email !== null && { email: person.email }),
    svc_id: svcIdText(person.workspace, person.key),
  }
}

export const deviceDocument = (token: string, device: Device): JsonObject => ({
  ...attributesToJson(device.attributes),
  token,
  platform: device.platform,
  last_used: device.lastUsed === null ? null : seconds(device.lastUsed),
})

export const objectDocument = (object: DataObject): JsonObject => ({
  ...attributesToJson(object.attributes),
  object_id: object.objectId,
})
