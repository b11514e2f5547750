-- Up to where a lane's settled nonces were archived: what lies below is in files, and one row stands
-- for it. Null for a lane of which nothing was.
alter table "lanes" add column "archived_through" integer;
