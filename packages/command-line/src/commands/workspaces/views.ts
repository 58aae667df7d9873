import { ViewCursor } from "@inlethq/contract/values/Cursor"
import type { ViewDocument } from "@inlethq/contract/workspaces/Views"
import { ViewPage } from "@inlethq/core/workspace/SavedView"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { optionalFlag, pageFlags } from "../../flags/flags.ts"
import { drawFields } from "../../output/fields.ts"
import { timeColumn } from "../../output/table.ts"
import { confirmFlag } from "../shared/confirm.ts"
import { command, confirming, listing, raw, showing, type Resource } from "../shared/resource.ts"

const queryText = ({ query }: Pick<ViewDocument, "query">): string => new URLSearchParams(query).toString()

const views: Resource<ViewDocument> = {
  group: "views",
  about: "Manage the lists of the console that are saved under a name",
  columns: [
    { heading: "VIEW_ID", text: ({ view_id }) => view_id },
    { heading: "PAGE", text: ({ page }) => page },
    { heading: "NAME", text: ({ name }) => name, style: () => "bold", shrinks: true },
    { heading: "QUERY", text: queryText, shrinks: true, isOptional: true },
    timeColumn("CREATED", ({ created_at }) => created_at),
  ],
  empty: "No views",
  examples: {
    list: { "inlet views list --page live": "The views of the page Live" },
    create: {
      'inlet views create live "Refused today" "filter=outcome:rejected&last=24h"':
        "The query is what stands after the ? in the page's address",
    },
    delete: { "inlet views delete 0f3a5c7e9b1d2468ace0 --yes": "Delete without a question" },
  },
}

const list = command(
  views,
  "list",
  "List saved views",
  {
    page: optionalFlag(Flag.Literals("page", ViewPage.literals), "Only views of this page of the console"),
    ...pageFlags(ViewCursor),
  },
  listing(views, ({ client, w }, query, { page }) =>
    client.views.list({
      params: { w },
      query: { ...(Option.isSome(page) && { page: page.value }), ...query },
      ...raw,
    }),
  ),
)

const create = command(
  views,
  "create",
  "Save a view",
  {
    page: Argument.Literals("page", ViewPage.literals).pipe(
      Argument.withDescription("The page of the console"),
    ),
    name: Argument.String("name").pipe(Argument.withDescription("The name of the view")),
    query: Argument.String("query").pipe(
      Argument.withDescription("The part of the page's address after the ?"),
    ),
  },
  showing(
    ({ client, w }, { name, page, query }) =>
      Effect.suspend(() => {
        const payload = { page, name, query: Object.fromEntries(new URLSearchParams(query)) }
        return client.views.create({ params: { w }, payload, ...raw })
      }),
    (view, screen) =>
      drawFields(screen, [
        ["view id", view.view_id],
        ["page", view.page],
        ["name", view.name],
        ["query", queryText(view)],
      ]),
  ),
)

const remove = command(
  views,
  "delete",
  "Delete a saved view",
  {
    view: Argument.String("view_id").pipe(Argument.withDescription("The id that `inlet views list` shows")),
    ...confirmFlag,
  },
  confirming(
    ({ view }) => `Delete view ${view}?`,
    ({ client, w }, { view }) => client.views.delete({ params: { w, view_id: view } }),
    ({ view }) => `deleted ${view}`,
  ),
)

export const viewsCommand = Command.make(views.group).pipe(
  Command.withDescription(views.about),
  Command.withSubcommands([list, create, remove]),
)
