-- The table of cross-chain transfers: what was seen of each, and when. A step has a time only if
-- the one before it has one that is not later.
create table "transfers" (
  "transaction_id" text not null primary key,
  "changed_at_ms" bigint not null,
  "next" text not null,
  "refunded" bigint not null,
  "deposit_detected_at" bigint,
  "swap_source_token_at" bigint,
  "bridge_to_destination_at" bigint,
  "swap_destination_token_at" bigint,
  "send_to_recipient_at" bigint,
  "deposit_detected_tx" text,
  "swap_source_token_tx" text,
  "bridge_to_destination_tx" text,
  "swap_destination_token_tx" text,
  "send_to_recipient_tx" text,
  constraint "transfers_next" check (next in ('pending', 'processing', 'failed')),
  constraint "transfers_refunded" check (refunded = 0 or (refunded = 1 and next = 'failed')),
  constraint "transfers_steps_in_order" check ((swap_source_token_at is null
    or (deposit_detected_at is not null and deposit_detected_at <= swap_source_token_at))
    and (bridge_to_destination_at is null or (swap_source_token_at is not null
    and swap_source_token_at <= bridge_to_destination_at)) and (swap_destination_token_at is null
    or (bridge_to_destination_at is not null
    and bridge_to_destination_at <= swap_destination_token_at)) and (send_to_recipient_at is null
    or (swap_destination_token_at is not null
    and swap_destination_token_at <= send_to_recipient_at))),
  constraint "transfers_nothing_after_the_last_step" check (send_to_recipient_at is null
    or next = 'pending')
);

create index "transfers_by_change" on "transfers" ("changed_at_ms");
