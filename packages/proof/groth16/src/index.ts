export { VerificationKeyInvalid, VerifierBusy, VerifierFailed } from './errors.js';
export { createPairingCheck } from './pairing-check.js';
export { parseVerificationKey, type VerificationKey } from './verification-key.js';
export { WorkerProofVerifier, type WorkerProofVerifierOptions } from './worker-proof-verifier.js';
