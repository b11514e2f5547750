import { toFelt } from '@sotto/kernel';
import type { Variables } from '@sotto/process-kit';
import { sandboxWorld } from '@sotto/sandbox';
import { UsageError } from '@sotto/load-kit/report';
import type { Stack } from '../stack/stack.js';
import {
  attackRow,
  BUDGET_FRI,
  type Attack,
  type AttackOptions,
  type AttackRow,
  type Factor,
} from './attack.js';
import { ATTACKED_CHAIN, ATTACKED_SERVICE, ATTACKS } from './attacks.js';
import { accountsAt, AVAILABILITY_STORIES } from './availability-stories.js';
import { MONEY_STORIES } from './money-stories.js';

/** Attacks that run one after the other against the same service and chain. */
export interface Scene {
  readonly attacks: readonly Attack[];
  readonly factor: Factor;
  readonly service: Variables;
  readonly chain: Variables;
  /** Fields that replace those of the sandbox's network profile. */
  readonly profile: object;
}

const { slippingCrowd, spentNotes, cheapRequests, leastFees } = MONEY_STORIES;
const { slowAccounts, usedUpRation, splitCrowds, halfHeads } = AVAILABILITY_STORIES;
/**
 * Attacks of the threat scenarios T6 and T8 to T14, in the order in which they run. Attacks that
 * cause losses run late, because the loss budget is hourly.
 */
const STORIES: readonly Attack[] = [
  cheapRequests,
  leastFees,
  usedUpRation,
  splitCrowds,
  slowAccounts,
  spentNotes,
  slippingCrowd,
  halfHeads,
];

/**
 * Settings of the service. All limits have their default values, in contrast to other load tests.
 * Each caller has its own address.
 */
const STORIES_SERVICE: Variables = {
  TRUST_PROXY: '1',
  RATE_LIMIT_SUBMISSIONS_PER_MINUTE: '',
  RATE_LIMIT_READS_PER_MINUTE: '',
  GAS_BUDGET_PER_POOL_FRI: '',
  GAS_BUDGET_IN_ALL_FRI: '',
  LOSS_BUDGET_PER_POOL_FRI: String(BUDGET_FRI),
  // As in production, except that the minimum age is a second instead of a day.
  PARTIAL_BATCHES: 'aged',
  PARTIAL_BATCH_MIN_AGE_MS: '1000',
};
const storiesChain = (factor: Factor): Variables => ({
  NOTES_PAY_ONCE: '1',
  EXTRA_ACCOUNTS: String(accountsAt(factor)),
});

const { address, classHash } = sandboxWorld.guard;
const GUARDED = { guard: { address: toFelt(address), classHash: toFelt(classHash) } };

/**
 * Returns the scenes of all attacks, or only of the attacks of one threat scenario.
 * @param isTenfold true to repeat the scenarios T with ten times the addresses
 * @throws UsageError if the threat scenario is unknown
 */
export function scenesOf(story: string | undefined, isTenfold: boolean): readonly Scene[] {
  const stories = (factor: Factor): Scene => ({
    attacks: STORIES,
    factor,
    service: STORIES_SERVICE,
    chain: storiesChain(factor),
    profile: GUARDED,
  });
  const all: readonly Scene[] = [
    { attacks: ATTACKS, factor: 1, service: ATTACKED_SERVICE, chain: ATTACKED_CHAIN, profile: {} },
    stories(1),
    ...(isTenfold ? [stories(10)] : []),
  ];
  const scenes = all
    .map((scene) => ({
      ...scene,
      attacks: scene.attacks.filter((attack) => story === undefined || attack.story === story),
    }))
    .filter(({ attacks }) => attacks.length > 0);
  if (scenes.length > 0) return scenes;
  const known = [...ATTACKS, ...STORIES].map((attack) => attack.story).join(', ');
  throw new UsageError(`--story must be one of ${known}`);
}

/**
 * Runs the attacks of a scene.
 * @param report function that receives progress lines
 */
export async function attackRows(
  stack: Stack,
  { attacks, factor }: Scene,
  options: AttackOptions,
  report: (text: string) => void,
): Promise<readonly AttackRow[]> {
  const service = await stack.restart();
  await service.ready();
  const rows: AttackRow[] = [];
  for (const attack of attacks) {
    const row = await attackRow(stack, attack, factor, options);
    const honest = row.honest
      .map(({ name, served, unserved }) => `${served} of ${served + unserved.length} ${name}`)
      .join(', ');
    report(
      `${row.story}, ${row.name}, ${factor} times: ${row.strikes} strikes, honest ${honest}, ${row.findings.length} findings`,
    );
    rows.push(row);
  }
  return rows;
}
