import type { StarknetNodeProbe } from '@sotto/adapter-starknet';
import type { Felt } from '@sotto/kernel';
import type { ProofVerifier } from '@sotto/relayer-core';
import type { Ledger, SubmissionEngine } from '@sotto/submission-core';
import type { ReadinessCheck } from './readiness.js';

/** The store answers a read; whose is of no matter. */
export const storeCheck = (ledger: Pick<Ledger, 'nextNonce'>, lane: Felt): ReadinessCheck => ({
  name: 'store',
  async run() {
    await ledger.nextNonce(lane);
    return null;
  },
});

/** The node answers, and for the chain of the profile. */
export const nodeCheck = (probe: Pick<StarknetNodeProbe, 'probe'>, chainId: Felt): ReadinessCheck => ({
  name: 'node',
  run: async () => ((await probe.probe()).chainId === chainId ? null : 'WRONG_CHAIN'),
});

/**
 * At least one lane that relays is ours and can pay; a full one can, it only has to end something first. Lanes of other roles carry no withdrawal.
 * @param sharesLanes other instances work for the same ledger: whoever holds a lane serves what is accepted here
 */
export const lanesCheck = (engine: Pick<SubmissionEngine, 'status'>, sharesLanes: boolean): ReadinessCheck => ({
  name: 'lanes',
  async run() {
    const relaying = engine.status().lanes.filter(({ role }) => role === 'relay');
    const states = new Set(relaying.map(({ state }) => state));
    if (states.has('ready') || states.has('full') || (sharesLanes && states.has('held_elsewhere'))) return null;
    if (states.has('short_of_funds')) return 'LANES_SHORT_OF_FUNDS';
    return states.has('held_elsewhere') ? 'LANES_HELD_ELSEWHERE' : 'LANES_NOT_LOOKED_AT';
  },
});

const NOWHERE = { x: 0n, y: 0n };
const NO_PROOF = { a: NOWHERE, b: { x: [0n, 0n], y: [0n, 0n] }, c: NOWHERE, publicInputs: [] } as const;

/** A thread answers: that this is no proof, which is the cheapest thing to find out. */
export const verifierCheck = (verifier: ProofVerifier): ReadinessCheck => ({
  name: 'verifier',
  run: async () => ((await verifier.holds(NO_PROOF)) ? 'VERIFIER_UNSOUND' : null),
});
