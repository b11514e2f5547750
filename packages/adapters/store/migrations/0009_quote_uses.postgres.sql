-- Quotes say what they are for. Those that were given before are for withdrawals.
alter table "quotes"
  add column "operation" text default 'withdraw' not null
    check (operation in ('withdraw', 'private_swap'));

alter table "quotes" add column "leaf_index" bigint;
