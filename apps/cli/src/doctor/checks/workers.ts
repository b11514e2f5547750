import { causeOf } from '../../cause.js';
import { fine, found, type CheckFinding } from '../finding.js';
import type { Site } from '../site.js';

/**
 * Checks the worker threads that the service starts: their files, their modules, and the
 * verification key of the proof worker.
 */
export async function checkWorkers({ settings, machine }: Site): Promise<readonly CheckFinding[]> {
  const [proofs, hashes] = await Promise.allSettled([
    machine.tryProofWorker(settings),
    machine.tryHashWorker(settings),
  ]);
  const findings = [
    ...(proofs.status === 'rejected'
      ? [found('PROOF_WORKER_FAILED', { cause: causeOf(proofs.reason) })]
      : []),
    ...(hashes.status === 'rejected'
      ? [found('HASH_WORKER_FAILED', { cause: causeOf(hashes.reason) })]
      : []),
  ];
  return findings.length > 0 ? findings : [fine('proof and hash workers start')];
}
