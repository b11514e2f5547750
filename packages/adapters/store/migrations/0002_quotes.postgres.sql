-- The table of given quotes.
create table "quotes" (
  "id" text not null primary key,
  "chain_id" text not null,
  "pool" text not null,
  "relayer" text not null,
  "fee_amount" text not null,
  "expires_at_ms" bigint not null,
  "served_key" text,
  constraint "quotes_expire" check (expires_at_ms > 0)
);

create index "quotes_by_expiry" on "quotes" ("expires_at_ms");
