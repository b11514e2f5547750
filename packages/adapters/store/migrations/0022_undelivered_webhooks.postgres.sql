-- What waits for a receiver is counted at every request that names an endpoint, among many rows that
-- wait for their submission to be final.
create index "webhook_deliveries_undelivered" on "webhook_deliveries" ("endpoint")
  where delivered_state is null or wanted_state is not null;
