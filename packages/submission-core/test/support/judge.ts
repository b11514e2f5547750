import { feltToBigInt } from '@sotto/kernel';
import { isLive } from '../../src/index.js';
import { attemptsOf, brokenProperties, rowsOf, type ChainTruth } from '../../src/testing/index.js';
import { LANE, type World } from '../unit/world.js';

/** Keys that tests may use: the model names them by letter. */
const KEYS = ['A', 'B', 'C'] as const;

function truthOf({ chain }: World, lane = LANE): ChainTruth {
  const takers = chain.takers(lane);
  return {
    included: takers.map(({ hash, execution }) => ({ hash, succeeded: execution === 'SUCCEEDED' })),
    accepted: takers.filter(({ accepted }) => accepted).length,
    out: [...chain.mayLand.values()].filter(({ account }) => account === lane).map(({ hash, nonce }) => ({ hash, nonce })),
    firstNonce: 0n,
  };
}

/**
 * Properties S0 to S5 of the model that the world breaks now, judged with the chain's truth in hand.
 * @param told an attempt that a caller has heard to be refused, such as `A1`
 */
export async function brokenIn(world: World, { lanes = [LANE], told = '' } = {}): Promise<string[]> {
  const judged = lanes.map((address) => ({ address, truth: truthOf(world, address) }));
  return brokenProperties(await rowsOf(world.ledger, judged, KEYS), judged, KEYS, told);
}

/** Fair weather for so many rounds: node and chain do their work, and nothing more goes wrong. */
export async function heal(world: World, rounds = 40): Promise<void> {
  world.chain.failReads(null);
  for (let round = 0; round < rounds; round += 1) {
    world.chain.includeAll();
    await world.round(11_000);
    if ((await unsettled(world)).length === 0) return;
  }
}

/** What keeps the world from being settled: live attempts and undecided nonces. L of the model is that {@link heal} leaves none. */
export async function unsettled({ ledger }: World, lanes = [LANE]): Promise<string[]> {
  const attempts = (await attemptsOf(ledger, KEYS)).filter(({ state }) => isLive(state));
  const open = (await Promise.all(lanes.map((lane) => ledger.openNonces(lane)))).flat();
  const undecided = open.filter(({ transactions }) => transactions.some(({ dead }) => !dead));
  return [
    ...attempts.map(({ key, attempt, state }) => `${key}${attempt} is ${state}`),
    ...undecided.map(({ row }) => `n${row.nonce} of ${feltToBigInt(row.lane)} is undecided`),
  ];
}
