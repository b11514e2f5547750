-- Runs beside: 0026
-- Terms of a transfer's quote: null for transfers that were quoted elsewhere, or before this
-- migration. Amounts are decimal digits in smallest units, since they have more than 64 bits.
alter table "transfers" add column "from_chain" text;
alter table "transfers" add column "from_token" text;
alter table "transfers" add column "to_chain" text;
alter table "transfers" add column "to_token" text;
alter table "transfers" add column "amount" text;
alter table "transfers" add column "estimated_output" text;
alter table "transfers" add column "recipient" text;
alter table "transfers" add column "deposit_address" text;
alter table "transfers" add column "deposit_memo" text;
alter table "transfers" add column "deposit_deadline" bigint;
-- Begin of the request whose answer the columns below are from.
alter table "transfers" add column "observed_at_ms" bigint;
-- Since when the protocol has claimed a delivery without evidence; null if it does not.
alter table "transfers" add column "unconfirmed_since" bigint;
alter table "transfers" add column "deposit_incomplete" bigint
  constraint "transfers_deposit_incomplete" check (deposit_incomplete in (0, 1));
-- Amounts in whole tokens, with their unit.
alter table "transfers" add column "shortfall" text;
alter table "transfers" add column "deposited_amount" text;
alter table "transfers" add column "missing_amount" text;
alter table "transfers" add column "refunded_amount" text;
-- Bounded text of the protocol about a failure or a refund.
alter table "transfers" add column "reason_text" text;

create index "transfers_unconfirmed" on "transfers" ("unconfirmed_since")
  where "unconfirmed_since" is not null;
