/*
 * This text is added to the list of migrations, in a build that acts as a later version of Inlet. Its first migration adds columns, an
 * index and a table, as the rules for migrations allow. A second one removes the table, if a test asks for it.
 */
{
  const adds = {
    id: newestFormat() + 1,
    name: "of the next version",
    statements: [
      "ALTER TABLE activity ADD COLUMN note TEXT",
      "ALTER TABLE subjects ADD COLUMN rank BIGINT NOT NULL DEFAULT 0",
      "ALTER TABLE heads ADD COLUMN notes BIGINT NOT NULL DEFAULT 0",
      "CREATE INDEX subjects_by_rank ON subjects (workspace, rank)",
      "CREATE TABLE notes (workspace BIGINT PRIMARY KEY, text TEXT NOT NULL)",
    ],
  }
  const removes = { id: adds.id + 1, name: "of the version after that", statements: ["DROP TABLE notes"] }
  released.push(adds)
  if (process.env.INLET_TEST_REMOVES !== undefined) released.push(removes)
}
