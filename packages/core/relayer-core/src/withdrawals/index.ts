export { LookUpSubmission } from './application/look-up-submission.js';
export { RECIPIENT_GAS_PER_HOUR, RecipientGasBudget } from './application/recipient-gas-budget.js';
export type { RelayGuards } from './application/relay-pipeline.js';
export {
  SpentNotes,
  type Spending,
  type SpentNote,
  type SpentNotesPorts,
  type SpentNotesSettings,
} from './application/spent-notes.js';
export {
  SubmitWithdrawal,
  type DryRunReport,
  type SubmitWithdrawalInput,
  type SubmittedWithdrawal,
  type WithdrawalInput,
} from './application/submit-withdrawal.js';
export {
  WithdrawalAdmission,
  type AdmissionPolicy,
  type AdmissionPorts,
} from './application/withdrawal-admission.js';
export { WithdrawalRevalidator } from './application/withdrawal-revalidator.js';
export { ProofVerifier } from './ports/proof-verifier.port.js';
