import { errorText } from "@inlethq/core/log/ErrorText"

/** The texts of errors of `inlet what-if`. */
export const whatIfTexts = {
  oneTrial: errorText(
    "--setting, --omit, --rule, --merge and --unmerge: one of them at a time",
    "Try one change after the other, so that each report says what its change does.",
  ),
  notTriable: errorText(
    "--setting: identifiers, ip and records_max cannot be tried on the log of a workspace",
    "Try them with `inlet replay --dry-run --setting`.",
  ),
  wrongTrialPair: errorText(
    "--merge and --unmerge: two svc_ids with a comma between them, the primary first",
    "`inlet people get` shows the svc_id of a person.",
  ),
}
