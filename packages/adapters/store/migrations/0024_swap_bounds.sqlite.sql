-- Bounds that a call was accepted with, such as the minimum of a swap and the words that it follows
-- from. Null for calls without bounds and for rows of earlier releases.
alter table "attempts" add column "bounds" text;

-- A reverted swap is not tried again, so nothing is decided about it.
drop table "swap_verdicts";
