import { createServer, type RequestListener } from 'node:http';
import { GetTransferStatus, ListRoutes, QuoteTransfer } from '@sotto/bridge-core';
import { FakeBridgeProtocol, InMemoryTransferStore } from '@sotto/bridge-core/testing';
import type {
  DeployIdleFundsInput,
  IdleFundsDeployment,
  IdleFundsTrial,
  LeverageTargetInput,
  SetLeverageTarget,
  VaultList,
} from '@sotto/curator-core';
import type { GetMayerMultiple, ListOrders, ListOrdersInput } from '@sotto/dca-core';
import { TaskNotFound, type GetKeeperStatus, type TaskStatus } from '@sotto/keeper-core';
import { UpstreamBudget, toFelt, type Felt, type Felts } from '@sotto/kernel';
import { ManualClock } from '@sotto/kernel/testing';
import {
  FollowSubmission,
  SubmissionNotFound,
  type DeployBatchInput,
  type DeployedBatch,
  type DepositOutcome,
  type DryRunReport,
  type ExecutedPrivateSwap,
  type FeeEstimate,
  type GuardedPool,
  type IssuedQuote,
  type PoolCrowd,
  type PoolList,
  type PoolStatus,
  type PrivateSwapInput,
  type ProposedSwap,
  type QuoteSwapInput,
  type QuotedSwap,
  type RelayDepositInput,
  type RelayedDeposit,
  type SignedServiceStatus,
  type SubmissionWatch,
  type SubmitWithdrawalInput,
  type SubmittedWithdrawal,
  type SwapInForce,
  type SwapOutcome,
  type WithdrawalInput,
  type OperatedLane,
  type Operations,
  type DepositDryRunInput,
  type PoolDepositsOf,
} from '@sotto/relayer-core';
import { type PoolToken } from '@sotto/market-core';
import { type StakingPool } from '@sotto/staking-core';
import { SubmissionNotifier, type SubmissionAnswer } from '@sotto/submission-core';
import { Metrics, createLogger } from '@sotto/telemetry';
import type { HttpPolicy } from '../../src/http/http-policy.js';
import { curatorTask, mayerReply, orderList } from './keeper-fixture.js';
import { InFlight, type Route } from '@sotto/http-server';
import { routesOf, type ServedRelayer } from '../../src/http/routes.js';
import { Secret } from '@sotto/settings';
import { CuratorTokens, OperatorTokens } from '../../src/http/credentials.js';
import {
  EXAMPLE_INPUT_POOL,
  EXAMPLE_POOL,
  EXAMPLE_SWAP_POOL,
  type Credential,
} from '@sotto/routes';
import { createApp, type AppOptions } from '../../src/http/create-app.js';
import { SUBMISSION_ID, succeeded } from './answers-fixture.js';
import {
  STABLE_POOL,
  WBTC_POOL,
  estimate,
  issuedQuote,
  poolCrowd,
  poolList,
  poolStatus,
} from './pools-fixture.js';
import { guardedPool, operatedLane, operations } from '@sotto/relayer-core/testing';
import { WebhookListFull } from '@sotto/webhook-core';
import { OperatorsFixture } from './operators-fixture.js';
import { PrivateActionsFixture } from './private-actions-fixture.js';
import { signedStatus } from './operator-fixture.js';
import { noteUndeclared } from '../support/undeclared-errors.js';
import { prime, vaultList } from './yields-fixture.js';

/** Maximum number of bridge requests that callers may cause within ten seconds. */
export const BRIDGE_REQUESTS = 100;
/** Maximum number of requests and streams of one address that wait for a submission. */
export const WAITS_PER_CLIENT = 3;
/** API token of the curator's routes. The name of the token's holder is `keeper`. */
export const CURATOR_TOKEN = 'marker-token-of-the-keeper';

/** API token of the operator's routes. The name of the token's holder is `operator`. */
/** Chain of typed data: SN_TEST. */
export const CHAIN_ID = toFelt('0x534e5f54455354');
export const OPERATOR_TOKEN = 'marker-token-of-the-operator';

/** Returns a valid API token for the routes that require this credential. */
export const tokenFor = (credential: Credential): string =>
  ({ curator: CURATOR_TOKEN, operator: OPERATOR_TOKEN })[credential];

/** Use cases for tests: they return results that a test sets, and store their inputs. */
class ScriptedUseCases {
  readonly submitted: SubmitWithdrawalInput[] = [];
  readonly dryRuns: WithdrawalInput[] = [];
  readonly swapDryRuns: ProposedSwap[] = [];
  readonly depositDryRuns: DepositDryRunInput[] = [];
  readonly swapQuotes: QuoteSwapInput[] = [];
  readonly batches: DeployBatchInput[] = [];
  readonly swaps: PrivateSwapInput[] = [];
  /** Inputs of requests for estimates and quotes, without the pool. */
  readonly uses: object[] = [];
  readonly deposits: RelayDepositInput[] = [];
  readonly lookedUp: { readonly pool: Felt; readonly calldata: Felts }[] = [];
  /** Pairs of a submission id and the webhook endpoint that was added to the submission. */
  readonly notified: (readonly [string, string])[] = [];
  checkNotified: (endpoint: string) => Promise<void> = async () => {};
  /**
   * True if each request begins a new submission. False if each request repeats a submission that
   * another caller has begun.
   */
  isBegun = true;
  /** Pools that requests named; null for an estimate without a pool. */
  readonly requested: (string | null)[] = [];
  /** Calls the callbacks of the submission watch, as real use cases do before they wait. */
  readonly #began = async ({ beforeSubmission, onSubmission }: SubmissionWatch) => {
    if (this.isBegun) await beforeSubmission?.();
    await onSubmission?.(SUBMISSION_ID, this.isBegun);
    return SUBMISSION_ID;
  };
  answer: (input: { readonly signal?: AbortSignal }) => Promise<SubmittedWithdrawal['answer']> =
    async () => succeeded;
  depositOutcome: DepositOutcome = { leafIndex: 12, batch: { id: 4, start: 10, size: 3 } };
  swapInForce: SwapInForce | null = null;
  swapOutcome: SwapOutcome = { leafIndex: 12, outputAmount: 255n, noteAtRisk: false };
  report: DryRunReport = { admissible: true, checks: [] };
  submissions = new Map<string, SubmissionAnswer>();
  submission = async (id: string): Promise<SubmissionAnswer> => {
    const answer = this.submissions.get(id);
    if (answer === undefined) throw new SubmissionNotFound();
    return answer;
  };
  quotedSwap: (input: QuoteSwapInput) => QuotedSwap = () => ({
    sellToken: { symbol: 'WBTC', address: toFelt('0xb7c'), decimals: 8 },
    sellAmount: 19_834n,
    feeAmount: 166n,
    fairAmount: 5_602_345_678_901_234n,
    quotedAmount: 5_591_000_000_000_000n,
    minimumOut: 5_535_090_000_000_000n,
    priceImpactPpm: 2_026,
    expiresAtMs: this.clock.nowMs() + 30_999,
  });
  outputTokens: readonly PoolToken[] = [];
  described: SwapOutcome | null = null;
  describedDeposit: DepositOutcome | null = null;
  ready = true;
  serving = true;
  status: () => Promise<PoolStatus> = async () => poolStatus;
  crowd: () => Promise<PoolCrowd> = async () => poolCrowd;
  depositsOf: () => Promise<PoolDepositsOf> = async () => () => ({
    accepting: true,
    nextAtMs: null,
    left: 20,
    rationLeft: 21,
  });
  estimate: () => Promise<FeeEstimate> = async () => estimate;
  quote: () => Promise<IssuedQuote> = async () => issuedQuote;
  list: () => Promise<PoolList> = async () => poolList;

  /** Inputs of the requested deployments of vaults. */
  readonly deployments: DeployIdleFundsInput[] = [];
  deploy: () => Promise<IdleFundsDeployment> = async () => ({ status: 'no_idle_funds' });
  tryDeployment: () => Promise<IdleFundsTrial> = async () => ({
    status: 'no_idle_funds',
    method: 'deploy_to_lending',
  });
  vaults: () => Promise<VaultList> = async () => vaultList;
  /**
   * Pools that operators paused or resumed. The second element is the reason of a pause, or null if
   * the pool was resumed.
   */
  readonly controls: (readonly [string, string | null])[] = [];
  control: () => Promise<GuardedPool> = async () => guardedPool;
  keeperStatus: GetKeeperStatus['execute'] = async () => [curatorTask];
  mayer: GetMayerMultiple['execute'] = async () => mayerReply;
  orders: ListOrders['execute'] = async () => orderList;
  taskControl: (task: string) => Promise<TaskStatus> = async (task) => {
    if (task !== curatorTask.task) throw new TaskNotFound();
    return curatorTask;
  };
  readonly taskControls: (readonly [string, string | null, string | null])[] = [];
  readonly listed: ListOrdersInput[] = [];
  readonly leverage: LeverageTargetInput[] = [];
  leverageTarget: SetLeverageTarget['execute'] = async ({ targetBps }) =>
    targetBps === null ? null : { vault: toFelt('0x70'), targetBps, setAtMs: 1_800_000_000_000 };
  readonly laneControls: (readonly [string, string | null])[] = [];
  laneControl: () => Promise<OperatedLane> = async () => operatedLane;
  operations: () => Promise<Operations> = async () => operations;
  /** Number of reads of the operator's status. */
  operationsRequested = 0;
  signedStatus: () => Promise<SignedServiceStatus> = async () => signedStatus;
  stakingPools: () => Promise<readonly StakingPool[]> = async () => [prime];
  /** Fake bridge protocol that the real use cases call. */
  readonly bridge = new FakeBridgeProtocol();
  readonly transfers = new InMemoryTransferStore();
  /** Clock that only tests advance, so that cached responses stay fresh. */
  readonly clock = new ManualClock(1_800_000_000_000);
  readonly bridgeBudget = new UpstreamBudget(BRIDGE_REQUESTS, this.clock);
  /**
   * Use cases with which operators read and change single submissions. The fixture counts their
   * reads.
   */
  readonly operators = new OperatorsFixture(this.clock, () => this.operations());
  quoteTransfer: QuoteTransfer['execute'] = async (input) =>
    new QuoteTransfer(this.bridge, this.transfers, this.clock, {
      budget: this.bridgeBudget,
    }).execute(input);
  transferStatus: GetTransferStatus['execute'] = async (input) =>
    new GetTransferStatus(this.bridge, this.transfers, this.clock, this.bridgeBudget).execute(
      input,
    );
  bridgeRoutes: ListRoutes['execute'] = () => new ListRoutes().execute();

  /** Notifications of changes of `submissions`. */
  readonly submissionChanges = new SubmissionNotifier();

  /** Requests and streams that wait for `submissions`. */
  readonly waits = new FollowSubmission(
    {
      getSubmission: { execute: async (id) => this.submission(id) },
      swapOutcomes: { describe: async () => this.described },
      depositOutcomes: { describe: async () => this.describedDeposit },
      changes: this.submissionChanges,
      clock: this.clock,
    },
    { limits: { inAll: 8, perClient: WAITS_PER_CLIENT }, rereadMs: 5_000, maxStreamMs: 600_000 },
  );

  /** Use cases of private actions. */
  readonly privateActions = new PrivateActionsFixture({
    submit: async (input) => ({
      submissionId: await this.#began(input),
      answer: await this.answer(input),
    }),
    dryRun: async () => this.report,
  });

  readonly relayer: ServedRelayer = {
    clock: this.clock,
    submitPrivateAction: this.privateActions.submitPrivateAction,
    quotePrivateAction: this.privateActions.quotePrivateAction,
    submitWithdrawal: {
      execute: async (input): Promise<SubmittedWithdrawal> => {
        this.submitted.push(input);
        return { submissionId: await this.#began(input), answer: await this.answer(input) };
      },
      dryRun: async (input): Promise<DryRunReport> => {
        this.dryRuns.push(input);
        return this.report;
      },
    },
    deployBatch: {
      execute: async (input): Promise<DeployedBatch> => {
        this.batches.push(input);
        return { submissionId: await this.#began(input), answer: await this.answer(input) };
      },
    },
    privateSwaps: {
      execute: async (input): Promise<ExecutedPrivateSwap> => {
        this.swaps.push(input);
        return {
          submissionId: await this.#began(input),
          answer: await this.answer(input),
          ...this.swapOutcome,
          inForce: this.swapInForce,
        };
      },
      dryRun: async (input): Promise<DryRunReport> => {
        this.swapDryRuns.push(input);
        return this.report;
      },
    },
    relayDeposit: {
      execute: async (input): Promise<RelayedDeposit> => {
        this.deposits.push(input);
        return {
          submissionId: await this.#began(input),
          answer: await this.answer(input),
          ...this.depositOutcome,
        };
      },
      dryRun: async (input): Promise<DryRunReport> => {
        this.depositDryRuns.push(input);
        return this.report;
      },
    },
    depositOutcomes: {
      describe: async () => this.describedDeposit,
    },
    getSubmission: {
      execute: async (id): Promise<SubmissionAnswer> => this.submission(id),
    },
    followSubmission: this.waits,
    quoteSwap: {
      execute: async (input): Promise<QuotedSwap> => {
        this.swapQuotes.push(input);
        return this.quotedSwap(input);
      },
    },
    fairValues: {
      offered: async () => this.outputTokens,
    },
    lookUpSubmission: {
      execute: async (pool, calldata): Promise<SubmissionAnswer> => {
        this.lookedUp.push({ pool, calldata });
        return this.submission(SUBMISSION_ID);
      },
    },
    notifySubmission: {
      check: async (endpoint) => this.checkNotified(endpoint),
      checkBeginner: () => {
        if (!this.isBegun) throw new WebhookListFull();
      },
      begun: () => {},
      add: async (submissionId, endpoint) => {
        this.notified.push([submissionId, endpoint]);
      },
    },
    swapOutcomes: {
      describe: async () => this.described,
    },
    getPoolDeposits: { execute: async () => this.depositsOf() },
    getPoolStatus: {
      execute: async (pool) => this.#about(pool, this.status),
    },
    getPoolCrowd: {
      execute: async () => this.crowd(),
      ofBatch: async (_pool, batchStart) =>
        batchStart === 15 ? { batchSize: 2, warning: 'SMALL_CROWD' } : null,
    },
    estimateFee: {
      execute: async (pool, use) => this.#about(pool, this.estimate, use),
    },
    issueQuote: {
      execute: async ({ poolAddress, ...use }) => this.#about(poolAddress, this.quote, use),
    },
    listPools: { execute: async () => this.list() },
    listStakingPools: {
      execute: async () => this.stakingPools(),
    },
    deployIdleFunds: {
      execute: async (input) => {
        this.deployments.push(input);
        return this.deploy();
      },
      dryRun: async ({ vaultId }) => {
        this.deployments.push({ vaultId, waitMs: 0 });
        return this.tryDeployment();
      },
    },
    listVaults: { execute: async () => this.vaults() },
    controlPools: {
      pause: async (pool, reason) => {
        this.controls.push([pool, reason]);
        return this.control();
      },
      resume: async (pool) => {
        this.controls.push([pool, null]);
        return this.control();
      },
      list: async () => [await this.control()],
    },
    controlLanes: {
      pause: async (lane, reason) => {
        this.laneControls.push([lane, reason]);
        return this.laneControl();
      },
      resume: async (lane) => {
        this.laneControls.push([lane, null]);
        return this.laneControl();
      },
    },
    listSubmissions: this.operators.listSubmissions,
    operateSubmission: this.operators.operateSubmission,
    followOperations: { execute: (signal) => this.operators.follow(signal) },
    getOperatorSeries: this.operators.getOperatorSeries,
    recordAction: this.operators.recordAction,
    getKeeperStatus: {
      execute: () => this.keeperStatus(),
      lastKnown: async () => ({ value: await this.keeperStatus(), notAnswered: null }),
    },
    controlTasks: {
      pause: async (task, subject, reason) => this.#controlTask(task, subject, reason),
      resume: async (task, subject) => this.#controlTask(task, subject, null),
    },
    getMayerMultiple: {
      execute: () => this.mayer(),
    },
    listOrders: {
      execute: async (input) => {
        this.listed.push(input);
        return this.orders(input);
      },
    },
    setLeverageTarget: {
      execute: async (input) => {
        this.leverage.push(input);
        return this.leverageTarget(input);
      },
    },
    getOperatorStatus: {
      lane: async () => operatedLane,
      execute: async () => {
        this.operationsRequested += 1;
        return this.operations();
      },
    },
    getServiceStatus: {
      execute: async () => this.signedStatus(),
    },
    quoteTransfer: {
      execute: async (input) => this.quoteTransfer(input),
    },
    getTransferStatus: {
      execute: async (input) => this.transferStatus(input),
    },
    listRoutes: { execute: () => this.bridgeRoutes() },
    readiness: {
      report: async () => ({
        ready: this.ready,
        checks: { store: { ok: this.ready, code: this.ready ? null : 'STORE_NOT_WRITABLE' } },
      }),
      serving: async () => ({
        ready: this.serving,
        checks: {
          store_reads: { ok: this.serving, code: this.serving ? null : 'STORE_UNREACHABLE' },
        },
      }),
    },
  };

  #controlTask(task: string, subject: string | null, reason: string | null): Promise<TaskStatus> {
    this.taskControls.push([task, subject, reason]);
    return this.taskControl(task);
  }

  async #about<T>(pool: string | null, answer: () => Promise<T>, use?: object): Promise<T> {
    this.requested.push(pool);
    if (use !== undefined) this.uses.push(use);
    return answer();
  }
}

export interface TestApp {
  readonly app: RequestListener;
  readonly useCases: ScriptedUseCases;
  readonly routes: readonly Route[];
  /** All lines that the app logged. */
  readonly logged: string[];
  readonly metrics: Metrics;
  /** Abort controller that ends the wait of requests, as a shutdown does. */
  readonly stopping: AbortController;
  /** Abort controller that ends waits for a submission, as the begin of a shutdown does. */
  readonly closing: AbortController;
  readonly inFlight: InFlight;
}

export interface TestAppOptions {
  readonly more?: readonly Route[];
  readonly app?: Partial<
    Pick<
      AppOptions,
      | 'trustedProxies'
      | 'corsOrigins'
      | 'rateLimits'
      | 'curatorTokens'
      | 'operatorTokens'
      | 'inFlight'
      | 'arriving'
      | 'largeBodies'
    >
  >;
  readonly swap?: HttpPolicy['swap'];
  /** @default 30,000 */
  readonly waitForConfirmationMs?: number;
}

const MANY = 1_000_000;

/** Creates the service's routes with scripted use cases. */
export async function testApp({
  more = [],
  app = {},
  swap = null,
  waitForConfirmationMs = 30_000,
}: TestAppOptions = {}): Promise<TestApp> {
  const useCases = new ScriptedUseCases();
  const pools: HttpPolicy['pools'] = new Map([
    [toFelt(EXAMPLE_POOL), { kind: 'withdraw', denominationDivisor: 1 }],
    // The use cases return the same results for all pools, including the swap pool.
    [toFelt(EXAMPLE_INPUT_POOL), { kind: 'swap_input', denominationDivisor: 1 }],
    [toFelt(EXAMPLE_SWAP_POOL), { kind: 'withdraw', denominationDivisor: 1 }],
    [WBTC_POOL, { kind: 'swap_input', denominationDivisor: 1 }],
    [STABLE_POOL, { kind: 'stable', denominationDivisor: 10_000 }],
  ]);
  const logged: string[] = [];
  const logger = createLogger({
    level: 'debug',
    destination: {
      write: (line) => {
        logged.push(line);
        noteUndeclared(line);
      },
    },
  });
  const operatorTokens = new OperatorTokens([
    { name: 'operator', token: new Secret(OPERATOR_TOKEN) },
  ]);
  const policy = {
    waitForConfirmationMs,
    chainId: CHAIN_ID,
    pools,
    swap,
    verificationKey: 'c1'.repeat(32),
  };
  const routes = [...routesOf(useCases.relayer, policy, operatorTokens), ...more];
  const stopping = new AbortController();
  const closing = new AbortController();
  const inFlight = new InFlight({ inAll: MANY, perClient: MANY });
  const metrics = new Metrics(false);
  const listener = createApp({
    routes,
    clock: useCases.clock,
    logger,
    metrics,
    trustedProxies: 0,
    corsOrigins: [],
    rateLimits: { perMinute: { reads: MANY, quotes: MANY, submissions: MANY }, maxClients: 100 },
    curatorTokens: new CuratorTokens([{ name: 'keeper', token: new Secret(CURATOR_TOKEN) }]),
    operatorTokens,
    inFlight,
    stopping: stopping.signal,
    closing: closing.signal,
    ...app,
  });
  return { app: listener, useCases, routes, logged, metrics, stopping, closing, inFlight };
}

/** Runs `use` against the app on a real socket, for requests that supertest can't send. */
export async function withServer(
  app: RequestListener,
  use: (url: string) => Promise<void>,
): Promise<void> {
  const server = createServer(app);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('the server listens on no port');
  try {
    await use(`http://127.0.0.1:${address.port}`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  }
}
