import { catalogue, faultText } from "@inlethq/core/log/ErrorText"

/** Error texts of paths that lead nowhere. */
export const pathTexts = catalogue("path_", {
  malformed: faultText(
    "malformed",
    "the path contains a malformed percent escape",
    "Encode each part of the path, as `encodeURIComponent` does.",
  ),
  unknown: faultText(
    "unknown_action",
    "unknown path",
    "Compare the path, also its case, with section 2 of the contract.",
  ),
  incomplete: faultText(
    "unknown_action",
    "unknown path: it should be {path}",
    "Put the identifier into the path, encoded as `encodeURIComponent` does.",
  ),
  unescaped: faultText(
    "unknown_action",
    "unknown path: a slash inside an identifier must be encoded as %2F, as in {path}",
    "Encode each part of the path, as `encodeURIComponent` does.",
  ),
  methodNotAllowed: faultText(
    "unknown_action",
    "this path does not accept the method; see the Allow header",
    "Use a method that the `Allow` header lists.",
  ),
})
