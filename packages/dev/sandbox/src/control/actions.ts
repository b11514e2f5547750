import { z } from 'zod';
import { AggregatorOrder, performOrder } from '../aggregator/actions.js';
import { HOSTILE_CONDITIONS, HOSTILE_RESULTS } from '../contracts/hostile-contract.js';
import { FIELD_PRIME, toHex } from '../engine/felt.js';
import type { Control } from './control.js';
import { RewardsOrder, performRewardsOrder } from '../rewards/actions.js';
import { Natural } from './natural.js';

/**
 * Actions of the control interface over HTTP: a JSON object with an `action`. The other members
 * have the names of the parameters of the {@link Control} methods.
 */

const Felt = Natural.refine((value) => value < FIELD_PRIME, 'value is outside the field');
const Milliseconds = z.int().nonnegative();

const Fault = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('drop-before') }),
  z.strictObject({ kind: z.literal('accept-and-drop-answer') }),
  z.strictObject({ kind: z.literal('answer-late'), delayMs: Milliseconds }),
  z.strictObject({ kind: z.literal('arrive-late'), delayMs: Milliseconds }),
  z.strictObject({
    kind: z.literal('refuse'),
    code: z.int(),
    message: z.string().optional(),
    data: z.json().optional(),
  }),
  z.strictObject({ kind: z.literal('html') }),
  z.strictObject({
    kind: z.literal('rate-limited'),
    retryAfterSeconds: z.int().nonnegative().optional(),
  }),
]);

const Fate = z.enum(['return-to-pool', 'vanish']).optional();

const LendingChanges = z.strictObject({
  reserve: Natural.optional(),
  nominalDebtE18: Natural.optional(),
  rateAccumulatorE18: Natural.optional(),
  fullUtilizationRateE18: Natural.optional(),
});

const Felts = z.array(Felt).default([]);

const Calls = z.array(z.strictObject({ to: Felt, entrypoint: z.string(), calldata: Felts }));

const Action = z.discriminatedUnion('action', [
  z.strictObject({
    action: z.literal('addFault'),
    method: z.string(),
    fault: Fault,
    times: z.int().positive().optional(),
  }),
  z.strictObject({ action: z.literal('clearFaults') }),
  z.strictObject({ action: z.literal('evict'), hash: Felt }),
  z.strictObject({ action: z.literal('revertNext'), reason: z.string(), sender: Felt.optional() }),
  z.strictObject({ action: z.literal('undoPreConfirmed'), fate: Fate }),
  z.strictObject({ action: z.literal('reorgLatestBlock'), fate: Fate }),
  z.strictObject({ action: z.literal('rollback'), blocks: z.int().positive(), fate: Fate }),
  z.strictObject({
    action: z.literal('acceptOnL1'),
    blockNumber: z.int().nonnegative().optional(),
  }),
  z.strictObject({
    action: z.literal('unreadable'),
    felt: Felt,
    isUnreadable: z.boolean().optional(),
  }),
  z.strictObject({ action: z.literal('delay'), method: z.string(), ms: Milliseconds }),
  z.strictObject({ action: z.literal('takeNonce'), address: Felt, nonce: Felt.optional() }),
  z.strictObject({
    action: z.literal('lag'),
    forMs: Milliseconds,
    blocksBehind: z.int().nonnegative().optional(),
  }),
  z.strictObject({ action: z.literal('endLag') }),
  z.strictObject({ action: z.literal('setLatency'), ms: Milliseconds }),
  z.strictObject({
    action: z.literal('setPushMode'),
    mode: z.enum(['serve', 'mute', 'refuse']),
  }),
  z.strictObject({ action: z.literal('cutPush') }),
  z.strictObject({ action: z.literal('pushConnections') }),
  z.strictObject({ action: z.literal('pushFalsely'), sender: Felt }),
  z.strictObject({
    action: z.literal('advance'),
    step: z.enum(['candidate', 'pre_confirmed', 'accepted_on_l2', 'accepted_on_l1']),
  }),
  z.strictObject({ action: z.literal('mine'), blocks: z.int().positive().max(10_000).optional() }),
  z.strictObject({ action: z.literal('pause') }),
  z.strictObject({ action: z.literal('resume') }),
  z.strictObject({
    action: z.literal('setGasPrices'),
    l1Gas: Natural.optional(),
    l1DataGas: Natural.optional(),
    l2Gas: Natural.optional(),
  }),
  z.strictObject({ action: z.literal('moveClock'), byMs: z.int() }),
  z.strictObject({ action: z.literal('freezeClock'), atMs: Milliseconds.optional() }),
  z.strictObject({ action: z.literal('runClock') }),
  z.strictObject({ action: z.literal('nowMs') }),
  z.strictObject({
    action: z.literal('mint'),
    owner: Felt,
    amount: Natural,
    token: Felt.optional(),
  }),
  z.strictObject({
    action: z.literal('setStorage'),
    address: Felt,
    key: z.string(),
    value: Natural,
  }),
  z.strictObject({ action: z.literal('storage'), address: Felt, key: z.string() }),
  z.strictObject({
    action: z.literal('setLendingMarket'),
    pool: Felt,
    changes: LendingChanges,
    asset: Felt.optional(),
  }),
  z.strictObject({
    action: z.literal('setLendingInterest'),
    pool: Felt,
    asset: Felt,
    rateE18: Natural,
  }),
  z.strictObject({
    action: z.literal('setPrivacyPool'),
    isPaused: z.boolean().optional(),
    feeFri: Natural.optional(),
    validityBlocks: z.int().positive().optional(),
    isScreening: z.boolean().optional(),
  }),
  z.strictObject({
    action: z.literal('setHostile'),
    burnL2Gas: Natural.optional(),
    burnWhen: z.enum(HOSTILE_CONDITIONS).optional(),
    revertWhen: z.enum(HOSTILE_CONDITIONS).optional(),
    result: z.enum(HOSTILE_RESULTS).optional(),
  }),
  z.strictObject({ action: z.literal('replaceClass'), address: Felt, classHash: Felt }),
  z.strictObject({ action: z.literal('send'), address: Felt, calls: Calls, proofFacts: Felts }),
  z.strictObject({ action: z.literal('counters') }),
  z.strictObject({ action: z.literal('resetCounters') }),
  z.strictObject({ action: z.literal('paidInclusions') }),
  z.strictObject({ action: z.literal('waiting') }),
  z.strictObject({ action: z.literal('aggregator'), order: AggregatorOrder }),
  z.strictObject({ action: z.literal('rewards'), order: RewardsOrder }),
]);
type Action = z.output<typeof Action>;

/** Error of an action that is unknown or malformed, or that is impossible in the current state. */
export class ActionRefused extends Error {}

/**
 * Performs one action from its parsed JSON.
 * @returns the method's result with bigints as hex; null if the method returns no result
 * @throws ActionRefused if the action is rejected; the text contains the reason
 */
export function performAction(control: Control, body: unknown): unknown {
  const parsed = Action.safeParse(body);
  if (!parsed.success) throw new ActionRefused(z.prettifyError(parsed.error));
  try {
    return toJson(perform(control, parsed.data)) ?? null;
  } catch (error) {
    if (error instanceof RangeError) throw new ActionRefused(error.message);
    throw error;
  }
}

function perform(control: Control, action: Action): unknown {
  switch (action.action) {
    case 'addFault':
      return control.addFault({ method: action.method, fault: action.fault, times: action.times });
    case 'clearFaults':
      return control.clearFaults();
    case 'evict':
      return control.evict(action.hash);
    case 'revertNext':
      return control.revertNext({ reason: action.reason, sender: action.sender });
    case 'undoPreConfirmed':
      return control.undoPreConfirmed(action.fate);
    case 'reorgLatestBlock':
      return control.reorgLatestBlock(action.fate);
    case 'rollback':
      return control.rollback(action.blocks, action.fate);
    case 'acceptOnL1':
      return control.acceptOnL1(action.blockNumber);
    case 'unreadable':
      return control.unreadable(action.felt, action.isUnreadable);
    case 'delay':
      return control.delay(action.method, action.ms);
    case 'takeNonce':
      return control.takeNonce(action.address, action.nonce);
    case 'lag':
      return control.lag(action.forMs, action.blocksBehind);
    case 'endLag':
      return control.endLag();
    case 'setLatency':
      return control.setLatency(action.ms);
    case 'setPushMode':
      return control.setPushMode(action.mode);
    case 'cutPush':
      return control.cutPush();
    case 'pushConnections':
      return control.pushConnections();
    case 'pushFalsely':
      return control.pushFalsely(action.sender);
    case 'advance':
      return control.advance(action.step);
    case 'mine':
      return control.mine(action.blocks);
    case 'pause':
      return control.pause();
    case 'resume':
      return control.resume();
    case 'setGasPrices':
      return control.setGasPrices(givenPrices(action));
    case 'moveClock':
      return control.moveClock(action.byMs);
    case 'freezeClock':
      return control.freezeClock(action.atMs);
    case 'runClock':
      return control.runClock();
    case 'nowMs':
      return control.nowMs();
    case 'mint':
      return control.mint(action.owner, action.amount, action.token);
    case 'setStorage':
      return control.setStorage(action.address, action.key, action.value);
    case 'storage':
      return control.storage(action.address, action.key);
    case 'setLendingMarket':
      return control.setLendingMarket(action.pool, action.changes, action.asset);
    case 'setLendingInterest':
      return control.setLendingInterest(action.pool, action.asset, action.rateE18);
    case 'setPrivacyPool':
      return control.setPrivacyPool(action);
    case 'setHostile':
      return control.setHostile(action);
    case 'replaceClass':
      return control.replaceClass(action.address, action.classHash);
    case 'send':
      return control.send(action.address, action.calls, action.proofFacts);
    case 'counters':
      return control.counters();
    case 'resetCounters':
      return control.resetCounters();
    case 'paidInclusions':
      return control.paidInclusions();
    case 'waiting':
      return control.waiting();
    case 'aggregator':
      return performOrder(control.aggregator, action.order);
    case 'rewards':
      return performRewardsOrder(control.rewards, action.order);
  }
}

function givenPrices({
  l1Gas,
  l1DataGas,
  l2Gas,
}: Extract<Action, { action: 'setGasPrices' }>): Parameters<Control['setGasPrices']>[0] {
  return {
    ...(l1Gas !== undefined && { l1Gas }),
    ...(l1DataGas !== undefined && { l1DataGas }),
    ...(l2Gas !== undefined && { l2Gas }),
  };
}

function toJson(value: unknown): unknown {
  if (typeof value === 'bigint') return toHex(value);
  if (Array.isArray(value)) return value.map(toJson);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, toJson(member)]));
  }
  return value;
}
