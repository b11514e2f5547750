import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Creates a folder for the proofs of one test run. Each proof is computed once per run. A later run
 * does not use proofs that older code computed.
 */
export default function makeProofFolder() {
  process.env.SOTTO_E2E_PROOFS = mkdtempSync(join(tmpdir(), 'sotto-proofs-'));
}
