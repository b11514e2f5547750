export { withdrawalCalldata, type CalldataOptions } from './calldata.js';
export { CircuitError, type CircuitErrorCode } from './errors.js';
export {
  verifyFeeQuote,
  type FeeQuoteCheck,
  type FeeQuoteVerdict,
  type SignedFeeQuote,
} from './fee-quote.js';
export { foldPath, MerkleTree, TREE_CAPACITY, TREE_DEPTH, type MerklePath } from './merkle-tree.js';
export {
  createNote,
  noteOf,
  parseNote,
  serialiseNote,
  type Note,
  type RandomBytes,
} from './note.js';
export {
  proveWithdrawal,
  type Groth16Proof,
  type ProvingArtefacts,
  type WithdrawalProof,
} from './proof.js';
export {
  verifyServiceStatus,
  type ServiceStatusCheck,
  type ServiceStatusVerdict,
  type SignedServiceStatus,
} from './service-status.js';
export { PUBLIC_INPUTS, type WithdrawalRequest } from './statement.js';
export { parseVerificationKey, type VerificationKey } from './verification-key.js';
