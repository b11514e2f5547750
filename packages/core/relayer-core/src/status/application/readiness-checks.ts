import type { Felt } from '@sotto/kernel';
import type {
  EngineStatus,
  Ledger,
  NodeHealthCheck,
  SubmissionEngine,
} from '@sotto/submission-core';
import type { InspectContracts } from '../../pools/application/inspect-contracts.js';
import type { ProofVerifier } from '../../withdrawals/ports/proof-verifier.port.js';
import type { ReadinessCheck } from './readiness.js';

/** The store answers a read. */
export const storeCheck = (ledger: Pick<Ledger, 'state'>): ReadinessCheck => ({
  name: 'store',
  async run() {
    await ledger.state();
    return null;
  },
});

/** Codes of what keeps a ledger from having anything new sent. */
export const LEDGER_CODES: Readonly<Record<NonNullable<EngineStatus['ledger']>, string>> = {
  NOT_READ: 'LEDGER_NOT_READ',
  NOT_JUDGED: 'LEDGER_NOT_JUDGED',
  LEDGER_OF_ANOTHER_CHAIN: 'LEDGER_OF_ANOTHER_CHAIN',
  LEDGER_BEHIND_CHAIN: 'LEDGER_BEHIND_CHAIN',
};

/** The ledger was compared with its chain, and lacks nothing of it. */
export const ledgerCheck = (engine: Pick<SubmissionEngine, 'status'>): ReadinessCheck => ({
  name: 'ledger',
  async run() {
    const { ledger } = engine.status();
    return ledger === null ? null : LEDGER_CODES[ledger];
  },
});

/** The node answers, and for the chain of the profile. */
export const nodeCheck = (probe: NodeHealthCheck, chainId: Felt): ReadinessCheck => ({
  name: 'node',
  run: async () => ((await probe.probe()).chainId === chainId ? null : 'WRONG_CHAIN'),
});

/** States in which a lane takes nothing, those first that wait for a hand. */
export const TELLING_LANE_STATES = [
  'resting',
  'paused',
  'short_of_funds',
  'quarantined',
  'retiring',
  'held_elsewhere',
] as const;

/**
 * At least one lane that relays is ours and can pay; a full one can, it only has to end something
 * first. Lanes of other roles carry no withdrawal.
 * @param sharesLanes other instances work for the same ledger: whichever holds a lane serves what
 *   is accepted here
 */
export const lanesCheck = (
  engine: Pick<SubmissionEngine, 'status'>,
  sharesLanes: boolean,
): ReadinessCheck => ({
  name: 'lanes',
  async run() {
    const relaying = engine.status().lanes.filter(({ role }) => role === 'relay');
    const states = new Set(relaying.map(({ state }) => state));
    if (states.has('ready') || states.has('full') || (sharesLanes && states.has('held_elsewhere')))
      return null;
    const state = TELLING_LANE_STATES.find((candidate) => states.has(candidate));
    if (state === undefined) return 'LANES_NOT_LOOKED_AT';
    // The reason of a pause is an operator's own words.
    const reason =
      state === 'resting' ? (relaying.find((lane) => lane.state === state)?.reason ?? null) : null;
    return ['LANES', state.toUpperCase(), ...(reason === null ? [] : [reason])].join('_');
  },
});

/**
 * What the pools check proofs with is what the profile and the verification key speak of, where
 * they do.
 */
export const poolVerifiersCheck = (
  contracts: Pick<InspectContracts, 'problem'>,
): ReadinessCheck => ({
  name: 'pool_verifiers',
  run: async () => contracts.problem(),
});

const NOWHERE = { x: 0n, y: 0n };
const NO_PROOF = {
  a: NOWHERE,
  b: { x: [0n, 0n], y: [0n, 0n] },
  c: NOWHERE,
  publicInputs: [],
} as const;

/** A thread answers: that this is no proof, which is the cheapest thing to find out. */
export const verifierCheck = (verifier: ProofVerifier): ReadinessCheck => ({
  name: 'verifier',
  run: async () => ((await verifier.holds(NO_PROOF)) ? 'VERIFIER_UNSOUND' : null),
});
