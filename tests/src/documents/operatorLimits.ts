/** A limit that operators meet: what the page says, and the constant with the file that defines it. */
type OperatorLimit = readonly [text: string, constant: string, file: string]

/**
 * The fixed limits on docs/limits.md, by what happens at them. All others are in docs/bounds.md only: a limit is here if somebody
 * who sends, reads or operates can run into it.
 */
export const operatorLimits: ReadonlyArray<
  readonly [heading: string, about: string, limits: ReadonlyArray<OperatorLimit>]
> = [
  [
    "Requests",
    "Headers above their size get a 431, what arrives too slowly a 408, and a connection too many is closed. Sizes of bodies are settings of the workspace.",
    [
      ["connections to one listening address", "connectionsMax", "Listener.ts"],
      [
        "connections from one public address, or one /64 network of IPv6",
        "connectionsPerAddressMax",
        "connectionLimit.ts",
      ],
      ["headers of a request", "headersBytesMax", "clientErrors.ts"],
      ["until the headers have arrived", "headersTimeoutMs", "Listener.ts"],
      ["until the body has arrived, after the headers", "bodyTimeoutMs", "Body.ts"],
      ["Pipelines body without a valid `Authorization` header", "unauthenticatedBytesMax", "pipelines.ts"],
      [
        "until a stopping server closes connections whose answer is not ready",
        "drainTimeoutMs",
        "Listener.ts",
      ],
    ],
  ],
  [
    "Overload",
    "Above these, ingestion answers 503 with `Retry-After`, and no call is lost. `/health/ready` answers 503 once an operation has waited too long.",
    [
      ["operations that wait for their commit", "waitingCommandsMax", "IngestBounds.ts"],
      ["bytes of bodies that wait for their commit", "waitingBytesMax", "IngestBounds.ts"],
      ["memory for bodies that are arriving", "heldBytesMax", "Body.ts"],
      ["wait of an operation in the queue of a ready server", "oldestWaitingMaxMs", "Health.ts"],
    ],
  ],
  [
    "Calls",
    "Calls above these are answered with an error, or applied without the value (`partial`).",
    [
      ["deduplication key", "deduplicationKeyBytesMax", "event.ts"],
      ["form id, delivery id or device token", "foreignIdBytesMax", "Limits.ts"],
      ["levels of nested arrays and objects", "jsonDepthMax", "measure.ts"],
      ["fields of a form", "formFieldsMax", "Limits.ts"],
      ["devices and relationships of one person together", "holdingsBytesPerPersonMax", "Limits.ts"],
      ["a visitor without requests is kept for", "visitorRetentionMs", "Subject.ts"],
      ["age of a visitor's events that move to the person", "eventMergeWindowMs", "ActivityEntry.ts"],
    ],
  ],
  [
    "The log",
    "Beyond these, an entry keeps less of what was sent.",
    [
      ["values left out that an entry lists", "refusedValuesMax", "RefusedValue.ts"],
      ["item of a rejected call that is kept, in characters", "rejectedDataMax", "RejectedCall.ts"],
      ["rejected calls that a workspace keeps, in characters", "rejectedCharactersMax", "RejectedCall.ts"],
      ["different senders of a workspace", "sendersMax", "Sender.ts"],
      ["days in which a merge can be undone", "undoDaysMax", "freed.ts"],
    ],
  ],
  [
    "Segments by rule",
    "[segments.md](segments.md#limits) has those of previews and backtests.",
    [
      ["segments by rule in a workspace", "rulesMax", "ruleBounds.ts"],
      ["different leaves in the rules of a workspace", "ruleLeavesTotalMax", "ruleBounds.ts"],
      ["leaves of one rule", "ruleLeavesMax", "ruleBounds.ts"],
      ["levels of `and`, `or` and `not`", "ruleDepthMax", "ruleBounds.ts"],
    ],
  ],
  [
    "Management API and console",
    "A call that finds every place taken waits for its turn, and gets a 503 if that takes too long.",
    [
      ["items on a page", "pageItemsMax", "Page.ts"],
      ["characters of a filter", "filterLengthMax", "parseFilter.ts"],
      ["streams with one token and its sessions", "streamsPerTokenMax", "AnswerLimiter.ts"],
      ["streams of one workspace", "streamsPerWorkspaceMax", "AnswerLimiter.ts"],
      ["exports at the same time", "exportsMax", "ExportTurns.ts"],
      ["of these, about one workspace or with one token", "exportsPerWorkspaceMax", "ExportTurns.ts"],
      ["wrong tokens from one network, in a minute", "wrongTokensMax", "WrongTokens.ts"],
      ["keys of a workspace", "keysPerWorkspaceMax", "Registry.ts"],
      ["file of an import that goes on without the client", "importFileBytesMax", "ImportJobs.ts"],
      ["imports of a workspace that have not ended", "importsUnfinishedMax", "ImportJobs.ts"],
    ],
  ],
  [
    "Webhooks, Kafka and the lake",
    "What cannot be sent waits in the log, and metrics say how much.",
    [
      ["until the receiver of a webhook must answer", "answerTimeoutMs", "Sender.ts"],
      [
        "events of one webhook that are retried, before it reads further ones",
        "heldEventsMax",
        "DeliveryQueue.ts",
      ],
      ["days for which pruning waits for the lake", "heldDaysMax", "LakeFiles.ts"],
    ],
  ],
  [
    "Stores",
    "",
    [
      [
        "write-ahead log of the embedded store on disk, once it starts over",
        "logBytesMax",
        "openDatabase.ts",
      ],
      [
        "difference between the clocks of a node and of PostgreSQL; beyond it the node is not ready",
        "clockDifferenceMsMax",
        "watchNode.ts",
      ],
      ["until a call to PostgreSQL fails, with all its attempts", "transactionMsMax", "bounds.ts"],
    ],
  ],
  [
    "App API",
    "Above the rate, the App API answers 429 with `Retry-After`. A larger page is cut to the largest, and a filter that takes longer gets a 503.",
    [
      ["requests with one app key in a second, on each node", "requestsPerSecondMax", "AppRateMeter.ts"],
      ["until a call is answered", "answerMsMax", "AppCall.ts"],
      ["people on a page", "customersMax", "customers.ts"],
      ["people on a page of a segment's membership", "membersMax", "segments.ts"],
      ["messages on a page", "messagesMax", "messages.ts"],
      ["activities on a page", "activitiesMax", "activities.ts"],
      ["exports of a workspace", "exportsMax", "ExportJob.ts"],
      ["an export is kept for", "exportRetentionMs", "ExportJob.ts"],
      ["a link to the file of an export works for", "linkMsMax", "exports.ts"],
    ],
  ],
]
