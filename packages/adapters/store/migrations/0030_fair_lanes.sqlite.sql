-- Runs beside: 0026
-- Instances that are able to send on a lane. An older instance announces nothing: it keeps its lanes
-- and gets no further ones from newer instances.
create table "lane_candidates" (
  "lane" text not null,
  "instance" text not null,
  "until_ms" integer not null,
  constraint "lane_candidates_key" primary key ("lane", "instance"),
  constraint "lane_candidates_values" check ("until_ms" >= 0)
) strict;
-- Waiting attempts that an instance is about to prepare. No write depends on a reservation. An
-- older instance reserves nothing, so that at most its work is done twice.
create table "attempt_reservations" (
  "id" text not null primary key,
  "instance" text not null,
  "until_ms" integer not null,
  constraint "attempt_reservations_values" check ("until_ms" >= 0)
) strict;
-- Hash of the network profile that the process runs with; null if the process did not state it.
alter table "instances" add column "profile" text;
