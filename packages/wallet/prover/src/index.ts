export type { Artefact, ProverArtefacts, WorkerProverOptions } from './artefacts.js';
export { createWorkerProver } from './browser.js';
export { withdrawalCalldata, type CalldataOptions } from './calldata.js';
export { ProverError, type ProverErrorCode } from './errors.js';
export type { PrefetchingProver } from './prefetching-prover.js';
export { proveWithdrawal, type ProvingArtefacts } from './proof.js';
export type { Groth16Proof, WithdrawalProof } from './snark.js';
export { PUBLIC_INPUTS } from './statement.js';
export { parseVerificationKey, type VerificationKey } from './verification-key.js';
