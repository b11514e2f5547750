-- Recurring purchases: how far each contract's events were read, which of its orders are open, and
-- daily closes of BTC by source. Ids of orders are u64 in decimal, padded to 20 digits: so they sort
-- as numbers do.
create table "purchase_progress" (
  "contract" text not null primary key,
  "next_block" bigint not null,
  "safe_number" bigint not null,
  "safe_hash" text not null
);

create table "purchase_orders" (
  "contract" text not null,
  "order_id" text not null,
  "has_ended" bigint not null,
  constraint "purchase_orders_key" primary key ("contract", "order_id"),
  constraint "purchase_orders_flag" check (has_ended in (0, 1))
);

create index "purchase_orders_open" on "purchase_orders" ("contract", "order_id")
  where has_ended = 0;

create table "daily_closes" (
  "day" bigint not null,
  "source" text not null,
  "usd_e8" text not null,
  constraint "daily_closes_key" primary key ("day", "source")
);
