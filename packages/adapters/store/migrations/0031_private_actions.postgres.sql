-- Runs beside: 0031
-- Last block in which the call of an attempt can succeed; null if every block is possible. An older
-- instance would send a private action without its proof and after its last block, so that the call
-- reverts and costs gas. No older instance may therefore run at the same time.
alter table "attempts" add column "deadline_block" bigint
  constraint "attempts_deadline_block" check ("deadline_block" >= 0);
-- Gas that each sponsor has promised on a day, as decimal digits in fri. A day is the number of days
-- since 1 January 1970, UTC.
create table "sponsor_spending" (
  "sponsor" text not null,
  "day" bigint not null,
  "reserved_fri" text not null,
  constraint "sponsor_spending_key" primary key ("sponsor", "day"),
  constraint "sponsor_spending_values" check ("day" >= 0)
);
