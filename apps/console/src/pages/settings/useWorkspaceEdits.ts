import type { WorkspacePatch } from "@inlethq/contract/workspaces/Workspaces"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import type { WhatIfChange, WorkspaceDocument } from "../../api/documents.ts"
import { api } from "../../api/generated.ts"
import type { LimitName } from "./limitFields.ts"

type Edits = Omit<WorkspacePatch, "limits" | "lake" | "alerts"> & {
  readonly alerts?: WorkspaceDocument["alerts"]
}

/** Limits are texts until they are saved, because a field may be empty while the operator types. */
type LimitTexts = Partial<Record<LimitName, string>>

/** Settings that are texts until they are saved, like limits. Those that may be null are empty then; a list has a line for each item. */
const textSettings = [
  "retention_days",
  "history_days",
  "rejected_days",
  "audit_days",
  "records_max",
  "kafka",
  "omit",
] as const
type TextSetting = (typeof textSettings)[number]
type SettingTexts = Partial<Record<TextSetting, string>>

/** The settings of a workspace with the changes that the operator has not saved yet. */
export interface WorkspaceEdits {
  readonly shown: WorkspaceDocument & Edits
  readonly edit: (part: Edits) => void
  readonly limit: (name: LimitName) => string
  readonly editLimit: (name: LimitName, text: string) => void
  readonly text: (name: TextSetting) => string
  readonly editText: (name: TextSetting, text: string) => void
  readonly isChanged: boolean
  /** The changed settings that can be tried on the log before they are saved, or null if none of them can. */
  readonly tried: WhatIfChange["settings"] | null
  readonly discard: () => void
  readonly save: () => void
  readonly isSaving: boolean
  readonly isSaved: boolean
  readonly problem: Error | null
}

export const useWorkspaceEdits = (workspace: WorkspaceDocument): WorkspaceEdits => {
  const queries = useQueryClient()
  const [edits, setEdits] = useState<Edits>({})
  const [limits, setLimits] = useState<LimitTexts>({})
  const [texts, setTexts] = useState<SettingTexts>({})
  const patch = patchOf(workspace, { ...edits, ...valuesOf(texts) }, limits)
  const w = String(workspace.environment_id)
  const saving = useMutation({
    mutationFn: () => api.workspaces.update(w, patch),
    onSuccess: async (saved) => {
      queries.setQueryData(["workspaces", w], saved)
      forget()
      await queries.invalidateQueries({ queryKey: ["workspaces"] })
    },
  })
  const forget = (): void => {
    setEdits({})
    setLimits({})
    setTexts({})
  }
  return {
    shown: { ...workspace, ...edits },
    edit: (part) => {
      saving.reset()
      setEdits({ ...edits, ...part })
    },
    limit: (name) => limits[name] ?? String(workspace.limits[name]),
    editLimit: (name, text) => {
      saving.reset()
      setLimits({ ...limits, [name]: text })
    },
    text: (name) => texts[name] ?? savedText(workspace, name),
    editText: (name, text) => {
      saving.reset()
      setTexts({ ...texts, [name]: text })
    },
    tried: triable(patch),
    isChanged: Object.keys(patch).length > 0,
    discard: () => {
      saving.reset()
      forget()
    },
    save: () => saving.mutate(),
    isSaving: saving.isPending,
    isSaved: saving.isSuccess,
    problem: saving.error,
  }
}

const savedText = (workspace: WorkspaceDocument, name: TextSetting): string => {
  if (name === "omit") return workspace.omit.join("\n")
  return name === "kafka" ? (workspace.kafka?.topic ?? "") : String(workspace[name] ?? "")
}

/** Returns the items of a list that is edited as a text. */
export const linesIn = (text: string): ReadonlyArray<string> =>
  text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trim()]))

const valuesOf = (texts: SettingTexts): Edits =>
  Object.fromEntries(
    Object.entries(texts).map(([name, text]) => {
      if (name === "omit") return [name, linesIn(text)]
      if (text.trim() === "") return [name, null]
      return [name, name === "kafka" ? { topic: text.trim() } : Number(text)]
    }),
  )

/** The settings that decide what becomes of calls which the log has. */
const triableSettings = [
  "email_update_by_id",
  "event_merging",
  "placeholder_ids",
  "bots",
  "context",
  "omit",
  "limits",
  "unknown_events",
] as const satisfies ReadonlyArray<keyof NonNullable<WhatIfChange["settings"]>>

const triable = (patch: WorkspacePatch): WhatIfChange["settings"] | null => {
  const settings = Object.fromEntries(
    triableSettings.flatMap((name) => (patch[name] === undefined ? [] : [[name, patch[name]]])),
  )
  return Object.keys(settings).length === 0 ? null : settings
}

/** Returns the settings that differ from the saved settings of the workspace. The server validates the values. */
const patchOf = (workspace: WorkspaceDocument, edits: Edits, limits: LimitTexts): WorkspacePatch => {
  const before = new Map<string, unknown>(Object.entries(workspace))
  const limitsBefore = new Map<string, unknown>(Object.entries(workspace.limits))
  const changed = Object.entries(edits).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before.get(name)),
  )
  const changedLimits = Object.entries(limits)
    .map(([name, text]) => [name, Number(text)] as const)
    .filter(([name, value]) => value !== limitsBefore.get(name))
  return {
    ...Object.fromEntries(changed),
    ...(changedLimits.length === 0 ? {} : { limits: Object.fromEntries(changedLimits) }),
  }
}
