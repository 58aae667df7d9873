import { errorText } from "@inlethq/core/log/ErrorText"

/** The texts of the command line's errors. */
export const cliTexts = {
  wrongWorkspace: errorText(
    "--workspace must be a workspace number, such as 1",
    "Correct `--workspace` or `INLET_WORKSPACE`.",
  ),
  folderNotEmpty: errorText(
    "the directory {directory} is not empty",
    "Name a directory that is empty or does not exist. An export never overwrites a file.",
  ),
  notSealed: errorText(
    "the erasure {id} has no receipt yet, it is {state}",
    "Wait until it is sealed: the embedded store overwrites the bytes of deleted rows first, which takes seconds.",
  ),
  notErased: errorText(
    "the person is not erased everywhere: the places are listed above",
    "Restore a backup with `--ledger` instead of keeping it, delete files that are not needed, and wait for housekeeping. Another workspace of the same server may still have the person: delete them there, too.",
  ),
  lakeTarget: errorText(
    "say where to write the lake: either --dir or --bucket",
    "Give one of them: `--dir` for a folder on the machine of the server, `--bucket` for an S3-compatible bucket.",
  ),
  lakeKeyMissing: errorText(
    "the key of the bucket is missing: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
    "Set both variables to a key that may read, write, list and delete objects of the bucket.",
  ),
  lakeDamaged: errorText(
    "the lake has faults: {count}",
    "The files that the output names were changed by something else than Inlet. Restore them, or begin the lake anew with `inlet lake stop` and `inlet lake start`: what the log still holds is written again.",
  ),
  lakeErasuresDue: errorText(
    "deletions that are still to leave the files: {count}",
    "Look at `inlet lake status`, which says why the files cannot be written. If it says nothing, they are still being written: run the command again.",
  ),
  lakeUnwritten: errorText(
    "the files do not hold everything up to position {end} yet",
    "Look at `inlet lake status`, which says why the files cannot be written. If it says nothing, they are still being written: run the command again.",
  ),
  pairMissing: errorText(
    "name two people, or give --file with pairs",
    "Give two people, such as `inlet people merge ada bob`, or a CSV file with two people in each line.",
  ),
  wrongPairsFile: errorText(
    "{file}, line {line}: {problem}",
    "Correct the file. Nothing was merged: it is read whole before the first merge.",
  ),
  pairsFailed: errorText(
    "{failed} of {pairs} pairs failed, which are listed above",
    "Correct them, and run the command again with these pairs.",
  ),
  wrongOther: errorText(
    "--with must be an address and the number of a workspace, such as https://inlet.example.com#2, or #2 on the same server",
    "Correct `--with`. Put it between quotation marks in a shell.",
  ),
  otherTokenMissing: errorText(
    "the management token of {url} is missing",
    "Set `INLET_WITH_TOKEN` to a token that may read the other workspace.",
  ),
  workspacesDiffer: errorText(
    "the workspaces differ in {found} places, which are listed above",
    "Find out which calls only one of them received, with `inlet tail` or the filters of the activity page.",
  ),
  wrongReplayTarget: errorText(
    "--to must be an address and the number of a workspace, such as https://inlet.example.com#2, or #2 on the same server",
    "Add or correct `--to`. Put it between quotation marks in a shell. Only `--dry-run` needs none.",
  ),
  replayIntoItself: errorText(
    "--to names the workspace whose log is replayed",
    "Create another workspace with `inlet workspaces create`, and replay into that one.",
  ),
  replayTokenMissing: errorText(
    "the management token of {url} is missing",
    "Set `INLET_TO_TOKEN` to a token that may write to the workspace that `--to` names.",
  ),
  wrongPositions: errorText(
    "--positions must be two log positions, such as 120..900, or one, such as 120..",
    "Correct `--positions`. The page of an operation shows its position, and positions begin with 1.",
  ),
  shorterHistory: errorText(
    "workspace {workspace} keeps its log for {there} days, but the log that is replayed is kept for {days}",
    "Set `--history-days` of the target to the same number, with `inlet workspaces update`. Otherwise the target forgets what it has replayed, and a second replay would not skip it.",
  ),
  segmentNotCarried: errorText(
    "the segment {name} cannot be carried over: {problem}",
    "Correct or delete the segment, and replay again.",
  ),
  replayInterrupted: errorText(
    "replay interrupted; run the same command again to resume",
    "Run the same command again. What was replayed is skipped.",
  ),
  noDirectoryOfPostgres: errorText(
    "--postgres and --data-dir exclude each other",
    "Leave out `--postgres` if the server has a data directory, and `--data-dir` if it uses PostgreSQL.",
  ),
  settingWithoutDryRun: errorText(
    "--setting only tries a setting: add --dry-run",
    "Add `--dry-run`. To change a setting, use `inlet workspaces update`.",
  ),
  unknownSetting: errorText(
    "no setting {name}; try one of {names}",
    "Name a setting that decides what becomes of a call. `inlet workspaces get --json` shows them and the limits.",
  ),
  wrongSetting: errorText(
    "--setting has a wrong value: {problem}",
    "Correct the value. It is written as in `inlet workspaces get --json`, `identifiers` as `id,email`, and no limit of records as `unlimited`.",
  ),
  tooManyTried: errorText(
    "the range has more than {max} entries, which is the most that are tried in memory",
    "Try a smaller part of the log with `--positions` or `--filter`.",
  ),
  notTried: errorText(
    "a server in memory cannot start: {problem}",
    "Read what the message says. Free memory if it says that there is none.",
  ),
  entriesNotReplayed: errorText(
    "entries that were not replayed: {count}",
    "Correct what the messages name, such as a limit of the target, and replay again. What was replayed is skipped.",
  ),
  wrongUrl: errorText(
    "--url or INLET_URL must be an http or https address, such as http://127.0.0.1:8080",
    "Correct `--url` or `INLET_URL`.",
  ),
  wrongIngestionUrl: errorText(
    "--ingestion-url or INLET_INGESTION_URL must be an http or https address, such as http://127.0.0.1:8080",
    "Correct `--ingestion-url` or `INLET_INGESTION_URL`.",
  ),
  tableOfJson: errorText(
    "-o table does not go together with --json or --jq: leave one of them out",
    "Leave out `-o table` for JSON, or `--json` and `--jq` for a table.",
  ),
  addressForPath: errorText(
    "`inlet api` takes a path, such as /workspaces/1/people: the server comes from --url",
    "Give the path alone, and the address of the server with `--url`, so that no other server gets your token.",
  ),
  wrongJq: errorText(
    "--jq is not an expression that jq accepts: {problem}",
    "Correct the expression at the place that jq names. Put single quotes around it in a shell.",
  ),
  jqFailed: errorText(
    "the expression of --jq does not fit the answer: {problem}",
    "Run the command with `--json` to see the answer, and correct the expression.",
  ),
  profileNotFound: errorText(
    "no profile is named {name}: see `inlet profiles list`",
    "Correct `--profile`, `INLET_PROFILE` or the argument, or add the profile.",
  ),
  wrongProfiles: errorText(
    "cannot read the profiles in the configuration folder: {problem}",
    "Correct the file `profiles.json` in `~/.config/inlet` or below `XDG_CONFIG_HOME`, or its permissions, or remove it and add the profiles again.",
  ),
  profilesNotStored: errorText(
    "the profiles cannot be stored: {problem}",
    "Correct the permissions of `~/.config/inlet`, or of the folder `inlet` below `XDG_CONFIG_HOME`.",
  ),
  wrongProfileToken: errorText(
    "standard input has no management token",
    "Write the token, of at most 1000 characters, to standard input, such as `inlet profiles add prod --url … --token - < FILE`.",
  ),
  profileUrlMissing: errorText(
    "--url is missing: set it to the address of the server",
    "Add `--url`. `inlet profiles add` does not read `INLET_URL`.",
  ),
  wrongProfileName: errorText(
    "the name of a profile must have 1 to 64 letters, digits, dots, hyphens or underscores",
    "Choose another name.",
  ),
  noIngestionHere: errorText(
    "the server at {origin} does not answer ingestion calls: set --ingestion-url or INLET_INGESTION_URL to the address that does",
    "Set `INLET_INGESTION_URL` to the address that the server prints after `Inlet listens on`.",
  ),
  otherWorkspace: errorText(
    "the key in {variables} belongs to workspace {found}, but {option} selects workspace {chosen}, so nothing was sent: set a key of workspace {chosen}, or remove {variables} so that the command makes its own key",
    "Set the variables to a key of that workspace, remove them so that the command makes its own key, or select the workspace of the key.",
  ),
  outputNotWritten: errorText(
    "cannot write the output, which is now incomplete; free disk space or write the output elsewhere: {problem}",
    "Free space on this disk, or send the output to a file on another disk. Then run the command again.",
  ),
  tokenMissing: errorText(
    "no management token: set --token or INLET_MANAGEMENT_TOKEN",
    "Set the token, set `INLET_DATA_DIR`, or start the command in the folder that contains the data directory `.inlet`.",
  ),
  localTokenMissing: errorText(
    "no management token in {directory}: start the server there with `inlet serve`, or set --token or INLET_MANAGEMENT_TOKEN",
    "Set the token, set `INLET_DATA_DIR`, or start the command in the folder that contains the data directory `.inlet`.",
  ),
  wrongToken: errorText(
    "the server does not accept the management token: set --token or INLET_MANAGEMENT_TOKEN to the content of the file management-token in its data directory",
    "Find the token in the data directory of the server, or in its `INLET_MANAGEMENT_TOKEN`.",
  ),
  serverUnreachable: errorText(
    "no server responds at {origin}: start one with `inlet serve`, or set --url",
    "Start the server, or correct `--url` or `INLET_URL`.",
  ),
  tlsFailed: errorText(
    "the TLS connection to {origin} failed ({problem}): correct http or https in --url, or add the certificate of the server to NODE_EXTRA_CA_CERTS",
    "Correct `--url` or `INLET_URL`. For a certificate of your own authority, set `NODE_EXTRA_CA_CERTS` to a PEM file of the authority.",
  ),
  connectionLost: errorText(
    "the connection to {origin} closed before the response was complete: check whether the request was applied, and run the command again",
    "Check that the server runs. `inlet tail --lines 10` shows whether the request was applied. Then run the command again.",
  ),
  notInlet: errorText(
    "the server at {origin} is not an Inlet server: correct --url",
    "Correct `--url` or `INLET_URL`, or make the proxy at this address forward the path `/management`.",
  ),
  unknownAnswer: errorText(
    "the format of the server's response is unknown: use the same version of Inlet for the server and the command line",
    "Compare `inlet --version` with the version that `inlet doctor` shows.",
  ),
  notInContract: errorText(
    "the management API does not accept a value: {problem}",
    "Correct the value that the message names. If you did not enter this value, use the same version of Inlet for the server and the command line.",
  ),
  serverBusy: errorText(
    "the server is overloaded or cannot store data now (status {status}): try again later",
    "Try again later; the command has tried ten times. `inlet doctor` shows whether the disk is the cause.",
  ),
  wrongKey: errorText(
    "the server does not accept the key: correct or remove {variables}",
    "Make a key with `inlet keys create`, or remove the variables so that the command makes its own key.",
  ),
  keyNotStored: errorText(
    "the key cannot be stored: {problem}",
    "Correct the permissions of `~/.config/inlet`, or of the folder `inlet` below `XDG_CONFIG_HOME`. Otherwise set `INLET_WRITE_KEY`, or `INLET_SITE_ID` and `INLET_API_KEY`.",
  ),
  refused: errorText(
    "the server refused the call: {problem}",
    "Correct the call. The other sections of this page explain the messages of the server.",
  ),
  ineffective: errorText(
    "the operation was {outcome}; `inlet why {operation}` explains it",
    "The explanation says which rule decided and what the sender should do.",
  ),
  operationNotFound: errorText(
    "no operation in workspace {workspace} has the id {operation}: correct the id or --workspace",
    "`inlet tail --lines 10` lists the newest entries with their ids. Entries that are not events are deleted after 30 days.",
  ),
  personNotFound: errorText(
    "no person in workspace {workspace} has the identifier {name}: correct it or --workspace",
    "Name the person by id, email, anonymous id or `svc_id`. `inlet people list --search` finds people by the beginning of an identifier.",
  ),
  personMerged: errorText(
    "{name} was merged into {person} in workspace {workspace}: name the person who remains, {svc_id}",
    "Within 30 days `inlet people unmerge {name}` makes the merged person one of their own again.",
  ),
  notConfirmed: errorText("nothing was changed", "Run the command again, with `--yes` to skip the question."),
  nameMissing: errorText(
    "confirm the deletion with --yes and --name, the name of the workspace",
    "Find the name with `inlet workspaces list`.",
  ),
  otherName: errorText(
    "this is not the name of the workspace, so nothing was deleted",
    "Check that this is the workspace to delete, and type its name.",
  ),
  wrongObject: errorText(
    "{given} does not name an object: expected TYPE/ID, such as 1/acme",
    "Find objects with `inlet objects list`.",
  ),
  wrongPair: errorText(
    "{pair} is not a pair: expected name=value",
    "Put quotes around a value that contains spaces.",
  ),
  wrongJsonPair: errorText(
    "{pair} is not a pair with JSON after `:=`, such as n:=3 or vip:=true",
    "Correct the JSON, or send the value as text with `=`.",
  ),
  wrongSource: errorText(
    "--source must be name=id: the name is one of {names}, and the id is a number (for trigger_event_id, any text)",
    "Correct the option, such as `--source campaign_id=7`.",
  ),
  unknownLimit: errorText(
    "unknown limit {name}: expected one of {names}",
    "Correct the name, such as `--limit rate_requests=5000`.",
  ),
  wrongLimit: errorText(
    "--limit {name} must be a number",
    "Give a whole number of at most 15 digits, such as `--limit rate_requests=5000`.",
  ),
  nothingToChange: errorText(
    "no option says what to change: `inlet {command} --help` lists the options",
    "Add an option, such as `--name`.",
  ),
  emptyPeriod: errorText("--since {since} is after --until {until}", "Correct one of the two options."),
  sampleNotDelivered: errorText(
    "the receiver did not accept the sample event",
    "Correct the receiver, which must answer with a 2xx status within 4 seconds, or change its address with `inlet webhooks update`. Then send the sample again.",
  ),
  emptyBatchRefused: errorText(
    "the receiver did not accept the key, or an empty batch",
    "Compare the address and the key with those of the receiver, and change them with `inlet forwards update`.",
  ),
  emulatorNotStarted: errorText(
    "the emulator cannot start on port {port}, choose another --port: {problem}",
    "Choose another `--port`. Without the option, the emulator uses a free port.",
  ),
  notPaused: errorText(
    "segment {segment} is still being built, so it is not paused",
    "Pause it with `inlet segments update` once it is built.",
  ),
  pauseAndResume: errorText("--pause and --resume exclude each other", "Give one of them."),
  wrongRuleFile: errorText(
    "{file} is not a rule: expected JSON",
    'Write the rule as JSON, such as {"event": {"name": "bought", "within": "30d"}}.',
  ),
  wrongBaseline: errorText(
    "{file} is no baseline: expected JSON",
    "Write one with `inlet types generate --lang json-schema`.",
  ),
  typesDiffer: errorText(
    "what was seen differs from the baseline: {count}",
    "If the changes are wanted, generate the baseline again. Otherwise, correct whoever sends the events: `inlet types show` names the keys and clients.",
  ),
  fileNotFound: errorText("cannot read {file}: {problem}", "Correct the path or the permissions."),
  seedRefused: errorText(
    "the emulator cannot start: {problem}",
    "Correct the refused call in the file of `--seed`. The message gives its number, counted from 1.",
  ),
  wrongSeedLine: errorText(
    "line {line} of {file} is not a call of the Pipelines API: {problem}",
    "Write each line as a JSON object with the type identify, track, page, screen, group or alias.",
  ),
  outputRefused: errorText(
    "{file} is a link that leads nowhere, a socket or a disk, and is not replaced",
    "Give the path of a file, a pipe or a terminal, or remove what is there.",
  ),
  fileNotWritten: errorText(
    "cannot write {file}: {problem}",
    "Correct the path or the permissions, or free space. An incomplete file was removed.",
  ),
  wrongLine: errorText(
    "line {line} is not a JSON value of at most 64 KB: each line must be one entity of Track v2",
    "Correct the line. The command prints which lines the server acknowledged.",
  ),
  batchUnfinished: errorText(
    "the server acknowledged the lines up to {last}: continue with --from {next}",
    "Run the command again with `--from`. The server may have applied some of the later lines too. Events with an `id` are counted once.",
  ),
  batchNotBegun: errorText(
    "the server acknowledged no line: run the same command again",
    "Run the same command again.",
  ),
  itemsRefused: errorText(
    "items that were refused: {count}",
    "Correct the listed lines and send them again.",
  ),
  wrongReleases: errorText("--releases must be an http or https address", "Correct `--releases`."),
  releaseUnknown: errorText(
    "{page} does not say which version is the newest: {problem}",
    "Open the page in a browser. Where a proxy is needed, set `HTTPS_PROXY`; `--releases` asks a mirror.",
  ),
  doctorFound: errorText("problems found: {count}", "Do what the failed checks say."),
  copyInterrupted: errorText(
    "copy interrupted; run the same command again to resume",
    "Run the same command again. No server starts on the target before the copy is complete.",
  ),
  storeMissing: errorText(
    "--{option} is missing: set it or INLET_COPY_{name} to a data directory or a postgres:// URL",
    "Add the option, or set the variable. A password in the variable is not in the list of processes.",
  ),
  otherExport: errorText(
    "{file} is an export of {found}: import it with `inlet import {found}`",
    "Run the command that the message names, or choose another file. Nothing was imported.",
  ),
  notExported: errorText(
    "{file} was not written by `inlet export {kind}`: choose another file, or send Track v2 entities with `inlet send batch`",
    "Choose another file. If this file contains Track v2 entities, send it with `inlet send batch`. Nothing was imported.",
  ),
  incompleteExport: errorText(
    "{file} is not a complete export, because its last line is missing: export the data again",
    "Export the data again.",
  ),
  nothingImported: errorText(
    "nothing was imported",
    "Correct the file. The lines printed before this message name the error.",
  ),
  rowsNotImported: errorText(
    "rows that were not imported: {count}",
    "Correct the rows and import the file again. Rows that were imported before are skipped.",
  ),
  moreErrors: errorText(
    "and {count} more errors",
    "Correct the listed rows and import the file again to see the other errors.",
  ),
}
