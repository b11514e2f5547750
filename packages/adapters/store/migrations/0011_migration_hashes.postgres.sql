-- SHA-256 of the text of every migration that was applied, in hex: a release whose text is another
-- refuses the database. Rows of migrations that were applied before this one are filled in.
create table "migration_hashes" (
  "name" text not null primary key,
  "sha256" text not null
);
