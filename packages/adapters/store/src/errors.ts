import { domainError } from '@sotto/kernel';

/**
 * The text of an applied migration differs from its text in this build, so the schema is unknown to
 * this build.
 */
export class LedgerSchemaDiffers extends domainError('LEDGER_SCHEMA_DIFFERS') {}

/** SQLite detected damage in the ledger's file or in the file's write-ahead log. */
export class LedgerDamaged extends domainError('LEDGER_DAMAGED') {}

/**
 * The ledger's file lacks acknowledged commits or its write-ahead log, or the log belongs to
 * another file.
 */
export class LedgerIncomplete extends domainError('LEDGER_INCOMPLETE') {}

/** The ledger's file or its folder is not writable. */
export class LedgerReadOnly extends domainError('LEDGER_READ_ONLY') {}

/**
 * A newer release has changed the schema, and its migration excludes this release from running
 * concurrently.
 */
export class SchemaIsNewer extends domainError('SCHEMA_IS_NEWER') {}

/** A migration excludes older releases, and instances of an older release did not stop in time. */
export class OlderInstancesRun extends domainError('OLDER_INSTANCES_RUN') {}
