import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Creates one folder per run, so that each proof is made once and none outlives the code that made
 * it.
 */
export default function makeProofFolder() {
  process.env.SOTTO_E2E_PROOFS = mkdtempSync(join(tmpdir(), 'sotto-proofs-'));
}
