import { systemClock, toFelt } from '@sotto/kernel';
import { OpenLoad } from '@sotto/load-kit';
import type { Service } from '@sotto/process-kit';
import { lanes, type Inclusion } from '../stack/chain.js';
import { sandboxWorld } from '@sotto/sandbox';
import { Requests, type RequestSummary } from '../measure/requests.js';
import type { Stack } from '../stack/stack.js';
import { HonestClient, type Served } from './honest-client.js';

/** What an attack works with. */
export interface Target {
  readonly stack: Stack;
  readonly service: Service;
  /** Of the attacker's requests. */
  readonly requests: Requests;
}

/** An attack under way. */
interface Strikes {
  /** One deed of the attacker, numbered from 0. */
  readonly strike: (index: number) => Promise<void>;
  /**
   * Ends it. What did not hold besides the honest client's success, which is looked at in every
   * attack.
   */
  readonly end?: () => Promise<readonly string[]>;
}

/** Something that an anonymous caller does against a running service. */
export interface Attack {
  /** As the stories name it. */
  readonly story: string;
  readonly name: string;
  readonly strikesPerSecond: number;
  /** It makes transactions revert: where none did nothing was attacked. @default false */
  readonly reverts?: boolean;
  /** Prepares the world; the honest client begins afterwards. */
  readonly begin: (target: Target) => Promise<Strikes>;
}

export interface AttackRow {
  readonly story: string;
  readonly name: string;
  readonly strikes: number;
  /** Of the attacker's requests. */
  readonly attacker: RequestSummary;
  readonly honest: Served;
  /** What transactions that reverted cost the operator meanwhile, in fri. */
  readonly costFri: bigint;
  readonly findings: readonly string[];
}

export interface AttackOptions {
  readonly seconds: number;
  /** Factor of each attack's own rate. */
  readonly pace: number;
}

/** Plays one attack with an honest client beside it. */
export async function attackRow(
  stack: Stack,
  attack: Attack,
  { seconds, pace }: AttackOptions,
): Promise<AttackRow> {
  const { story, name, strikesPerSecond } = attack;
  const { service } = stack;
  const requests = new Requests();
  const paidBefore = new Set((await stack.chain.inclusions()).map(({ hash }) => hash));
  const { strike, end } = await attack.begin({ stack, service, requests });
  const honest = new HonestClient(service, stack.chain);
  const load = new OpenLoad(strike);
  load.start({ perSecond: strikesPerSecond * pace });
  honest.start();
  await systemClock.sleep(seconds * 1_000);
  const served = await honest.end();
  await load.end();
  const found = (await end?.()) ?? [];
  const inclusions = (await stack.chain.inclusions()).filter(({ hash }) => !paidBefore.has(hash));
  const findings = [
    ...found,
    ...served.unserved.map((text) => `the honest client was not served: ${text}`),
  ];
  const costFri = costOf(inclusions);
  if (attack.reverts === true && costFri === 0n)
    findings.push('nothing reverted: nothing was attacked');
  if (served.served === 0) findings.push('the honest client asked for nothing');
  return {
    story,
    name,
    strikes: load.begun,
    attacker: requests.summary(),
    honest: served,
    costFri,
    findings: findings.map((text) => `${story}, ${name}: ${text}`),
  };
}

function costOf(inclusions: readonly Inclusion[]): bigint {
  const own: ReadonlySet<string> = new Set(
    [...Object.values(lanes), sandboxWorld.accounts.swapOwner].map(({ address }) =>
      toFelt(address),
    ),
  );
  const reverted = inclusions.filter(
    ({ sender, executionStatus }) => own.has(sender) && executionStatus === 'REVERTED',
  );
  return reverted.reduce((sum, { feeFri }) => sum + feeFri, 0n);
}
