import { AdoptOutcome } from '@sotto/relayer-core';
import {
  decide as machine,
  type CallReader,
  LedgerBehindChain,
  type Attempt,
  type Revalidator,
} from '@sotto/submission-core';
import { Callers, submissionOf } from './callers.js';
import { Calls } from './calls.js';
import { Chain } from './chain/chain.js';
import { Mempool } from './chain/mempool.js';
import { Network, type SendFate } from './chain/network.js';
import { NodePorts, type NodeFaults } from './chain/node-ports.js';
import { MemoryDisk, type Disk, type DiskOptions } from './disk.js';
import { fairEnd } from './fair-end.js';
import { happen } from './happen.js';
import { Judge } from './judge.js';
import type { Mutant } from './mutants/index.js';
import { START_MS } from './os-process.js';
import { MEMPOOL_LIFETIME_MS } from './plan.js';
import type { RunKind, RunPlan } from './run-plan.js';
import { Processes } from './processes.js';
import { Pushes } from './pushes.js';
import { Streams, type Random } from './random.js';
import type { ReportedAnswer } from './reported.js';
import { Scheduler } from './scheduler.js';
import { Situations } from './situations.js';
import { beforeSpecial, special } from './special.js';
import { Story, type Violation } from './story.js';
import { Taps, NO_LONGER_WANTED } from './taps.js';
import { CALL_FAULTS } from './weather.js';
import type { World } from './world.js';

/**
 * Domain check before a call is sent, like the check of the relayer's withdrawals. A call is not
 * sent if its key is already paid. The check ends the attempt for this reason only after the ledger
 * has stored the payment.
 */
class Readmission implements Revalidator {
  constructor(
    private readonly node: NodePorts,
    private readonly adoptOutcome: AdoptOutcome,
    private readonly unwanted: ReadonlySet<number>,
  ) {}

  async rejectionOf(attempt: Attempt): Promise<string | null> {
    const { key, replayProtected } = attempt;
    const number = Number(key.slice(1));
    if (!replayProtected || !this.node.isSpent(number))
      return this.unwanted.has(number) ? NO_LONGER_WANTED : null;
    const payment = await this.node.paymentOf(number);
    const { isOpen } = await this.adoptOutcome.execute(payment, { key, requested: [attempt] });
    if (isOpen) throw new LedgerBehindChain({ retryAfterSeconds: 10 });
    return 'ALREADY_PAID';
  }
}

export interface RunOptions {
  readonly mutant?: Mutant | null;
  /** True if the run's log is recorded. */
  readonly isRecorded?: boolean;
  readonly tolerated?: ReadonlySet<string>;
  /**
   * Virtual time in ms within which calls may overlap in real time. Needed if the store is on a
   * separate server.
   * @default null
   */
  readonly overlapMs?: number | null;
  /** @default a ledger in memory */
  readonly makeDisk?: (options: DiskOptions) => Promise<Disk>;
}

export interface RunResult {
  readonly plan: RunPlan;
  readonly violations: readonly Violation[];
  readonly situations: Situations;
  readonly faultyCalls: readonly string[];
  readonly counts: Taps['counts'];
  readonly events: number;
  readonly virtualMs: number;
  readonly lines: readonly string[];
}

const HAS_SPECIAL: ReadonlySet<RunKind> = new Set([
  'ledger lost',
  'young copy',
  'lanes change',
  'acceptance',
]);
/** Probability of a rollback after a process has detected that its ledger is behind. */
const ROLLBACK_AFTER_JUMP = 0.4;
const BALANCE_FRI = 10n ** 20n;
/** Number of blocks by which the owner of the contracts extends the time of all calls. */
const LENIENT_BLOCKS = 30;

/**
 * Executes one run from its plan until all faults have ended and everything has settled. Equal
 * plans give equal runs.
 */
export async function run(plan: RunPlan, options: RunOptions = {}): Promise<RunResult> {
  const world = await build(plan, options);
  const { scheduler, judge, story, situations, taps, disk } = world;
  const isBroken = (): boolean => judge.violations.length > 0;
  try {
    beforeSpecial(world);
    for (let index = 0; index < plan.processes; index += 1)
      await world.processes.start(`slot ${index + 1}`);
    world.network.start();
    world.pushes.start();
    for (const caller of plan.callers)
      world.callers.start(caller, world.streams.of(`caller ${caller.index}`));
    for (const happening of plan.happenings)
      scheduler.after(happening.atMs, () => happen(world, happening));
    if (HAS_SPECIAL.has(plan.kind)) scheduler.after(plan.specialAtMs, () => special(world));
    await scheduler.run(plan.durationMs, isBroken);
    if (!isBroken()) await fairEnd(world, isBroken);
  } finally {
    world.processes.killAll();
    await disk.end();
  }
  for (const { rule, detail, atMs } of judge.violations)
    story.report(() => `BROKEN at ${(atMs / 1_000).toFixed(3)}: ${rule}: ${detail}`);
  return {
    plan,
    violations: judge.violations,
    situations,
    faultyCalls: taps.faultyCalls,
    counts: taps.counts,
    events: scheduler.events,
    virtualMs: scheduler.nowMs,
    lines: story.lines,
  };
}

async function build(
  plan: RunPlan,
  {
    mutant = null,
    isRecorded = false,
    tolerated = new Set(),
    makeDisk,
    overlapMs = null,
  }: RunOptions,
): Promise<World> {
  const streams = new Streams(plan.seed);
  const scheduler = new Scheduler(overlapMs);
  const story = new Story(scheduler, isRecorded);
  const situations = new Situations();
  const nowMs = (): number => scheduler.nowMs;
  const chainNowMs = (): number => START_MS + scheduler.nowMs;
  const accounts = plan.lanes.map(({ address }) => address);
  const chain = new Chain({
    accounts,
    balanceFri: BALANCE_FRI,
    random: streams.of('execution'),
    nowMs: chainNowMs,
  });
  const judge = new Judge(chain, {
    nowMs,
    rejectionsLie: plan.kind === 'lying provider',
    comparedWithinMs: comparedWithinMs(plan),
    tolerated,
  });
  const taps = new Taps({
    judge,
    story,
    situations,
    isBroken: (account) => chain.broken.has(account),
    aim: (process, isReplacement) => calls.aim(process, isReplacement),
  });
  const pool = new Mempool(chain, {
    nonceGap: streams.of('nonce gap').chance(0.2) ? 0n : 12n,
    lifetimeMs: MEMPOOL_LIFETIME_MS * 0.9,
    nowMs,
  });
  const pushes = new Pushes(plan.push, taps, { scheduler, streams, situations, story });
  const network: Network = new Network(chain, pool, scheduler, streams, pushes, {
    ...plan.chain,
    aimedRollback: 0.4 * plan.weather.rollback,
    rivals: 0.6,
  });
  const nodeFaults: NodeFaults = {
    unread: CALL_FAULTS['part unread'] * plan.weather['part unread'],
    reportsL1: plan.chain.reportsL1,
    isOneUrl: streams.of('nodes').chance(0.5),
  };
  const calls: Calls = new Calls(scheduler, streams, plan.weather, plan.spared, taps, {
    rejectionsLie: plan.kind === 'lying provider',
    rejectionsAreLate: plan.kind === 'slow polls',
  });
  const storeClock = { offsetMs: 0 };
  const decide = mutant?.decide?.(machine) ?? machine;
  const diskOptions = {
    nowMs: () => Math.floor(START_MS + scheduler.nowMs + storeClock.offsetMs),
    monotonicMs: nowMs,
    decide,
  };
  const disk = await (makeDisk ?? (async (options) => new MemoryDisk(options)))(diskOptions);
  let ids = 0;
  const newId = (): string => `s${(ids += 1)}`;
  const unwanted = new Set<number>();
  const roles = new Map(plan.callers.map(({ key, role }) => [key, role]));
  const node = new NodePorts(network, streams.of('replica choice'), nodeFaults);
  const callReader: CallReader = {
    submissionOf: (_target, calldata) =>
      submissionOf(calldata, newId(), (key) => roles.get(key) ?? 'relay'),
  };
  const processes: Processes = new Processes({
    plan,
    scheduler,
    streams,
    disk,
    calls,
    judge,
    story,
    taps,
    mutant,
    ports: {
      node,
      broadcaster: {
        nodeFor: (last) => network.nodeFor(last),
        send: async (bytes, name, ...rest: unknown[]) =>
          // CAST: the faults append these two to the port's arguments.
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion
          network.send(bytes, name, ...(rest as [SendFate, Random])),
      },
      readmissionOver: (ledger) =>
        new Readmission(node, new AdoptOutcome(callReader, ledger, node), unwanted),
      calls: callReader,
      eventsOf: (process) => pushes.of(process),
      reportOthers: (from, hint) => processes.hint(from, hint),
      newId,
      polled: (process, head) => taps.lastBlocks.received(process, head),
      headReceived: ({ name }, head) => {
        const { blockNumber, blockHash } = head;
        const nonces = new Map([...head.accounts].map(([address, { nonce }]) => [address, nonce]));
        if (judge.lostLedger.isFirst(name, blockHash) && judge.lostLedger.isOnChain())
          situations.saw('a node that lags was queried first about a copy');
        if (!judge.lostLedger.shown(name, blockHash, nonces) || network.isFair) return;
        const random = streams.of('after a jump');
        if (plan.kind !== 'young copy' || !random.chance(ROLLBACK_AFTER_JUMP)) return;
        scheduler.after(random.between(50, 2_000), () => {
          if (network.isFair) return;
          const wasOnChain = judge.lostLedger.isOnChain();
          network.rollBack(chain.head.number - blockNumber + 3, true);
          if (wasOnChain && !judge.lostLedger.isOnChain())
            situations.saw('a rollback undid the evidence that a copy is behind');
        });
      },
    },
  });
  const heard = ({ finality }: ReportedAnswer): void => {
    const isNext = streams
      .of('after an answer')
      .chance(0.25 * plan.weather['pre-confirmed vanishes']);
    if (finality === 'PRE_CONFIRMED' && isNext && !network.isFair)
      scheduler.after(1, () => network.dropPreConfirmed());
  };
  const callers = new Callers({
    scheduler,
    judge,
    story,
    pick: (random) => processes.pick(random),
    heard,
    height: () => chain.head.number,
  });
  drawContracts(plan, streams, chain, pool);
  drawLeniency(plan, streams, scheduler, () => {
    chain.lenientBlocks += LENIENT_BLOCKS;
    story.report(() => `the contracts accept calls ${chain.lenientBlocks} blocks longer`);
  });
  return {
    plan,
    streams,
    scheduler,
    story,
    judge,
    situations,
    taps,
    chain,
    pool,
    network,
    pushes,
    nodeFaults,
    calls,
    disk,
    processes,
    callers,
    storeClock,
    unwanted,
  };
}

/**
 * Returns the maximum time in ms from a comparison of all accounts until the next call is stored.
 */
function comparedWithinMs({ weather, settings }: RunPlan): number {
  const isSlow = (['read slow', 'signer slow', 'ledger slow'] as const).some(
    (fault) => weather[fault] > 0,
  );
  return isSlow ? settings.lookTimeoutMs + 1_000 : 1_500;
}

/** Draws whether and when the owner of the contracts extends the time of all calls. */
function drawLeniency(
  { durationMs }: RunPlan,
  streams: Streams,
  scheduler: Scheduler,
  extend: () => void,
): void {
  const random = streams.of('leniency');
  if (random.chance(0.5)) scheduler.after(random.between(0.1, 0.9) * durationMs, extend);
}

/** Draws the keys whose calls may revert, and the keys whose calls every node rejects. */
function drawContracts({ callers }: RunPlan, streams: Streams, chain: Chain, pool: Mempool): void {
  const random = streams.of('contracts');
  for (let key = 1; key <= 1 + Math.max(...callers.map((caller) => caller.key), 0); key += 1) {
    if (random.chance(0.25)) chain.reverting.add(key);
    if (random.chance(0.07)) pool.rejected.add(key);
  }
}
