import { errorText } from "@inlethq/core/log/ErrorText"

/** The errors with which the server refuses to start. */
export const startTexts = {
  wrongSetting: errorText(
    "{variable} must be {expected}",
    "Correct the environment variable, or remove it to use the default. [Settings](operations/settings.md) lists every variable.",
  ),
  portInUse: errorText(
    "cannot listen on {host}:{port}: the port is in use (set {variable})",
    "Set another port, or stop the other process.",
  ),
  cannotListen: errorText(
    "cannot listen on {host}:{port}: {code}",
    "Correct `INLET_HOST` and `INLET_PORT`. Ports below 1024 often require a privilege.",
  ),
}
