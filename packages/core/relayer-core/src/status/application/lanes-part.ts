import type { ReasonCode } from '@sotto/facts';
import type { Felt } from '@sotto/kernel';
import type {
  ChainHead,
  LaneState,
  LaneStatus,
  Ledger,
  SubmissionEngine,
} from '@sotto/submission-core';
import type { Obstacle, VerdictPart } from '../domain/verdict.js';
import type { HeadWatch } from './head-watch.js';

export interface LanesSources {
  readonly engine: Pick<SubmissionEngine, 'status' | 'neededFri'>;
  readonly ledger: Pick<Ledger, 'state'>;
  readonly head: Pick<HeadWatch, 'head'>;
}

/**
 * States in which a lane accepts no work, with the reason code of each. States that need an
 * operator come first.
 */
const CODES: readonly (readonly [LaneState, ReasonCode])[] = [
  ['resting', 'LANES_RESTING'],
  ['paused', 'LANES_PAUSED'],
  ['short_of_funds', 'LANES_SHORT_OF_FUNDS'],
  ['quarantined', 'LANES_QUARANTINED'],
  ['retiring', 'LANES_RETIRING'],
  ['held_elsewhere', 'LANES_HELD_ELSEWHERE'],
];

/**
 * Checks that at least one relay lane of any instance can pay for a withdrawal. A lane whose slots
 * are full is treated as able to pay: it only has to finish another transaction first. Lanes that
 * do not have the role relay do not send withdrawals.
 * @param sharesLanes true if several instances work on the same ledger. Then work that this
 *   instance accepts is sent by the instance that has the lane's lease
 */
export const lanesPart = (sources: LanesSources, sharesLanes: boolean): VerdictPart => ({
  component: 'lanes',
  scope: 'instance',
  failure: 'LANES_NOT_LOOKED_AT',
  async poll() {
    const lanes = sources.engine.status().lanes.filter(({ role }) => role === 'relay');
    const seen = await Promise.all(lanes.map((lane) => standingOf(lane, sources, sharesLanes)));
    return obstacleOf(seen);
  },
});

type Standing = Pick<LaneStatus, 'state' | 'reason'>;

function obstacleOf(lanes: readonly Standing[]): readonly Obstacle[] {
  const states = new Set(lanes.map(({ state }) => state));
  if (states.has('ready') || states.has('full')) return [];
  const telling = CODES.find(([state]) => states.has(state));
  if (telling === undefined) return [{ code: 'LANES_NOT_LOOKED_AT' }];
  const [state, code] = telling;
  // The reason of a pause is the operator's private text, so it is omitted.
  const because = state === 'resting' ? lanes.find((lane) => lane.state === state)?.reason : null;
  return [{ code, ...(because === null || because === undefined ? {} : { details: { because } }) }];
}

/**
 * Returns the state of a lane. If this instance has the lane's lease, it knows the state except for
 * the lane's current funds. For the lane of another instance, the state is derived from its row and
 * balance.
 */
async function standingOf(
  lane: LaneStatus,
  { engine, ledger, head }: LanesSources,
  sharesLanes: boolean,
): Promise<Standing> {
  const isElsewhere = lane.state === 'held_elsewhere';
  if (lane.state !== 'ready' && !(isElsewhere && sharesLanes)) return lane;
  const [chain, rows] = await Promise.all([head.head(), isElsewhere ? ledger.state() : null]);
  const row = rows?.lanes.find(({ address }) => address === lane.address);
  if (row !== undefined && row.quarantine !== null) return { state: 'quarantined', reason: null };
  if (row !== undefined && row.pausedFor !== null) return { state: 'paused', reason: null };
  return { state: fundsOf(lane.address, chain, engine.neededFri(chain.gasPrices)), reason: null };
}

function fundsOf(address: Felt, { accounts }: ChainHead, neededFri: bigint): LaneState {
  const account = accounts.get(address);
  if (account === undefined) return 'unknown';
  return account.balanceFri >= neededFri ? 'ready' : 'short_of_funds';
}
