import { errorText } from "@inlet/core/log/ErrorText"
import { copyTexts } from "@inlet/storage/transfer/copyStore"

const seen = "`inlet copy`: exit code 1"

/** The texts of errors about `inlet copy`, including errors of opening its stores. */
export const transferTexts = {
  ...copyTexts,
  noData: errorText(
    "{directory} has no database inlet.db: name the data directory of a server, or a postgres:// URL",
    {
      seen,
      expected: "a data directory or a `postgres://` URL",
      remedy: "Correct `--from`. The data directory of a server is `INLET_DATA_DIR`, by default `.inlet`.",
    },
  ),
  noKey: errorText("{directory} has no digest-key; restore the file from a backup", {
    seen,
    expected: "the file `digest-key` beside `inlet.db`",
    remedy: "Restore the file. Without this file, Inlet cannot recognise suppressed identifiers.",
  }),
  otherDigests: errorText(
    "{target} hashes suppressed identifiers with a different secret key than the source, so suppressions cannot be copied into it; copy into an empty store",
    {
      seen,
      expected: "an empty store, or a store that began as a copy of the same source",
      remedy: "Copy the workspace into another store, which must be empty.",
    },
  ),
  sameStore: errorText("--from and --to are the same data directory", {
    seen,
    expected: "two stores",
    remedy: "Correct `--from` or `--to`.",
  }),
  wrongUrl: errorText("--{option} is not a valid PostgreSQL URL: {problem}", {
    seen,
    expected: "a URL such as `postgres://user@host/database`",
    remedy: "Correct the URL.",
  }),
  noSecret: errorText(
    "INLET_SECRET must have at least {bytes} bytes; set INLET_{option}_SECRET if the other store has another secret",
    {
      seen,
      expected: "the secret of the servers on the PostgreSQL database",
      remedy: "Set `INLET_SECRET`, or `INLET_FROM_SECRET` and `INLET_TO_SECRET` if the secrets differ.",
    },
  ),
}
