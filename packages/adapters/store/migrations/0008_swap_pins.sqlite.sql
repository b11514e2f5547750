-- What swaps are bound to, in rows that are neither changed nor deleted and hold no more than
-- digests, a token and an amount; and whose transactions were read for it.
create table "swap_pins" (
  "note" text not null primary key,
  "new_commitment" text not null unique,
  "output_token" text not null,
  "floor" text not null
) strict;

create table "swap_owners" (
  "address" text not null primary key,
  "read_up_to" integer not null
) strict;
