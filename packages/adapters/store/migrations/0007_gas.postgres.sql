-- What transactions have used that succeeded.
create table "gas_uses" (
  "transaction_hash" text not null primary key,
  "pool" text not null,
  "operation" text not null,
  "l2_gas" bigint not null,
  "l1_data_gas" bigint not null,
  "ended_at_ms" bigint not null
);

create index "gas_uses_by_end" on "gas_uses" ("pool", "operation", "ended_at_ms");
