import { errorText } from "../log/ErrorText.ts"

/** Why a forward was not saved. */
export const forwardStoreTexts = {
  tooManyForwards: errorText(
    "a workspace has at most {max} forwards",
    "Delete forwards that are no longer used.",
  ),
  forwardNameTaken: errorText(
    "name: another forward of the workspace has this name",
    "Choose another name, because `integrations` of calls choose forwards by name.",
  ),
}
