import { HttpApi, OpenApi } from "effect/http-api"
import { Access } from "./Access.ts"
import { ActivityGroup } from "./ActivityLog.ts"
import { AuditGroup } from "./Audit.ts"
import { Authorization } from "./Authorization.ts"
import { DeliveriesGroup } from "./Deliveries.ts"
import { DuplicatesGroup } from "./Duplicates.ts"
import { ErasuresGroup } from "./Erasures.ts"
import { ExportsGroup } from "./Exports.ts"
import { FormsGroup } from "./Forms.ts"
import { ImportsGroup } from "./Imports.ts"
import { ImportJobsGroup } from "./ImportJobs.ts"
import { KeysGroup } from "./Keys.ts"
import { LakeGroup } from "./Lake.ts"
import { managementPath } from "./managementPath.ts"
import { MergesGroup } from "./MergePreview.ts"
import { ObjectsGroup } from "./Objects.ts"
import { PeopleGroup } from "./People.ts"
import { RulesGroup } from "./Rules.ts"
import { SearchGroup } from "./Search.ts"
import { SegmentsGroup } from "./Segments.ts"
import { SegmentRulesGroup } from "./SegmentRules.ts"
import { ServerGroup } from "./Server.ts"
import { SignInLinksGroup } from "./SignInLinks.ts"
import { StatsGroup } from "./Stats.ts"
import { SuppressionsGroup } from "./Suppressions.ts"
import { TokensGroup } from "./Tokens.ts"
import { WebhookAttemptsGroup, WebhooksGroup } from "./Webhooks.ts"
import { WorkspacesGroup } from "./Workspaces.ts"

/** The contract of the management API, which the server, the SDK and the command line share. */
export class ManagementApi extends HttpApi.make("management")
  .add(WorkspacesGroup)
  .add(KeysGroup)
  .add(PeopleGroup)
  .add(MergesGroup)
  .add(DuplicatesGroup)
  .add(ActivityGroup)
  .add(StatsGroup)
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
  .add(ImportsGroup)
  .add(ImportJobsGroup)
  .add(ExportsGroup)
  .add(LakeGroup)
  .add(RulesGroup)
  .add(TokensGroup)
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
