/** @isolated It shows that mcl has not been started by the calling thread. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import mcl from 'mcl-wasm';
import { VerifierBusy, VerifierFailed } from '../../src/errors.js';
import { SCALAR_FIELD_ORDER, type Groth16Proof } from '../../src/layout.js';
import { createPairingCheck } from '../../src/pairing-check.js';
import {
  WorkerProofVerifier,
  type WorkerProofVerifierOptions,
} from '../../src/worker-proof-verifier.js';
import { outsideSubgroup } from '../support/off-subgroup.js';
import { realKey, realProof } from '../support/vector.js';

const changed: Groth16Proof = { ...realProof, publicInputs: realProof.publicInputs.with(2, 1n) };
// No typed caller can create this value. In these tests, it simulates any failure that ends a
// thread during a check.
const deadly: Groth16Proof = JSON.parse('null');

let verifier: WorkerProofVerifier;
const start = async (
  options: Partial<WorkerProofVerifierOptions> = {},
): Promise<WorkerProofVerifier> =>
  WorkerProofVerifier.start({ verificationKey: realKey, threads: 1, ...options });

afterEach(async () => {
  await verifier.close();
});

describe('a worker proof verifier', () => {
  beforeEach(async () => {
    verifier = await start();
  });

  it('the worker proof verifier resolves true for valid proofs and false for invalid proofs', async () => {
    const proofs: Groth16Proof[] = [
      realProof,
      changed,
      { ...realProof, a: { x: 0n, y: 0n } },
      { ...realProof, b: outsideSubgroup },
      { ...realProof, publicInputs: realProof.publicInputs.with(0, SCALAR_FIELD_ORDER) },
      realProof,
    ];

    expect(await Promise.all(proofs.map((proof) => verifier.holds(proof)))).toEqual([
      true,
      false,
      false,
      false,
      false,
      true,
    ]);
  });

  it('the worker proof verifier does not load mcl on the calling thread', async () => {
    expect(await verifier.holds(realProof)).toBe(true);
    expect(mcl.curveType).toBeUndefined();

    // createPairingCheck on this thread does start mcl, so the assertion above is meaningful.
    await createPairingCheck(realKey);
    expect(mcl.curveType).toBe(mcl.BN_SNARK1);
  });

  it('the worker proof verifier completes the next check after a thread died', async () => {
    const [dead, queued] = await Promise.allSettled([
      verifier.holds(deadly),
      verifier.holds(realProof),
    ]);

    expect(dead).toMatchObject({
      status: 'rejected',
      reason: { code: 'VERIFIER_FAILED', kind: 'unavailable' },
    });
    expect(queued).toEqual({ status: 'fulfilled', value: true });
    expect(await verifier.holds(changed)).toBe(false);
  });

  it('only the check that ended a worker thread is rejected; the other checks of its batch are repeated separately', async () => {
    const outcomes = await Promise.allSettled([
      verifier.holds(realProof, 'first'),
      ...[realProof, changed, deadly, realProof].map((proof, index) =>
        verifier.holds(proof, `caller ${index}`),
      ),
    ]);

    expect(
      outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : 'failed')),
    ).toEqual([true, true, false, 'failed', true]);
  });

  it('a worker proof verifier continues to check proofs after many threads have died', async () => {
    for (let death = 0; death < 3; death += 1) {
      await expect(verifier.holds(deadly)).rejects.toBeInstanceOf(VerifierFailed);
    }
    expect(await verifier.holds(realProof)).toBe(true);
  });

  it('the worker proof verifier completes checks that were requested before close()', async () => {
    const taken = Array.from({ length: 10 }, () => verifier.holds(realProof));
    const closed = verifier.close();

    await expect(verifier.holds(realProof)).rejects.toBeInstanceOf(VerifierFailed);
    expect(await Promise.all(taken)).toEqual(taken.map(() => true));
    await closed;
    await expect(verifier.close()).resolves.toBeUndefined();
  });
});

describe('a worker proof verifier with a short queue', () => {
  it('the worker proof verifier rejects checks above its limit at once, with a retry time', async () => {
    verifier = await start({ maxWaiting: 2 });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 5 }, () => verifier.holds(realProof)),
    );

    expect(outcomes.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
    ]);
    expect(outcomes[4]).toMatchObject({
      reason: { code: 'VERIFIER_BUSY', kind: 'unavailable', retryAfterSeconds: 1 },
    });
    expect(outcomes[4]).toHaveProperty('reason', expect.any(VerifierBusy));
    expect(await verifier.holds(realProof)).toBe(true);
  });
});

describe('a worker proof verifier with several threads', () => {
  it('the worker proof verifier returns the right result for each of 20 checks in two threads', async () => {
    verifier = await start({ threads: 2 });
    const crowd = Array.from({ length: 20 }, (_, index) => index % 3 === 0);

    expect(
      await Promise.all(crowd.map((good) => verifier.holds(good ? realProof : changed))),
    ).toEqual(crowd);
  });

  it('the worker proof verifier returns the right result to each waiting caller, even after an invalid proof', async () => {
    verifier = await start({ threads: 2 });
    const crowd = Array.from({ length: 48 }, (_, index) => index !== 30);
    const query = (): Promise<boolean[]> =>
      Promise.all(
        crowd.map((good, index) =>
          verifier.holds(good ? realProof : changed, `caller ${index % 7}`),
        ),
      );

    expect(await query()).toEqual(crowd);
    expect(await query()).toEqual(crowd);
  });

  it('false proofs of one caller do not affect the results for other callers of the worker proof verifier', async () => {
    verifier = await start();
    expect(await verifier.holds(changed, 'stranger')).toBe(false);
    const crowd = Array.from({ length: 24 }, (_, index) => index % 3 !== 0);
    const answers = crowd.map((good) =>
      verifier.holds(good ? realProof : changed, good ? 'user' : 'stranger'),
    );
    expect(await Promise.all(answers)).toEqual(crowd);
  });

  it('the worker proof verifier does not start with a key that has a point outside its group', async () => {
    verifier = await start();
    const bad = start({ verificationKey: { ...realKey, beta: outsideSubgroup }, threads: 2 });

    await expect(bad).rejects.toBeInstanceOf(VerifierFailed);
    await expect(bad).rejects.toMatchObject({
      cause: { message: 'the verification key cannot be used' },
    });
  });
});
