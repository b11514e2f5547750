import { domainError } from '@sotto/kernel';

/**
 * The database was created by migrations with another text, so its schema is unknown to this build.
 */
export class LedgerSchemaDiffers extends domainError('LEDGER_SCHEMA_DIFFERS') {}

/** SQLite detected damage in the ledger's file or its log. */
export class LedgerDamaged extends domainError('LEDGER_DAMAGED') {}

/** The ledger's file lacks acknowledged commits or its log, or has the log of another file. */
export class LedgerIncomplete extends domainError('LEDGER_INCOMPLETE') {}

/** The ledger's file or its folder is not writable. */
export class LedgerReadOnly extends domainError('LEDGER_READ_ONLY') {}

/** A newer release has changed the schema, and this release may not run concurrently with it. */
export class SchemaIsNewer extends domainError('SCHEMA_IS_NEWER') {}

/** Instances of an older release did not stop in time for a migration that excludes them. */
export class OlderInstancesRun extends domainError('OLDER_INSTANCES_RUN') {}
