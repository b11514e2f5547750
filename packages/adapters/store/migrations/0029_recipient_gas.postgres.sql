-- Runs beside: 0026
-- STRK that the quoted withdrawal gives to its recipient, as decimal digits in fri; null for none. An
-- older instance does not know the column and issues quotes without STRK.
alter table "quotes" add column "recipient_gas_fri" text;
