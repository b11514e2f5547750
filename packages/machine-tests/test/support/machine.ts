import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSqliteStore, type OpenedStore } from '@sotto/adapter-store';
import { Felts, feltToBigInt, silentLogger, toFelt, type Felt } from '@sotto/kernel';
import { ManualClock } from '@sotto/kernel/testing';
import {
  Changes,
  SubmissionEngine,
  SubmissionService,
  decide,
  isLive,
  type Attempt,
  type Ledger,
  type OpenNonce,
  type Readmission,
  type SubmissionEvent,
  type SubmissionSettings,
} from '@sotto/submission-core';
import { attemptsOf, brokenProperties, rowsOf, type ChainTruth, type JudgedLane } from '@sotto/submission-core/testing';
import { CheapSigner, strangersTransaction } from './cheap-transaction.js';
import { Activity, ProcessLife } from './crashing.js';
import { FileRows } from './file-rows.js';
import { SandboxNode } from './sandbox-node.js';
import { FLOOR_FRI, LANES, POOL, startChain, type TestChain } from './test-chain.js';

export const KEYS = ['A', 'B', 'C', 'D', 'E', 'F'] as const;
export type Key = (typeof KEYS)[number];

const SETTINGS: Omit<SubmissionSettings, 'instance'> = {
  lanes: LANES.map((address) => ({ address, role: 'relay' as const })),
  answerAt: 'preconfirmed',
  maxInFlightPerLane: 3,
  pollIntervalMs: 500,
  idleIntervalMs: 5_000,
  leaseTtlMs: 15_000,
  resendAfterMs: 10_000,
  queueTimeoutMs: 60_000,
  deadlineMs: 600_000,
  ceilingL2PriceFri: 150n * 10n ** 9n,
  noopLimits: { l2Gas: 5_000_000n, l1Gas: 256n, l1DataGas: 1_024n, priceMultiplier: 3n },
  strict: false,
  retentionMs: 86_400_000,
  wipeIntervalMs: 3_600_000,
};
const LIMITS = { l2Gas: 1_200_000_000n, l1Gas: 256n, l1DataGas: 20_480n, priceMultiplier: 3n };

/** One process of the service. */
interface Instance {
  readonly name: string;
  readonly life: ProcessLife;
  readonly engine: SubmissionEngine;
  readonly service: SubmissionService;
}

export interface MachineOptions {
  /** Where store files are made, and an empty store to start from. */
  readonly directory: string;
  readonly emptyStore: string;
  readonly hasNullifiers: boolean;
  /** Told of every event that the machine has written. */
  readonly onWritten: (event: SubmissionEvent) => void;
}

/** The whole machine over a real SQLite file and a sandbox chain, with a clock that only tests move. */
export class Machine {
  static #made = 0;
  readonly clock = new ManualClock();
  readonly node: SandboxNode;
  readonly world: TestChain;
  readonly #activity = new Activity();
  readonly #instances: Instance[] = [];
  readonly #path: string;
  readonly #signer = new CheapSigner();
  readonly #rows: FileRows;
  #store: OpenedStore | null = null;
  #ids = 0;
  #isWanted = true;
  #moves = 0;
  #judged = -1;

  private constructor(private readonly options: MachineOptions) {
    this.world = startChain(this.clock, options.hasNullifiers);
    this.node = new SandboxNode(this.world, this.#activity);
    this.world.chain.onChange(() => {
      this.#moves += 1;
    });
    Machine.#made += 1;
    this.#path = join(options.directory, `ledger-${Machine.#made}.db`);
    copyFileSync(options.emptyStore, this.#path);
    this.#rows = new FileRows(this.#path);
  }

  static async start(options: MachineOptions): Promise<Machine> {
    const machine = new Machine(options);
    await machine.#open();
    await machine.startInstance('one');
    return machine;
  }

  get ledger(): Ledger {
    if (this.#store === null) throw new Error('the store is closed');
    return this.#store.ledger;
  }

  /** The process that was started last. */
  get newest(): Instance {
    const instance = this.#instances.at(-1);
    if (instance === undefined) throw new Error('no process was started');
    return instance;
  }

  /** A process that asks for its lanes under this name: the name of one that is gone, or another's. */
  async startInstance(name: string): Promise<void> {
    const life = new ProcessLife(this.#activity);
    const changes = new Changes();
    const ledger = life.through(this.ledger);
    const readmission: Readmission = { refusalOf: (attempt) => this.#refusalOf(attempt) };
    const node = life.through(this.node);
    const on = { ledger, reader: node, history: node, broadcaster: node, readmission, changes };
    const common = { signer: life.through(this.#signer), clock: this.clock, logger: silentLogger, reached: () => undefined };
    const engine = new SubmissionEngine({ ...on, ...common }, { ...SETTINGS, instance: name });
    const newId = (): string => {
      this.#ids += 1;
      return `id ${this.#ids}`;
    };
    const settings = { answerAt: SETTINGS.answerAt, deadlineMs: SETTINGS.deadlineMs, newId };
    const service = new SubmissionService(
      ledger,
      changes,
      () => engine.wake(),
      this.clock,
      settings,
      () => undefined,
    );
    this.#instances.push({ name, life, engine, service });
    void engine.start();
    await this.settled();
  }

  /** A request that passed admission, from a client that may never hear the answer. */
  async request(key: Key): Promise<void> {
    if (await this.#isSpent(key)) return;
    const note = BigInt(KEYS.indexOf(key) + 1);
    const wanted = {
      key,
      fingerprint: `wants ${key}`,
      role: 'relay' as const,
      target: { to: POOL, entrypoint: 'withdraw' },
      calldata: Felts.of([note]),
      limits: LIMITS,
      terms: null,
    };
    void this.newest.service.submit(wanted).catch(() => undefined);
    await this.settled();
  }

  async wait(ms: number): Promise<void> {
    this.clock.advance(ms);
    await this.settled();
  }

  /** The newest process is killed after so many more calls to the outside, and the next one opens the file anew. */
  async crash(calls: number): Promise<void> {
    const { name, life } = this.newest;
    life.dieAfter(calls);
    this.newest.engine.wake();
    await this.settled();
    life.dieAfter(0);
    await this.#open();
    await this.startInstance(name);
  }

  /** The newest process stands still until {@link goOn}, while another one waits for its lanes. */
  async stall(): Promise<void> {
    this.newest.life.stall();
    await this.startInstance(`instance ${this.#instances.length}`);
  }

  /** Processes that stood still go on with what they had in hand. */
  async goOn(): Promise<void> {
    for (const { life } of this.#instances) life.goOn();
    await this.settled();
  }

  /** The domain changes its mind about attempts in flight. */
  want(isWanted: boolean): void {
    this.#isWanted = isWanted;
  }

  /** Closes a block of what the pool has. */
  mine(): void {
    const { chain } = this.world;
    chain.pickCandidates();
    chain.executeCandidates();
    chain.closeBlock();
  }

  preConfirm(): void {
    this.world.chain.pickCandidates();
    this.world.chain.executeCandidates();
  }

  stranger(lane: Felt): void {
    const { chain } = this.world;
    chain.includeNow(strangersTransaction(lane, chain.open.state.nonce(feltToBigInt(lane)), chain.open.header.prices));
  }

  settled(): Promise<void> {
    return this.#activity.settled();
  }

  attempts(): Promise<Attempt[]> {
    return attemptsOf(this.ledger, KEYS);
  }

  /** Broken properties of the checked model; S3 is what counts paid inclusions by attempt. Judged only when rows or chain have moved since the last time. */
  broken(): string[] {
    const moves = this.#moves + this.node.sends;
    if (moves === this.#judged) return [];
    const bad = brokenProperties(this.#rows.read(), this.#lanes(), KEYS);
    if (bad.length === 0) this.#judged = moves;
    return bad;
  }

  /** What the ledger itself tells of its rows, judged. */
  async brokenByLedger(): Promise<string[]> {
    const lanes = this.#lanes();
    return brokenProperties(await rowsOf(this.ledger, lanes, KEYS), lanes, KEYS);
  }

  #lanes(): JudgedLane[] {
    return LANES.map((address) => ({ address, truth: this.#truthOf(address) }));
  }

  /** Attempts that were paid for more than once on the chain as it stands. */
  async paidTwice(): Promise<string[]> {
    const included = new Set(LANES.flatMap((lane) => this.#truthOf(lane).included.map(({ hash }) => hash)));
    const bad: string[] = [];
    for (const attempt of await this.attempts()) {
      const paid = (await this.ledger.transactionsOf(attempt)).filter(({ hash }) => included.has(hash)).length;
      if (paid > 1) bad.push(`${attempt.key}${attempt.attempt} was paid for ${paid} times`);
    }
    return bad;
  }

  /** Fair weather: nodes, processes and the pool do their work, and nothing more goes wrong. Returns what is still unsettled in the end. */
  async heal(): Promise<string[]> {
    this.node.isDown = false;
    this.node.blocksBehind = 0;
    this.node.sendFaults.length = 0;
    this.node.letAnswersCome();
    this.want(true);
    this.world.chain.setPrices({ l2Gas: FLOOR_FRI });
    for (const lane of LANES) this.world.chain.mint(this.world.chain.feeToken, feltToBigInt(lane), 10n ** 21n);
    await this.goOn();
    for (let round = 0; round < 100; round += 1) {
      this.mine();
      await this.wait(11_000);
      if ((await this.unsettled()).length === 0) return [];
    }
    return this.unsettled();
  }

  async unsettled(): Promise<string[]> {
    const live = (await this.attempts()).filter(({ state }) => isLive(state));
    const open = (await Promise.all(LANES.map((lane) => this.ledger.openNonces(lane)))).flat();
    const undecided = open.filter((nonce) => isLandable(nonce));
    return [
      ...live.map(({ key, attempt, state }) => `${key}${attempt} is ${state}`),
      ...undecided.map(({ row }) => `n${row.nonce} of ${row.lane} is undecided`),
    ];
  }

  async stop(): Promise<void> {
    this.node.letAnswersCome();
    for (const { life } of this.#instances) life.dieAfter(0);
    this.#rows.close();
    await this.#store?.close();
    this.#store = null;
  }

  #truthOf(lane: Felt): ChainTruth {
    const { chain } = this.world;
    const sender = feltToBigInt(lane);
    const accepted = Array.from({ length: chain.latest.number + 1 }, (_, number) => chain.accepted(number).inclusions).flat();
    const own = ({ transaction }: (typeof accepted)[number]): boolean => transaction.fields.sender === sender;
    const settled = accepted.filter(own);
    return {
      included: [...settled, ...chain.open.inclusions.filter(own)].map(({ transaction, revertReason }) => ({
        hash: toFelt(transaction.hash),
        succeeded: revertReason === undefined,
      })),
      accepted: settled.length,
      out: [...this.node.mayLand]
        .filter(([, { fields }]) => fields.sender === sender)
        .map(([hash, { fields }]) => ({ hash, nonce: fields.nonce })),
      firstNonce: 0n,
    };
  }

  async #refusalOf({ key }: Attempt): Promise<string | null> {
    if (await this.#isSpent(key)) return 'NULLIFIER_SPENT';
    return this.#isWanted ? null : 'NO_LONGER_WANTED';
  }

  /** At ACCEPTED_ON_L2; a pool without nullifiers never says so. */
  async #isSpent(key: string): Promise<boolean> {
    if (!this.options.hasNullifiers) return false;
    const { chain } = this.world;
    const note = KEYS.findIndex((known) => known === key) + 1;
    return chain.stateAt(chain.latest.number).storage(feltToBigInt(POOL), `spent:${note}`) > 0n;
  }

  async #open(): Promise<void> {
    await this.#store?.close();
    // The real machine, counted.
    const counted: typeof decide = (event, view) => {
      const decision = decide(event, view);
      if (decision.written) {
        this.#moves += 1;
        this.options.onWritten(event);
      }
      return decision;
    };
    this.#store = await openSqliteStore({ path: this.#path, clock: this.clock, decide: counted });
  }
}

function isLandable({ transactions }: OpenNonce): boolean {
  return transactions.some(({ dead }) => !dead);
}
