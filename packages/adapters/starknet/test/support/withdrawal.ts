import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Felts } from '@sotto/kernel';
import { z } from 'zod';
import type { Deposits } from './chain-stack.js';

const Vector = z.object({
  verificationKey: z.unknown(),
  calldata: z.array(z.string()),
  leaves: z.array(z.string().transform(BigInt)),
  publicInputs: z.array(z.string().transform(BigInt)),
});
const require = createRequire(import.meta.url);
const vector = Vector.parse(
  JSON.parse(readFileSync(require.resolve('@sotto/prover/vectors/withdrawal.json'), 'utf8')),
);
const [root = 0n, nullifierHash = 0n] = vector.publicInputs;

/** Real withdrawal from a pool with these deposits. Includes the verification key of its proof. */
export const withdrawal = {
  calldata: Felts.parse(vector.calldata),
  deposits: { pool: 'sentinel_1x', leaves: vector.leaves } satisfies Deposits,
  root,
  nullifierHash,
  verificationKey: vector.verificationKey,
};
