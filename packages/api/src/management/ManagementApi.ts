import { HttpApi, OpenApi } from "effect/http-api"
import { ActivityGroup } from "./ActivityLog.ts"
import { KeysGroup } from "./Keys.ts"
import { PeopleGroup } from "./People.ts"
import { WorkspacesGroup } from "./Workspaces.ts"

/** Where the management API lives. */
export const managementPath = "/management/v1"

/** What operators can ask of Inlet and tell it: the contract that server, SDK and command line share. */
export class ManagementApi extends HttpApi.make("management")
  .add(WorkspacesGroup)
  .add(KeysGroup)
  .add(PeopleGroup)
  .add(ActivityGroup)
  .prefix(managementPath)
  .annotate(HttpApi.ParseOptions, { errors: "all" })
  .annotate(HttpApi.PayloadParseOptions, { errors: "all", onExcessProperty: "error" })
  .annotateMerge(
    OpenApi.annotations({
      title: "Inlet management API",
      version: "1",
      description: "What operators can ask of Inlet and tell it. Errors are problem details (RFC 9457).",
    }),
  ) {}
