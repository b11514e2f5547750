-- Calldata is kept once: signed bytes lose theirs, note where it was, and prove by a hash that what
-- is put together again is what was signed. Rows from before hold all of their bytes, without both.
alter table "signed_bytes"
  add column "sha256" bytea,
  add column "calldata_at" bigint,
  add constraint "signed_bytes_sha256" check (length(sha256) = 32),
  add constraint "signed_bytes_calldata_at"
    check (calldata_at >= 0 and calldata_at <= length(bytes)),
  add constraint "signed_bytes_proven" check (calldata_at is null or sha256 is not null);
