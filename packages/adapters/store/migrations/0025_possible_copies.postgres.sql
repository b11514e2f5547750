-- Since when the ledger may be a copy of one that was used later. Null if nothing indicates it.
alter table "chain" add column "possible_copy_since_ms" bigint
  constraint "chain_possible_copy" check (possible_copy_since_ms >= 0);
-- Identity of the file that the rows belong to, or of the server and its timeline.
alter table "canary" add column "origin" text;
