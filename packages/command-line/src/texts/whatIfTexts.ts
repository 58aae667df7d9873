import { errorText } from "@inlethq/core/log/ErrorText"

/** The texts of errors of `inlet what-if`. */
export const whatIfTexts = {
  buildAlone: errorText(
    "--with: leave out --days and every change; --from and --to choose the positions",
    "Try a build and a change one after the other.",
  ),
  noBuild: errorText(
    "--with: {path} is no build of Inlet",
    "Name the one file, the folder of an installed package, or a checkout that was built.",
  ),
  buildNotStarted: errorText(
    "--with: the server of {path} did not start: {problem}",
    "Run it with `serve --store memory --port 0` to see why.",
  ),
  noOperation: errorText(
    "capsule: give the id of an operation, or `run` and a file",
    "`inlet tail` shows the ids of operations.",
  ),
  noCapsule: errorText(
    "capsule: {file} is no capsule that this version knows",
    "Run it with the version that made it, which stands in its field `version`.",
  ),
  capsuleDiffers: errorText(
    "this version decides otherwise",
    "If it should not, report it with the capsule.",
  ),
  oneTrial: errorText(
    "--setting, --omit, --rule, --plan, --merge and --unmerge: one of them at a time",
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
