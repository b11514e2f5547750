-- What registered endpoints are notified of: a row for each topic and endpoint, from which messages
-- are made, and the alerts that each instance sees. The slot bounds the endpoints of a topic.
create table "webhook_deliveries" (
  "id" text not null primary key,
  "kind" text not null,
  "subject" text not null,
  "component" text not null,
  "endpoint" text not null,
  "slot" integer not null,
  "version" integer not null,
  "sequence" integer not null,
  "delivered_state" text,
  "wanted_state" text,
  "wanted_since_ms" integer,
  "failures" integer not null,
  "due_at_ms" integer not null,
  "added_at_ms" integer not null,
  constraint "webhook_deliveries_endpoint" unique ("kind", "subject", "component", "endpoint"),
  constraint "webhook_deliveries_slot" unique ("kind", "subject", "component", "slot"),
  constraint "webhook_deliveries_kind" check (kind in ('submission', 'alert')),
  constraint "webhook_deliveries_wanted_whole"
    check ((wanted_state is null) = (wanted_since_ms is null)),
  constraint "webhook_deliveries_numbers" check (version >= 1 and sequence >= 0 and failures >= 0)
);

create index "webhook_deliveries_due" on "webhook_deliveries" ("endpoint", "due_at_ms");

create index "webhook_deliveries_by_age" on "webhook_deliveries" ("added_at_ms");

create table "webhook_alerts" (
  "code" text not null,
  "component" text not null,
  "instance" text not null,
  "since_ms" integer not null,
  "seen_at_ms" integer not null,
  constraint "webhook_alerts_sighting" primary key ("code", "component", "instance"),
  constraint "webhook_alerts_order" check (seen_at_ms >= since_ms)
);
