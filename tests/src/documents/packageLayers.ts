import type { Layers } from "./layers.ts"

/**
 * The layers of packages, from top to bottom. A layer imports only what is in it or below. `docs/architecture.md` describes
 * the packages; the test of layers holds these tables.
 */
export const packageLayers: ReadonlyArray<Layers> = [
  {
    folder: "packages/core",
    rows: [
      // What a merge of two people, or its end, would change, without changing it.
      ["previewMerge.ts", "previewUnmerge.ts"],
      // Reading: the port, and the current view of a log entry.
      ["catalog/"],
      // What stores implement.
      ["ports/"],
      // `decideAll` folds `decide` and `evolve` over the commands of a batch.
      ["Batch.ts"],
      // `followRules`: what the rules of segments make of the changes of a command (decision 24).
      ["membership/"],
      // The two big switches, and what is said of a call whose deduplication key was used before.
      ["Transition.ts", "duplicateReason.ts"],
      // Which identifier of a command only stands for one that was not set; the fields of a form that a workspace omits; what plans make of a command.
      ["placeholderNamed.ts", "withoutOmittedFields.ts", "followPlan.ts"],
      // What is done with each command: its kind, whom it acts on, what is loaded, who decides it.
      ["CommandTable.ts"],
      ["Command.ts"],
      // One folder for each resource: commands, decisions, evolution. `operation/` holds refused requests and exceeded rates.
      [
        "person/",
        "visitor/",
        "event/",
        "device/",
        "object/",
        "relationship/",
        "form/",
        "segment/",
        "delivery/",
        "suppression/",
        "erasure/",
        "operation/",
      ],
      // What resources share: resolving references, verdicts, limits of one person's holdings, erasure, writing into the working
      // set, what a command overwrites in the documents of people, and setting a document back.
      ["decision/"],
      // How an update changes attributes: times, limits, inheritance.
      ["attributes/"],
      // What commands are folded over: the changes, the working set, what has to be loaded, the fields that commands share.
      ["fold/"],
      // The rules of segments: decoding, the index of a workspace's rules, evaluation.
      ["rule/"],
      // The types of subjects and their attributes.
      ["state/"],
      // Forwards: their settings, and the sealed names of erased people.
      ["forward/"],
      // Entries of the activity log and their texts; settings and limits; plans of events, as they are compiled and applied.
      ["log/", "workspace/", "plan/"],
      // Which event of a webhook is sent next; what is not well; records of what the management API changed, and of erasures.
      ["webhook/", "alert/", "audit/", "ledger/"],
      // Identifiers, JSON, times and pages; work that runs in slices.
      ["values/", "Slices.ts"],
    ],
  },
  {
    folder: "packages/engine",
    rows: [
      // Erasures that a restored store or a copy repeats, and the merges that can be undone.
      ["erasures/"],
      // Steps of builds, and rules that time changes.
      ["rules/"],
      ["commits/", "reads/", "time/", "whileFit.ts"],
    ],
  },
  {
    folder: "packages/wire",
    rows: [
      // Operations of the management API as commands, and the documents of OpenAPI.
      ["operations/", "openapi/"],
      ["csv/", "pipelines/", "track-v1/", "track-v2/"],
      // The fields that protocols share.
      ["decoding/"],
      ["texts/"],
    ],
  },
  {
    folder: "packages/contract",
    rows: [
      ["ManagementCall.ts"],
      ["ManagementApi.ts"],
      ["trial/"],
      ["workspaces/"],
      ["transfer/"],
      ["segments/"],
      ["people/", "types/"],
      ["activity/", "objects/", "server/", "webhooks/", "alerts/", "console/"],
      ["access/", "values/"],
    ],
  },
  {
    folder: "packages/log",
    rows: [
      // Pages of the log through a filter.
      ["reading/"],
      // The entries that a replay sends; the log decided again with something changed.
      ["filter/", "replay/", "trial/"],
      // What entries have in common: names, shapes and causes; types for programs.
      ["types/"],
      // An entry as the one request that makes it again; its document; why it ended as it did.
      ["call/", "documents/", "explanation/"],
      // Walks backwards over entries; the events that webhooks report; what clauses of the contract say.
      ["history/", "reporting/", "clauses/"],
    ],
  },
  {
    folder: "packages/storage",
    rows: [
      // What housekeeping erases and prunes.
      ["erasing/"],
      // The reads of the catalog, written once over the questions that each database answers.
      ["read/"],
      // The small tables beside people and their log, and which rows of the log match a filter.
      ["tables/", "search/"],
      // Copies between stores.
      ["transfer/"],
      ["rows/"],
      ["columns/", "budgets/", "KnownRules.ts", "storeServices.ts"],
    ],
  },
  {
    folder: "packages/storage-sqlite",
    rows: [
      // The data directory as the source or the target of a copy.
      ["transfer/"],
      ["SqliteStore.ts"],
      ["importFiles.ts"],
      // Erasing, pruning and scrubbing; saving a batch.
      ["housekeeping/", "write/"],
      // Loading a working set, the queries of the catalog, scans of the log, and the cache of recent subjects (decision 15).
      ["read/"],
      // Indexes of the log by subject, kind, outcome, name, rule and reason.
      ["log/"],
      ["openDatabase.ts"],
      ["migrations/"],
      // Connections, transactions, row ids that contain the workspace, the next key and position of each workspace, the lock on the
      // data directory, syncs beside commits (decision 22), and the thread that copies the write-ahead log (decision 13).
      ["engine/"],
    ],
  },
  {
    folder: "packages/storage-postgres",
    rows: [
      // The database as the source or the target of a copy.
      ["transfer/"],
      ["PostgresStore.ts"],
      ["importFiles.ts"],
      // Erasing and pruning under a lease; committing a batch under the lock of its workspace (decision 21).
      ["housekeeping/", "write/"],
      ["openDatabase.ts"],
      // Loading a working set, the queries of the catalog, scans of the log, and the state of the database server.
      ["read/"],
      // What nodes record of themselves and of the database, notices between them, and leases with fencing tokens.
      ["nodes/"],
      // Searching the log; what all nodes share: the digest key, the digest of the management token, the first workspace.
      ["log/", "installation/"],
      ["migrations/"],
      // The row of each workspace with its next key and position, and the lock on it.
      ["tables/"],
      // The connection URL, hosts and failover, the pool, transactions with retries, and the outcome of broken commits (decision 18).
      ["engine/"],
    ],
  },
  {
    folder: "packages/http",
    rows: [
      // The routes of metrics, of health, of the console, of MCP and of the App API.
      ["health/", "console/", "mcp/", "appApi/"],
      // One folder for each resource, and what resources share: `answers/` (pages, limits of responses) and `operations/`.
      ["management/"],
      ["ingestion/"],
      // Signing in at an issuer of OpenID Connect: the protocol, the cookie meanwhile, the page about failures.
      ["oidc/"],
      // Who asks: management tokens, sessions, scopes.
      ["access/"],
      ["audit/"],
      ["problems/"],
      // Secrets, the cache of API keys and write keys, and who sends with which.
      ["credentials/"],
      // The database of places, and its replacement.
      ["geo/"],
      // The sockets: limits of connections, framing, certificates, the graceful stop.
      ["listener/"],
      [
        "HttpSettings.ts",
        "BrandInUse.ts",
        "ShippedFiles.ts",
        "routerConfig.ts",
        "answerHeader.ts",
        "entityTags.ts",
      ],
    ],
  },
]
