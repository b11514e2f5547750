-- The node that the last claimed send of a transaction went to. Not known of those before this.
alter table "transactions" add column "claim_node" text;
