-- Since when the ledger may be a copy of one that was used later. Null if nothing indicates it.
alter table "chain" add column "possible_copy_since_ms" bigint
  constraint "chain_possible_copy" check (possible_copy_since_ms >= 0);
-- The server's identity and timeline, as last seen: another one is a restored or promoted copy.
alter table "chain" add column "server_line" text;
