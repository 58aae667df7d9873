import { errorText } from "@inlethq/core/log/ErrorText"
import { copyTexts } from "@inlethq/storage/transfer/copyTexts"

/** The texts of errors about `inlet copy`, including errors of opening its stores. */
export const transferTexts = {
  ...copyTexts,
  noData: errorText(
    "{directory} has no database inlet.db: name the data directory of a server, or a postgres:// URL",
    "Correct `--from`. The data directory of a server is `INLET_DATA_DIR`, by default `.inlet`.",
  ),
  noKey: errorText(
    "{directory} has no digest-key; restore the file from a backup",
    "Restore the file. Without this file, Inlet cannot recognise suppressed identifiers.",
  ),
  otherDigests: errorText(
    "{target} hashes suppressed identifiers with a different secret key than the source, so suppressions cannot be copied into it; copy into an empty store",
    "Copy the workspace into another store, which must be empty.",
  ),
  sameStore: errorText("--from and --to are the same data directory", "Correct `--from` or `--to`."),
  wrongUrl: errorText(
    "--{option} is not a valid PostgreSQL URL: {problem}",
    "Give a URL such as `postgres://user@host/database`.",
  ),
  noSecret: errorText(
    "INLET_SECRET must have at least {bytes} bytes; set INLET_{option}_SECRET if the other store has another secret",
    "Set `INLET_SECRET`, or `INLET_FROM_SECRET` and `INLET_TO_SECRET` if the secrets differ.",
  ),
}
