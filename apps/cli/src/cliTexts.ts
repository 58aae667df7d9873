import { errorText } from "@inlet/core/log/ErrorText"

const wrongOption = "command line: exit code 2"
const failed = "command line: exit code 1"
const importFailed = "`inlet import`: exit code 1"

/** The texts of the command line's errors. */
export const cliTexts = {
  wrongWorkspace: errorText("--workspace must be a workspace number, such as 1", {
    seen: wrongOption,
    expected: "the number of a workspace (its environment id)",
    remedy: "Correct `--workspace` or `INLET_WORKSPACE`.",
  }),
  wrongUrl: errorText("--url or INLET_URL must be an http or https address, such as http://127.0.0.1:8080", {
    seen: wrongOption,
    expected: "an address such as `https://inlet.example.com`",
    remedy: "Correct `--url` or `INLET_URL`.",
  }),
  wrongIngestionUrl: errorText(
    "--ingestion-url or INLET_INGESTION_URL must be an http or https address, such as http://127.0.0.1:8080",
    {
      seen: wrongOption,
      expected: "the address of the ingestion APIs, such as `https://in.example.com`",
      remedy: "Correct `--ingestion-url` or `INLET_INGESTION_URL`.",
    },
  ),
  wrongJq: errorText("--jq is not an expression that jq accepts: {problem}", {
    seen: `${wrongOption}, before anything is sent`,
    expected: "an expression of jq 1.8, such as `.items[].id`",
    remedy: "Correct the expression at the place that jq names. Put single quotes around it in a shell.",
  }),
  jqFailed: errorText("the expression of --jq does not fit the answer: {problem}", {
    seen: `${failed}. What the command asked for was done. \`inlet tail\` reports it and goes on`,
    expected: "an expression that fits what the command prints with `--json`",
    remedy: "Run the command with `--json` to see the answer, and correct the expression.",
  }),
  profileNotFound: errorText("no profile is named {name}: see `inlet profiles list`", {
    seen: wrongOption,
    expected: "a name that `inlet profiles add` has stored",
    remedy: "Correct `--profile`, `INLET_PROFILE` or the argument, or add the profile.",
  }),
  wrongProfiles: errorText("cannot read the profiles in the configuration folder: {problem}", {
    seen: wrongOption,
    expected:
      "the file `profiles.json` as `inlet profiles` wrote it, in `~/.config/inlet` or below `XDG_CONFIG_HOME`",
    remedy: "Correct the file or its permissions, or remove it and add the profiles again.",
  }),
  profilesNotStored: errorText("the profiles cannot be stored: {problem}", {
    seen: failed,
    expected: "a configuration folder that can be written, `~/.config/inlet` or below `XDG_CONFIG_HOME`",
    remedy: "Correct the permissions of the folder.",
  }),
  wrongProfileToken: errorText("standard input has no management token", {
    seen: wrongOption,
    expected: "a token of at most 1000 characters on standard input, because of `--token -`",
    remedy: "Write the token to standard input, such as `inlet profiles add prod --url … --token - < FILE`.",
  }),
  profileUrlMissing: errorText("--url is missing: set it to the address of the server", {
    seen: wrongOption,
    expected: "the address of the server of the profile",
    remedy: "Add `--url`. `inlet profiles add` does not read `INLET_URL`.",
  }),
  wrongProfileName: errorText(
    "the name of a profile must have 1 to 64 letters, digits, dots, hyphens or underscores",
    {
      seen: wrongOption,
      expected: "a name such as `prod`",
      remedy: "Choose another name.",
    },
  ),
  noIngestionHere: errorText(
    "the server at {origin} does not answer ingestion calls: set --ingestion-url or INLET_INGESTION_URL to the address that does",
    {
      seen: `${failed}, if operators have a separate address (\`INLET_OPERATOR_HOST\` or \`INLET_OPERATOR_PORT\`)`,
      expected: "the address of the ingestion APIs",
      remedy: "Set `INLET_INGESTION_URL` to the address that the server prints after `Inlet listens on`.",
    },
  ),
  otherWorkspace: errorText(
    "the key in {variables} belongs to workspace {found}, but {option} selects workspace {chosen}, so nothing was sent: set a key of workspace {chosen}, or remove {variables} so that the command makes its own key",
    {
      seen: wrongOption,
      expected: "a key of the workspace that `--workspace`, `INLET_WORKSPACE` or a profile selects",
      remedy:
        "Set the variables to a key of that workspace, remove them so that the command makes its own key, or select the workspace of the key.",
    },
  ),
  outputNotWritten: errorText(
    "cannot write the output, which is now incomplete; free disk space or write the output elsewhere: {problem}",
    {
      seen: failed,
      expected: "free space on the disk of the file that receives the standard output",
      remedy:
        "Free space on this disk, or send the output to a file on another disk. Then run the command again.",
    },
  ),
  tokenMissing: errorText("no management token: set --token or INLET_MANAGEMENT_TOKEN", {
    seen: wrongOption,
    expected: "a management token, or the data directory of a server on this machine",
    remedy:
      "Set the token, set `INLET_DATA_DIR`, or start the command in the folder that contains the data directory `.inlet`.",
  }),
  localTokenMissing: errorText(
    "no management token in {directory}: start the server there with `inlet serve`, or set --token or INLET_MANAGEMENT_TOKEN",
    {
      seen: wrongOption,
      expected: "the data directory of a server on this machine",
      remedy:
        "Set the token, set `INLET_DATA_DIR`, or start the command in the folder that contains the data directory `.inlet`.",
    },
  ),
  wrongToken: errorText(
    "the server does not accept the management token: set --token or INLET_MANAGEMENT_TOKEN to the content of the file management-token in its data directory",
    {
      seen: failed,
      expected: "the management token of this server",
      remedy: "Find the token in the data directory of the server, or in its `INLET_MANAGEMENT_TOKEN`.",
    },
  ),
  serverUnreachable: errorText("no server responds at {origin}: start one with `inlet serve`, or set --url", {
    seen: failed,
    expected: "a server that listens at the address",
    remedy: "Start the server, or correct `--url` or `INLET_URL`.",
  }),
  tlsFailed: errorText(
    "the TLS connection to {origin} failed ({problem}): correct http or https in --url, or add the certificate of the server to NODE_EXTRA_CA_CERTS",
    {
      seen: failed,
      expected: "a server with a certificate that this machine trusts",
      remedy:
        "Correct `--url` or `INLET_URL`. For a certificate of your own authority, set `NODE_EXTRA_CA_CERTS` to a PEM file of the authority.",
    },
  ),
  connectionLost: errorText(
    "the connection to {origin} closed before the response was complete: check whether the request was applied, and run the command again",
    {
      seen: failed,
      expected: "a connection that lasts until the end of the response",
      remedy:
        "Check that the server runs. `inlet tail --lines 10` shows whether the request was applied. Then run the command again.",
    },
  ),
  notInlet: errorText("the server at {origin} is not an Inlet server: correct --url", {
    seen: failed,
    expected: "responses of the management API",
    remedy:
      "Correct `--url` or `INLET_URL`, or make the proxy at this address forward the path `/management`.",
  }),
  unknownAnswer: errorText(
    "the format of the server's response is unknown: use the same version of Inlet for the server and the command line",
    {
      seen: failed,
      expected: "a response in the format of this version",
      remedy: "Compare `inlet --version` with the version that `inlet doctor` shows.",
    },
  ),
  notInContract: errorText("the management API does not accept a value: {problem}", {
    seen: wrongOption,
    expected: "values that the management API accepts",
    remedy:
      "Correct the value that the message names. If you did not enter this value, use the same version of Inlet for the server and the command line.",
  }),
  serverBusy: errorText(
    "the server is overloaded or cannot store data now (status {status}): try again later",
    {
      seen: failed,
      expected: "a server that accepts the call within ten attempts",
      remedy: "Try again later. `inlet doctor` shows whether the disk is the cause.",
    },
  ),
  wrongKey: errorText("the server does not accept the key: correct or remove {variables}", {
    seen: failed,
    expected: "a key of a workspace of this server",
    remedy:
      "Make a key with `inlet keys create`, or remove the variables so that the command makes its own key.",
  }),
  keyNotStored: errorText("the key cannot be stored: {problem}", {
    seen: failed,
    expected: "a configuration folder that can be written, `~/.config/inlet` or below `XDG_CONFIG_HOME`",
    remedy: "Correct the permissions, or set `INLET_WRITE_KEY`, or `INLET_SITE_ID` and `INLET_API_KEY`.",
  }),
  refused: errorText("the server refused the call: {problem}", {
    seen: failed,
    expected: "a valid call",
    remedy: "Correct the call. The other sections of this page explain the messages of the server.",
  }),
  ineffective: errorText("the operation was {outcome}; `inlet why {operation}` explains it", {
    seen: failed,
    expected: "an operation that is applied",
    remedy: "Read the explanation.",
  }),
  personNotFound: errorText("person not found: {name}", {
    seen: failed,
    expected: "the id, email, anonymous id or server-assigned id (`svc_…`) of a person in the workspace",
    remedy: "Search with `inlet people list --search`, and check `--workspace`.",
  }),
  notConfirmed: errorText("nothing was changed", {
    seen: "command line: exit code 1, or 130 after Ctrl-C",
    expected: "the answer `y` to the question",
    remedy: "Run the command again, with `--yes` to skip the question.",
  }),
  nameMissing: errorText("confirm the deletion with --yes and --name, the name of the workspace", {
    seen: wrongOption,
    expected:
      "`--yes` with the name of the workspace in `--name`, or a terminal in which the command can ask for it",
    remedy: "Find the name with `inlet workspaces list`.",
  }),
  otherName: errorText("this is not the name of the workspace, so nothing was deleted", {
    seen: failed,
    expected: "the name of the workspace, exactly as `inlet workspaces list` shows it",
    remedy: "Check that this is the workspace to delete, and type its name.",
  }),
  wrongObject: errorText("{given} does not name an object: expected TYPE/ID, such as 1/acme", {
    seen: wrongOption,
    expected: "a type id and an object id, separated by a slash",
    remedy: "Find objects with `inlet objects list`.",
  }),
  wrongPair: errorText("{pair} is not a pair: expected name=value", {
    seen: wrongOption,
    expected: "a name, an equals sign and a value",
    remedy: "Put quotes around a value that contains spaces.",
  }),
  wrongJsonPair: errorText("{pair} is not a pair with JSON after `:=`, such as n:=3 or vip:=true", {
    seen: wrongOption,
    expected: "a name, `:=` and JSON",
    remedy: "Correct the JSON, or send the value as text with `=`.",
  }),
  wrongSource: errorText(
    "--source must be name=id: the name is one of {names}, and the id is a number (for trigger_event_id, any text)",
    {
      seen: wrongOption,
      expected: "a name that the message lists, and its id",
      remedy: "Correct the option, such as `--source campaign_id=7`.",
    },
  ),
  unknownLimit: errorText("unknown limit {name}: expected one of {names}", {
    seen: wrongOption,
    expected: "a limit of a workspace",
    remedy: "Correct the name, such as `--limit rate_requests=5000`.",
  }),
  wrongLimit: errorText("--limit {name} must be a number", {
    seen: wrongOption,
    expected: "a whole number of at most 15 digits",
    remedy: "Correct the option, such as `--limit rate_requests=5000`.",
  }),
  nothingToChange: errorText("no option says what to change: `inlet {command} --help` lists the options", {
    seen: wrongOption,
    expected: "at least one option with a new setting",
    remedy: "Add an option, such as `--name`.",
  }),
  emptyPeriod: errorText("--since {since} is after --until {until}", {
    seen: wrongOption,
    expected: "a period that begins before it ends",
    remedy: "Correct one of the two options.",
  }),
  sampleNotDelivered: errorText("the receiver did not accept the sample event", {
    seen: `${failed}, after the response of the receiver`,
    expected: "a response with a 2xx status within 4 seconds",
    remedy:
      "Correct the receiver, or change its address with `inlet webhooks update`, and send the sample again.",
  }),
  emulatorNotStarted: errorText(
    "the emulator cannot start on port {port}, choose another --port: {problem}",
    {
      seen: failed,
      expected: "a free port on 127.0.0.1",
      remedy: "Choose another `--port`. Without the option, the emulator uses a free port.",
    },
  ),
  fileNotFound: errorText("cannot read {file}: {problem}", {
    seen: wrongOption,
    expected: "a file that this user can read, or `-` for standard input",
    remedy: "Correct the path or the permissions.",
  }),
  seedRefused: errorText("the emulator cannot start: {problem}", {
    seen: failed,
    expected:
      "calls in the file of `--seed` that the server accepts. The message gives the number of the refused call, counted from 1",
    remedy: "Correct the refused call in the file of `--seed`.",
  }),
  wrongSeedLine: errorText("line {line} of {file} is not a call of the Pipelines API: {problem}", {
    seen: wrongOption,
    expected: "a JSON object with a type in each line: identify, track, page, screen, group or alias",
    remedy: "Correct the line.",
  }),
  fileNotWritten: errorText("cannot write {file}: {problem}", {
    seen: failed,
    expected: "a path that this user can write, on a disk with enough space",
    remedy: "Correct the path or the permissions, or free space. An incomplete file was removed.",
  }),
  wrongLine: errorText(
    "line {line} is not a JSON value of at most 64 KB: each line must be one entity of Track v2",
    {
      seen: `${failed}; the lines before it may have been sent`,
      expected: "one entity of Track v2 in each line",
      remedy: "Correct the line. The command prints which lines the server acknowledged.",
    },
  ),
  batchUnfinished: errorText("the server acknowledged the lines up to {last}: continue with --from {next}", {
    seen: "`inlet send batch`, before the error or after Ctrl-C",
    expected: "a command that runs until the whole file is sent",
    remedy:
      "Run the command again with `--from`. The server may have applied some of the later lines too. Events with an `id` are counted once.",
  }),
  batchNotBegun: errorText("the server acknowledged no line: run the same command again", {
    seen: "`inlet send batch`, after Ctrl-C",
    expected: "a command that runs until the whole file is sent",
    remedy: "Run the same command again.",
  }),
  itemsRefused: errorText("items that were refused: {count}", {
    seen: `${failed}, after the errors of the items`,
    expected: "valid entities of Track v2",
    remedy: "Correct the listed lines and send them again.",
  }),
  doctorFound: errorText("problems found: {count}", {
    seen: "`inlet doctor`: exit code 1, after the checks",
    expected: "no failed check",
    remedy: "Do what the failed checks say.",
  }),
  copyInterrupted: errorText("copy interrupted; run the same command again to resume", {
    seen: "`inlet copy`: exit code 130, after Ctrl-C",
    expected: "a command that runs until the copy is complete",
    remedy: "Run the same command again. No server starts on the target before the copy is complete.",
  }),
  storeMissing: errorText(
    "--{option} is missing: set it or INLET_COPY_{name} to a data directory or a postgres:// URL",
    {
      seen: wrongOption,
      expected: "the source and the target of the copy",
      remedy:
        "Add the option, or set the variable. A password in the variable is not in the list of processes.",
    },
  ),
  otherExport: errorText("{file} is an export of {found}: import it with `inlet import {found}`", {
    seen: importFailed,
    expected: "an export of the kind that the command names",
    remedy: "Run the command that the message names, or choose another file. Nothing was imported.",
  }),
  notExported: errorText(
    "{file} was not written by `inlet export {kind}`: choose another file, or send Track v2 entities with `inlet send batch`",
    {
      seen: importFailed,
      expected: "a file that `inlet export` wrote, or a CSV file of people or events",
      remedy:
        "Choose another file. If this file contains Track v2 entities, send it with `inlet send batch`. Nothing was imported.",
    },
  ),
  incompleteExport: errorText(
    "{file} is not a complete export, because its last line is missing: export the data again",
    {
      seen: importFailed,
      expected: 'a file that `inlet export` wrote, which ends with `{"end":true,…}`',
      remedy: "Export the data again.",
    },
  ),
  nothingImported: errorText("nothing was imported", {
    seen: `${importFailed}, after the errors of the file`,
    expected: "a file with a valid header",
    remedy: "Correct the file. The lines printed before this message name the error.",
  }),
  rowsNotImported: errorText("rows that were not imported: {count}", {
    seen: `${importFailed}, after the errors of the rows`,
    expected: "a file with valid rows only",
    remedy: "Correct the rows and import the file again. Rows that were imported before are skipped.",
  }),
  moreErrors: errorText("and {count} more errors", {
    seen: `${importFailed}, after the first 100 errors`,
    expected: "at most 100 rows with errors",
    remedy: "Correct the listed rows and import the file again to see the other errors.",
  }),
}
