import { errorText, faultText } from "@inlet/core/log/ErrorText"

const seen = "CSV imports: `errors` of the summary, with the line number"

/** Error texts for lines that cannot be read as rows. */
export const lineTexts = {
  rowTooLarge: errorText("the row is larger than {bytes} bytes", {
    seen,
    expected: "a row within the limit",
    remedy: "Shorten the row, or raise `batch_item_bytes` of the workspace.",
  }),
  notUtf8: errorText("the row is not valid UTF-8", {
    seen,
    expected: "UTF-8",
    remedy: "Save the file as UTF-8.",
  }),
  openQuote: errorText("a quoted cell begins here and has no closing quote within {bytes} bytes", {
    seen,
    expected: "a closing quote",
    remedy: "Close the quote, or double the quotes inside the cell.",
  }),
  unclosedQuote: errorText("a quoted cell begins here and has no closing quote", {
    seen,
    expected: "a closing quote before the end of the file",
    remedy: "Close the quote, or double the quotes inside the cell.",
  }),
  quoteInside: errorText("unexpected quote in an unquoted field", {
    seen,
    expected: "quotes only around a whole cell",
    remedy: "Quote the whole cell, and double the quotes inside it.",
  }),
  textAfterQuote: errorText("expected a delimiter or line break after a closing quote", {
    seen,
    expected: "the next cell or the next row after a closing quote",
    remedy: "Double the quotes inside the cell.",
  }),
  wrongWidth: errorText("expected {expected} cells, got {found}", {
    seen,
    expected: "as many cells as the header has",
    remedy: "Add or remove cells, or quote the cells that contain commas.",
  }),
  noIdentifier: errorText("the row has no identifier: expected an id, email or svc_id", {
    seen,
    expected: "an `id`, `email` or `svc_id`",
    remedy: "Fill in an identifier.",
  }),
}

/** Error texts for an invalid header. If the header is invalid, no row of the file is imported. */
export const headerTexts = {
  emptyFile: errorText("the file is empty", {
    seen,
    expected: "a header and rows",
    remedy: "Check that the file was exported and uploaded completely.",
  }),
  unnamedColumn: errorText("column {column} has no name", {
    seen,
    expected: "a name for every column",
    remedy: "Name the column.",
  }),
  repeatedColumn: errorText("column {column} has the same name as column {first}", {
    seen,
    expected: "a different name for every column",
    remedy: "Rename one of the columns, or remove it.",
  }),
  longColumn: errorText("the name of column {column} is longer than {bytes} bytes", {
    seen,
    expected: "a name within the limit of attribute names",
    remedy: "Shorten the name, or raise `attribute_name_bytes` of the workspace.",
  }),
  missingColumn: errorText("missing column: {names}; the first line has {found}", {
    seen,
    expected: "a column that identifies people and, in a file of events, a column with the event's name",
    remedy: "Add the column to the first line, or correct its name. Separate columns with `,`, `;` or tabs.",
  }),
  notCsv: errorText("the file is not CSV in UTF-8, but {format}", {
    seen,
    expected: "CSV in UTF-8",
    remedy: "Save the file as CSV in UTF-8, for example from a spreadsheet with “Save as”, and import that.",
  }),
}

/** Error texts for invalid rows. */
export const rowFaults = {
  tooManyAttributes: faultText("too_many", "a row cannot set more than {max} attributes", {
    seen,
    expected: "fewer columns",
    remedy: "Split the columns between two files, or raise `attributes_per_person` of the workspace.",
  }),
  idNotUsed: faultText("invalid", "people are identified by email in this workspace", {
    seen,
    expected: "an email address",
    remedy: "Identify people by email in this file.",
  }),
  otherKind: faultText(
    "invalid",
    "every row must use the same kind of identifier: expected {before}, got {kind}",
    {
      seen,
      expected: "one kind of identifier in the whole file",
      remedy: "Move rows with another kind of identifier to another file.",
    },
  ),
}
