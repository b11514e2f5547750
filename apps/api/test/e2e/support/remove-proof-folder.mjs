import { rmSync } from 'node:fs';

export default function removeProofFolder() {
  rmSync(process.env.SOTTO_E2E_PROOFS, { recursive: true, force: true });
}
