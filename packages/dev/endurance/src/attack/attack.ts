import { systemClock } from '@sotto/kernel';
import { OpenLoad } from '@sotto/load-kit';
import type { Service } from '@sotto/process-kit';
import { FEE_SATS } from '../stack/withdrawals.js';
import { Requests, type RequestSummary } from '../measure/requests.js';
import type { Stack } from '../stack/stack.js';
import { costsOf, FRI_PER_SAT, type Costs } from './costs.js';
import { HonestClient, type HonestTask, type Served } from './honest-client.js';
import { honestWithdrawals } from './honest-tasks.js';

/** Stack, service and log of requests that are used in an attack. */
export interface Target {
  readonly stack: Stack;
  /** Service that was started most recently. */
  readonly service: Service;
  /** Log of the attacker's requests. */
  readonly requests: Requests;
  /** Factor by which the number of the attacker's addresses is multiplied. */
  readonly factor: Factor;
}

/**
 * Factor for the number of the attacker's addresses. With 1, the attacker has as many addresses as
 * in the threat scenario (such as T6); with 10, ten times as many.
 */
export type Factor = 1 | 10;

/** Attack that is prepared. Contains the functions that make its requests and end it. */
interface Strikes {
  /** Makes one attacking request. `index` counts the requests from 0. */
  readonly strike: (index: number) => Promise<void>;
  /** Tasks of honest clients that run in addition to the honest withdrawals. */
  readonly honest?: readonly HonestTask[];
  /** Fee of each succeeded transaction of the attacker, in fri. @default the fee of a withdrawal */
  readonly paysFri?: bigint;
  /**
   * Ends the attack and returns the conditions that were not met. Does not check whether the honest
   * requests succeeded, because this is checked for every attack.
   */
  readonly end?: () => Promise<readonly string[]>;
}

/** Attack that an anonymous caller can make on a running service. */
export interface Attack {
  /** Id of the threat scenario that describes the attack, such as T6. */
  readonly story: string;
  readonly name: string;
  readonly strikesPerSecond: number;
  /** Maximum number of attacking requests at a time. @default unlimited */
  readonly mostUnderway?: number;
  /**
   * True if the attack is intended to make transactions revert. If no transaction reverts in a run,
   * this is reported as a finding.
   * @default false
   */
  readonly reverts?: boolean;
  /** True if each attacking request sends one withdrawal directly to the chain. @default false */
  readonly sendsDirectly?: boolean;
  /** Prepares the chain and the service for the attack. The honest client starts afterwards. */
  readonly begin: (target: Target) => Promise<Strikes>;
}

export interface AttackRow extends Costs {
  readonly story: string;
  readonly name: string;
  readonly factor: Factor;
  readonly strikes: number;
  /** Outcomes of the attacker's requests. */
  readonly attacker: RequestSummary;
  /** Results of the honest requests, withdrawals first. */
  readonly honest: readonly Served[];
  readonly findings: readonly string[];
}

export interface AttackOptions {
  readonly seconds: number;
  /** Factor by which the request rate of each attack is multiplied. */
  readonly pace: number;
}

/**
 * Loss budget of a pool in every attacked service, in fri, which is the maximum cost of an attack.
 */
export const BUDGET_FRI = 20n * 10n ** 18n;
/** Factor of the attacker's request rate if the attacker has ten times the addresses. */
const TENFOLD_PACE = 4;
/** Minimum percentage of honest requests that must be served, by factor. */
const BAR_PERCENT: Readonly<Record<Factor, number>> = { 1: 95, 10: 50 };

/**
 * Time in ms. An attack is over when no new transaction was included for this time. The time is
 * longer than a queued submission waits for its lane and a block.
 */
const QUIET_MS = 1_500;
const POLL_MS = 250;

/** Runs one attack together with the honest clients. */
export async function attackRow(
  stack: Stack,
  attack: Attack,
  factor: Factor,
  { seconds, pace }: AttackOptions,
): Promise<AttackRow> {
  const { story, name, strikesPerSecond, mostUnderway, sendsDirectly = false } = attack;
  const requests = new Requests();
  const before = new Set((await stack.chain.inclusions()).map(({ hash }) => hash));
  const target = {
    stack,
    get service() {
      return stack.service;
    },
    requests,
    factor,
  };
  const begun = await attack.begin(target);
  const { strike, honest = [], end, paysFri = FEE_SATS * FRI_PER_SAT } = begun;
  const clients = [honestWithdrawals(stack), ...honest].map((task) => new HonestClient(task));
  const load = new OpenLoad(strike);
  const perSecond = strikesPerSecond * pace * (factor === 10 ? TENFOLD_PACE : 1);
  load.start({ perSecond, ...(mostUnderway === undefined ? {} : { mostUnderway }) });
  for (const client of clients) client.start();
  await systemClock.sleep(seconds * 1_000);
  const served = await Promise.all(clients.map((client) => client.end()));
  await load.end();
  const inclusions = (await settled(stack)).filter(({ hash }) => !before.has(hash));
  const found = (await end?.()) ?? [];
  const costs = costsOf({
    inclusions,
    honest: new Set(served.flatMap(({ hashes }) => hashes)),
    paysFri,
    sentDirectly: sendsDirectly ? load.begun : 0,
  });
  const findings = [...found, ...rowFindings(served, factor, costs.operatorFri)];
  if (attack.reverts === true && !inclusions.some((each) => each.executionStatus === 'REVERTED'))
    findings.push('nothing reverted: nothing was attacked');
  return {
    ...costs,
    story,
    name,
    factor,
    strikes: load.begun,
    attacker: requests.summary(),
    honest: served,
    findings: findings.map((text) => `${story}, ${name}, ${factor} times: ${text}`),
  };
}

/**
 * Waits until no new transaction was included for some time, and returns all transactions.
 * Otherwise late transactions of this attack would be counted for the next attack.
 */
async function settled({ chain }: Stack): Promise<Awaited<ReturnType<typeof chain.inclusions>>> {
  let known = await chain.inclusions();
  for (let quietMs = 0; quietMs < QUIET_MS; quietMs += POLL_MS) {
    await systemClock.sleep(POLL_MS);
    const next = await chain.inclusions();
    if (next.length > known.length) quietMs = 0;
    known = next;
  }
  return known;
}

/**
 * Returns the conditions that were not met in an attack: the share of served honest requests, and
 * the operator's cost.
 */
export function rowFindings(
  honest: readonly Served[],
  factor: Factor,
  operatorFri: bigint,
): readonly string[] {
  const findings = honest.flatMap((each) => servedFindings(each, BAR_PERCENT[factor]));
  return operatorFri <= BUDGET_FRI
    ? findings
    : [...findings, `it cost the operator ${operatorFri} fri, above the budget ${BUDGET_FRI}`];
}

function servedFindings({ name, served, unserved }: Served, barPercent: number): readonly string[] {
  const all = served + unserved.length;
  if (all === 0) return [`no honest ${name} were made`];
  return 100 * served >= barPercent * all
    ? []
    : [
        `${served} of ${all} honest ${name} were served, the bar is ${barPercent} %: ${unserved[0]}`,
      ];
}
