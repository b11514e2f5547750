export { createAccountKey } from '@sotto/adapter-starknet';
export {
  LedgerDamaged,
  LedgerIncomplete,
  LedgerReadOnly,
  acceptIncompleteLedger,
  backupSqlite,
  type InspectedLedger,
  type StoreInspection,
} from '@sotto/adapter-store';
export { NOOP_LIMITS } from '../composition/submission.module.js';
export { auditParts, openParts, type AuditedPlace, type NodeParts, type Parts } from './parts.js';
