import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Creates one folder for proofs per run. Each proof is computed once per run, and no later run uses
 * a proof of older code.
 */
export default function makeProofFolder() {
  process.env.SOTTO_E2E_PROOFS = mkdtempSync(join(tmpdir(), 'sotto-proofs-'));
}
