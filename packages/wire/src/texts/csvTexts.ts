import { catalogue, errorText, faultText } from "@inlethq/core/log/ErrorText"

/** Error texts for lines that cannot be read as rows. */
export const lineTexts = {
  rowTooLarge: errorText(
    "the row is larger than {bytes} bytes",
    "Shorten the row, or raise `batch_item_bytes` of the workspace.",
  ),
  notUtf8: errorText("the row is not valid UTF-8", "Save the file as UTF-8."),
  openQuote: errorText(
    "a quoted cell begins here and has no closing quote within {bytes} bytes",
    "Close the quote, or double the quotes inside the cell.",
  ),
  unclosedQuote: errorText(
    "a quoted cell begins here and has no closing quote",
    "Close the quote, or double the quotes inside the cell.",
  ),
  quoteInside: errorText(
    "unexpected quote in an unquoted field",
    "Quote the whole cell, and double the quotes inside it.",
  ),
  textAfterQuote: errorText(
    "expected a delimiter or line break after a closing quote",
    "Double the quotes inside the cell.",
  ),
  wrongWidth: errorText(
    "expected {expected} cells, got {found}",
    "Add or remove cells, or quote the cells that contain commas.",
  ),
  unnamedColumn: errorText(
    "column {column} has no name, but this row has a cell in it",
    "Name the column in the header, or clear the cell.",
  ),
  noIdentifier: errorText(
    "the row has no identifier: expected an id, email or svc_id",
    "Fill in an identifier.",
  ),
}

/** Error texts for an invalid header. If the header is invalid, no row of the file is imported. */
export const headerTexts = {
  emptyFile: errorText("the file is empty", "Check that the file was exported and uploaded completely."),
  titleRow: errorText(
    "the file must begin with its header; line {line} would be one, with {header}",
    "Remove the lines above the header, such as a title.",
  ),
  repeatedColumn: errorText(
    "column {column} has the same name as column {first}",
    "Rename one of the columns, or remove it.",
  ),
  longColumn: errorText(
    "the name of column {column} is longer than {bytes} bytes",
    "Shorten the name, or raise `attribute_name_bytes` of the workspace.",
  ),
  missingColumn: errorText(
    "missing column: {names}; the first line has {found}",
    "Add the column to the first line, or correct its name. Separate columns with `,`, `;` or tabs.",
  ),
  notCsv: errorText(
    "the file is not CSV in UTF-8, but {format}",
    "Save the file as CSV in UTF-8, for example from a spreadsheet with “Save as”, and import that.",
  ),
}

/** Error texts for invalid rows. */
export const rowTexts = catalogue("row_", {
  tooManyAttributes: faultText(
    "too_many",
    "a row cannot set more than {max} attributes",
    "Split the columns between two files, or raise `attributes_per_person` of the workspace.",
  ),
  idNotUsed: faultText(
    "invalid",
    "people are identified by email in this workspace",
    "Identify people by email in this file.",
  ),
  otherKind: faultText(
    "invalid",
    "every row must use the same kind of identifier: expected {before}, got {kind}",
    "Move rows with another kind of identifier to another file.",
  ),
})
