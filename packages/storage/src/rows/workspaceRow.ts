import { defaultAlertSettings } from "@inlethq/core/alert/AlertSettings"
import { defaultLimits } from "@inlethq/core/workspace/Limits"
import {
  auditDaysDefault,
  historyDaysDefault,
  rejectedDaysDefault,
  Workspace,
} from "@inlethq/core/workspace/Workspace"
import { Schema } from "effect"

const decodeWorkspace = Schema.decodeUnknownSync(Workspace)

/** The defaults of settings that a row may lack. */
const laterSettings = {
  kafka: null,
  lake: null,
  retentionDays: null,
  recordsMax: null,
  placeholderIds: "mark",
  context: "keep",
  omit: [],
  bots: "mark",
  ip: "truncate",
  plan: null,
  unknownEvents: "allow",
  historyDays: historyDaysDefault,
  auditDays: auditDaysDefault,
  rejectedDays: rejectedDaysDefault,
  alerts: defaultAlertSettings,
}

/**
 * Decodes the row of a workspace: its id and the JSON document of its settings. A setting or a limit that did not exist
 * when the row was written gets its default.
 */
export const workspaceFromRow = (id: unknown, doc: string): Workspace => {
  const settings: { readonly limits?: object } = JSON.parse(doc)
  const limits = { ...defaultLimits, ...settings.limits }
  return decodeWorkspace({ ...laterSettings, ...settings, limits, id })
}
