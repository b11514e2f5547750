-- What arrived of a transfer: null for those that were seen before it was kept.
alter table "transfers" add column "output_amount" text;
