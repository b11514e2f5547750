-- What transactions have used that succeeded.
create table "gas_uses" (
  "transaction_hash" text not null primary key,
  "pool" text not null,
  "operation" text not null,
  "l2_gas" integer not null,
  "l1_data_gas" integer not null,
  "ended_at_ms" integer not null
) strict;

create index "gas_uses_by_end" on "gas_uses" ("pool", "operation", "ended_at_ms");
