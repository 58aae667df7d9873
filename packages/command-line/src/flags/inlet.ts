import { Command, Flag } from "effect/cli"
import { optionalFlag } from "./flags.ts"
import { outputFormats } from "./outputFormats.ts"

/** The `inlet` command with the flags that its subcommands share. */
export const inlet = Command.make("inlet").pipe(
  Command.withDescription("Self-hosted customer-data ingestion for the Track and Pipelines APIs"),
  Command.withSharedFlags({
    url: optionalFlag(
      Flag.String("url"),
      "Address of the server (INLET_URL; default: the server on this machine)",
    ),
    ingestionUrl: optionalFlag(
      Flag.String("ingestion-url").pipe(Flag.withMetavar("url")),
      "Address of the ingestion APIs for `inlet send`, if it differs from the address of the server (INLET_INGESTION_URL)",
    ),
    token: optionalFlag(
      Flag.Redacted("token"),
      "Management token (INLET_MANAGEMENT_TOKEN; default: the token in the local data directory)",
    ),
    profile: Flag.String("profile").pipe(
      Flag.withMetavar("name"),
      Flag.withDescription("A stored server and workspace, see `inlet profiles` (INLET_PROFILE)"),
      Flag.optional,
    ),
    workspace: Flag.String("workspace").pipe(
      Flag.withMetavar("number"),
      Flag.withDescription("Environment id of the workspace (INLET_WORKSPACE; default: 1)"),
      Flag.optional,
    ),
    utc: Flag.Boolean("utc").pipe(
      Flag.withDescription("Show times in UTC instead of the local time zone"),
      Flag.withDefault(false),
    ),
    json: Flag.Boolean("json").pipe(
      Flag.withDescription("Print what the API answers, as JSON"),
      Flag.withDefault(false),
    ),
    output: Flag.Literals("format", outputFormats).pipe(
      Flag.withAlias("o"),
      Flag.withDescription("How to print: a table, JSON as with --json, or an item of a list a line"),
      Flag.optional,
    ),
    jq: Flag.String("jq").pipe(
      Flag.withMetavar("expression"),
      Flag.withDescription(
        "Print what a jq expression makes of the JSON, strings without quotes; implies --json",
      ),
      Flag.optional,
    ),
  }),
)
