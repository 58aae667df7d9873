import { errorText } from "@inlet/core/log/ErrorText"

const wrongOption = "`inlet import`: exit code 2"
const failed = "`inlet import`: exit code 1"

/** The errors of the command line. */
export const cliTexts = {
  wrongWorkspace: errorText("--workspace must be a workspace number, such as 1", {
    seen: wrongOption,
    expected: "the environment id of a workspace",
    remedy: "Correct `--workspace` or `INLET_WORKSPACE`.",
  }),
  wrongUrl: errorText("--url must be an http or https address", {
    seen: wrongOption,
    expected: "an address such as `https://inlet.example.com`",
    remedy: "Correct `--url` or `INLET_URL`.",
  }),
  tokenMissing: errorText("no management token: set --token or INLET_MANAGEMENT_TOKEN", {
    seen: wrongOption,
    expected: "a management token, or the data directory of a server on this machine",
    remedy:
      "Set the token. Without it, start the command in the folder of the data directory, or set `INLET_DATA_DIR`.",
  }),
  serverUnreachable: errorText("no server answers at {origin}", {
    seen: failed,
    expected: "a server that listens at the address",
    remedy: "Start the server, or correct `--url` or `INLET_URL`.",
  }),
  notInlet: errorText("no Inlet server answers at {origin}", {
    seen: failed,
    expected: "answers of the management API",
    remedy: "Correct `--url` or `INLET_URL`, or forward `/management` in the proxy at the address.",
  }),
  nothingImported: errorText("nothing was imported", {
    seen: `${failed}, after the errors of the file`,
    expected: "a file with a valid header",
    remedy: "Correct the file. The lines above name the error.",
  }),
  rowsNotImported: errorText("rows that were not imported: {count}", {
    seen: `${failed}, after the errors of the rows`,
    expected: "a file with valid rows only",
    remedy: "Correct the rows and import the file again. Rows that were imported before are skipped.",
  }),
  moreErrors: errorText("and {count} more errors", {
    seen: `${failed}, after the first 100 errors`,
    expected: "at most 100 rows with errors",
    remedy: "Correct the listed rows and import the file again to see the others.",
  }),
}
