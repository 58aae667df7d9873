import { HttpApi, OpenApi } from "effect/http-api"
import { Access } from "./access/Access.ts"
import { AlertsGroup } from "./alerts/Alerts.ts"
import { ActivityGroup } from "./activity/ActivityLog.ts"
import { AuditGroup } from "./workspaces/Audit.ts"
import { Authorization } from "./access/Authorization.ts"
import { DeliveriesGroup } from "./objects/Deliveries.ts"
import { DuplicatesGroup } from "./people/Duplicates.ts"
import { ErasuresGroup } from "./transfer/Erasures.ts"
import { ExportsGroup } from "./transfer/Exports.ts"
import { FormsGroup } from "./objects/Forms.ts"
import { ImportsGroup } from "./transfer/Imports.ts"
import { ImportJobsGroup } from "./transfer/ImportJobs.ts"
import { KeysGroup } from "./workspaces/Keys.ts"
import { LakeGroup } from "./transfer/Lake.ts"
import { managementPath } from "./values/managementPath.ts"
import { MergesGroup } from "./people/MergePreview.ts"
import { ObjectsGroup } from "./objects/Objects.ts"
import { PeopleGroup } from "./people/People.ts"
import { ClausesGroup } from "./activity/Clauses.ts"
import { SearchGroup } from "./server/Search.ts"
import { SegmentsGroup } from "./segments/Segments.ts"
import { SegmentRulesGroup } from "./segments/SegmentRules.ts"
import { ServerGroup } from "./server/Server.ts"
import { SignInLinksGroup } from "./workspaces/SignInLinks.ts"
import { StatsGroup } from "./activity/Stats.ts"
import { SuppressionsGroup } from "./people/Suppressions.ts"
import { SessionsGroup } from "./workspaces/Sessions.ts"
import { TokensGroup } from "./workspaces/Tokens.ts"
import { WhatIfGroup } from "./trial/WhatIf.ts"
import { TypesGroup } from "./types/EventTypes.ts"
import { PlansGroup } from "./workspaces/Plans.ts"
import { ViewsGroup } from "./workspaces/Views.ts"
import { DestinationsGroup } from "./webhooks/Destinations.ts"
import { ForwardAttemptsGroup, ForwardsGroup } from "./webhooks/Forwards.ts"
import { WebhookAttemptsGroup, WebhooksGroup } from "./webhooks/Webhooks.ts"
import { WorkspacesGroup } from "./workspaces/Workspaces.ts"

/** The contract of the management API, which the server, the SDK and the command line share. */
export class ManagementApi extends HttpApi.make("management")
  .add(WorkspacesGroup)
  .add(KeysGroup)
  .add(PeopleGroup)
  .add(MergesGroup)
  .add(DuplicatesGroup)
  .add(ActivityGroup)
  .add(StatsGroup)
  .add(TypesGroup)
  .add(PlansGroup)
  .add(AlertsGroup)
  .add(ViewsGroup)
  .add(WhatIfGroup)
  .add(SearchGroup)
  .add(ObjectsGroup)
  .add(SegmentsGroup)
  .add(SegmentRulesGroup)
  .add(SuppressionsGroup)
  .add(ErasuresGroup)
  .add(FormsGroup)
  .add(DeliveriesGroup)
  .add(WebhooksGroup)
  .add(WebhookAttemptsGroup)
  .add(ForwardsGroup)
  .add(ForwardAttemptsGroup)
  .add(DestinationsGroup)
  .add(ImportsGroup)
  .add(ImportJobsGroup)
  .add(ExportsGroup)
  .add(LakeGroup)
  .add(ClausesGroup)
  .add(TokensGroup)
  .add(SessionsGroup)
  .add(SignInLinksGroup)
  .add(AuditGroup)
  .add(ServerGroup)
  .middleware(Access)
  .middleware(Authorization)
  .prefix(managementPath)
  .annotate(HttpApi.ParseOptions, { errors: "all" })
  .annotate(HttpApi.QueryParseOptions, { errors: "all", onExcessProperty: "error" })
  .annotate(HttpApi.PayloadParseOptions, { errors: "all", onExcessProperty: "error" })
  .annotateMerge(
    OpenApi.annotations({
      title: "Inlet management API",
      servers: [{ url: "/", description: "The server that sent this document" }],
      version: "1",
      description: "Manages an Inlet server and reads what it stores. Errors are problem details (RFC 9457).",
    }),
  ) {}
