import type { Json } from "@inlethq/core/values/Json"
import { isJsonObject } from "@inlethq/core/values/Json"
import { Effect, Schema } from "effect"
import { ManagementRefused } from "./askManagement.ts"
import { problemTexts } from "../problems/problemTexts.ts"
import { svcIdOf } from "./personCalled.ts"
import type { PreviewKind } from "./Previews.ts"
import { defineTool, type Tool, type ToolContext } from "./Tool.ts"

const Text = Schema.NonEmptyString.check(Schema.isMaxLength(2000))

const person = Text.annotate({ description: "an id, an email address, a svc_id or an anonymous id" })

const previewId = Text.annotate({
  description: "the `preview_id` of the preview, which is at most ten minutes old and serves once",
})

/** Adds the id of a preview to its answer, if the session may change data. */
const withPreview = (
  answer: Json,
  kind: PreviewKind,
  body: Json,
  { previews, workspace }: ToolContext,
): Json => (previews === null ? answer : { ...previews.add(kind, workspace, body), preview: answer })

const taken = (kind: PreviewKind, id: string, { previews, workspace }: ToolContext) => {
  const body = previews?.take(kind, workspace, id)
  return body === undefined
    ? Effect.fail(
        new ManagementRefused({
          status: 409,
          detail: problemTexts.mcpPreview(),
        }),
      )
    : Effect.succeed(body)
}

const mergePreview = defineTool({
  name: "merge_preview",
  title: "Preview a merge",
  description: "Shows what merging one person into another would do. Changes nothing.",
  input: { primary: person, secondary: person },
  run: (args, context) =>
    Effect.gen(function* () {
      const primary = yield* svcIdOf(context, args.primary)
      const secondary = yield* svcIdOf(context, args.secondary)
      const answer = yield* context.ask({
        method: "GET",
        path: `${context.workspacePath}/people/${encodeURIComponent(primary)}/merge-preview`,
        query: { secondary },
      })
      const body = {
        type: "person",
        action: "merge",
        primary: { svc_id: primary },
        secondary: { svc_id: secondary },
      }
      return withPreview(answer, "merge", body, context)
    }),
})

const unmergePreview = defineTool({
  name: "unmerge_preview",
  title: "Preview undoing a merge",
  description:
    "Shows what undoing a merge would do. Changes nothing. Without `secondary`, lists the merges into the person that can be undone.",
  input: {
    primary: person,
    secondary: Schema.optionalKey(Text.annotate({ description: "the svc_id of who was merged" })),
    divide: Schema.optionalKey(
      Schema.Boolean.annotate({ description: "whether later events that named the merged person go back" }),
    ),
  },
  run: ({ divide = false, primary: name, secondary }, context) =>
    Effect.gen(function* () {
      const primary = yield* svcIdOf(context, name)
      const path = `${context.workspacePath}/people/${encodeURIComponent(primary)}`
      if (secondary === undefined) return yield* context.ask({ method: "GET", path: `${path}/merges` })
      const answer = yield* context.ask({
        method: "GET",
        path: `${path}/unmerge-preview`,
        query: { secondary, divide: String(divide) },
      })
      const body = {
        type: "person",
        action: "unmerge",
        primary: { svc_id: primary },
        secondary: { svc_id: secondary },
        divide,
      }
      return withPreview(answer, "unmerge", body, context)
    }),
})

const previewRule = defineTool({
  name: "preview_rule",
  title: "Preview a rule",
  description: "Says for how many people a rule of a segment would hold, with examples. Changes nothing.",
  input: { rule: Schema.Json.annotate({ description: "a rule in the language of segments" }) },
  run: ({ rule }, context) =>
    Effect.map(
      context.ask({ method: "POST", path: `${context.workspacePath}/segments/preview`, body: { rule } }),
      (answer) => withPreview(answer, "create_segment", { rule }, context),
    ),
})

const applyPreview =
  (kind: "merge" | "unmerge") => (args: { readonly preview_id: string }, context: ToolContext) =>
    Effect.flatMap(taken(kind, args.preview_id, context), (body) =>
      context.ask({ method: "POST", path: `${context.workspacePath}/operations`, body }),
    )

const merge = defineTool({
  name: "merge",
  title: "Merge two people",
  description: "Merges the two people of a preview by `merge_preview`.",
  isReadOnly: false,
  input: { preview_id: previewId },
  run: applyPreview("merge"),
})

const unmerge = defineTool({
  name: "unmerge",
  title: "Undo a merge",
  description: "Undoes the merge of a preview by `unmerge_preview`.",
  isReadOnly: false,
  input: { preview_id: previewId },
  run: applyPreview("unmerge"),
})

const createSegment = defineTool({
  name: "create_segment",
  title: "Create a segment",
  description: "Creates a segment with the rule of a preview by `preview_rule`.",
  isReadOnly: false,
  input: { preview_id: previewId, name: Text, description: Schema.optionalKey(Text) },
  run: ({ description, name, preview_id }, context) =>
    Effect.flatMap(taken("create_segment", preview_id, context), (previewed) =>
      context.ask({
        method: "POST",
        path: `${context.workspacePath}/segments`,
        body: {
          ...(isJsonObject(previewed) ? previewed : {}),
          name,
          ...(description === undefined ? {} : { description }),
        },
      }),
    ),
})

/** Tools that show what a change would do. */
export const previewTools: ReadonlyArray<Tool> = [previewRule, mergePreview, unmergePreview]

/** Tools of sessions that may change data. */
export const changingTools: ReadonlyArray<Tool> = [merge, unmerge, createSegment]
