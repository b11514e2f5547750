import { createServer } from 'node:http';
import type { Express } from 'express';
import { toFelt } from '@sotto/kernel';
import {
  SubmissionNotFound,
  type DeployBatchInput,
  type DeployedBatch,
  type DryRunReport,
  type ExecutedPrivateSwap,
  type FeeEstimate,
  type IssuedQuote,
  type PoolList,
  type PoolStatus,
  type PrivateSwapInput,
  type SubmitWithdrawalInput,
  type SubmittedWithdrawal,
  type SwapOutcome,
  type WithdrawalInput,
} from '@sotto/relayer-core';
import type { SubmissionAnswer } from '@sotto/submission-core';
import { createLogger } from '@sotto/telemetry';
import {
  DeployBatchToken,
  EstimateFeeToken,
  ExecutePrivateSwapToken,
  GetPoolStatusToken,
  GetSubmissionToken,
  IssueQuoteToken,
  ListPoolsToken,
  ReadinessToken,
  RouteToken,
  SubmitWithdrawalToken,
  SwapOutcomesToken,
  type HttpPolicy,
} from '../../src/composition/bindings.js';
import { AppModule, createContainer } from '../../src/composition/container.js';
import { httpModule } from '../../src/composition/http.module.js';
import { createApp, type AppOptions } from '../../src/http/create-app.js';
import type { Route } from '../../src/http/define-route.js';
import { EXAMPLE_POOL } from '../../src/http/schemas.js';
import { SUBMISSION_ID, succeeded } from './answers-fixture.js';
import { STABLE_POOL, WBTC_POOL, estimate, issuedQuote, poolList, poolStatus } from './pools-fixture.js';

/** Use cases that answer what a test told them, and remember what they were asked. */
class ScriptedUseCases {
  readonly submitted: SubmitWithdrawalInput[] = [];
  readonly dryRuns: WithdrawalInput[] = [];
  readonly batches: DeployBatchInput[] = [];
  readonly swaps: PrivateSwapInput[] = [];
  /** Pools that were asked about, null for an estimate without one. */
  readonly asked: (string | null)[] = [];
  answer: (input: { readonly signal?: AbortSignal }) => Promise<SubmittedWithdrawal['answer']> = async () => succeeded;
  swapOutcome: SwapOutcome = { leafIndex: 12, outputAmount: 255n };
  report: DryRunReport = { admissible: true, rungs: [] };
  submissions = new Map<string, SubmissionAnswer>();
  submission = async (id: string): Promise<SubmissionAnswer> => {
    const answer = this.submissions.get(id);
    if (answer === undefined) throw new SubmissionNotFound();
    return answer;
  };
  described: SwapOutcome | null = null;
  ready = true;
  status: () => Promise<PoolStatus> = async () => poolStatus;
  estimate: () => Promise<FeeEstimate> = async () => estimate;
  quote: () => Promise<IssuedQuote> = async () => issuedQuote;
  list: () => Promise<PoolList> = async () => poolList;

  readonly module = new AppModule(({ bind }) => {
    bind(SubmitWithdrawalToken).toConstantValue({
      execute: async (input): Promise<SubmittedWithdrawal> => {
        this.submitted.push(input);
        return { submissionId: SUBMISSION_ID, answer: await this.answer(input) };
      },
      dryRun: async (input): Promise<DryRunReport> => {
        this.dryRuns.push(input);
        return this.report;
      },
    });
    bind(DeployBatchToken).toConstantValue({
      execute: async (input): Promise<DeployedBatch> => {
        this.batches.push(input);
        return { submissionId: SUBMISSION_ID, answer: await this.answer(input) };
      },
    });
    bind(ExecutePrivateSwapToken).toConstantValue({
      execute: async (input): Promise<ExecutedPrivateSwap> => {
        this.swaps.push(input);
        return { submissionId: SUBMISSION_ID, answer: await this.answer(input), ...this.swapOutcome };
      },
    });
    bind(GetSubmissionToken).toConstantValue({
      execute: async (id): Promise<SubmissionAnswer> => this.submission(id),
    });
    bind(SwapOutcomesToken).toConstantValue({ describe: async () => this.described });
    bind(GetPoolStatusToken).toConstantValue({ execute: async (pool) => this.#about(pool, this.status) });
    bind(EstimateFeeToken).toConstantValue({ execute: async (pool) => this.#about(pool, this.estimate) });
    bind(IssueQuoteToken).toConstantValue({ execute: async ({ poolAddress }) => this.#about(poolAddress, this.quote) });
    bind(ListPoolsToken).toConstantValue({ execute: async () => this.list() });
    bind(ReadinessToken).toConstantValue({
      report: async () => ({ ready: this.ready, checks: { store: { ok: this.ready, code: this.ready ? null : 'LEDGER_UNAVAILABLE' } } }),
      stop: () => {},
    });
  });

  async #about<T>(pool: string | null, answer: () => Promise<T>): Promise<T> {
    this.asked.push(pool);
    return answer();
  }
}

export interface TestApp {
  readonly app: Express;
  readonly useCases: ScriptedUseCases;
  readonly routes: readonly Route[];
  /** Every line that the app logged. */
  readonly logged: string[];
  /** Tells requests that wait to answer. */
  readonly stopping: AbortController;
}

export interface TestAppOptions {
  readonly more?: readonly Route[];
  readonly app?: Partial<Pick<AppOptions, 'trustedProxies' | 'corsOrigins' | 'rateLimits'>>;
  readonly swap?: HttpPolicy['swap'];
}

const MANY = 1_000_000;

/** The routes as the service serves them, over scripted use cases. */
export async function testApp({ more = [], app = {}, swap = null }: TestAppOptions = {}): Promise<TestApp> {
  const useCases = new ScriptedUseCases();
  const pools: HttpPolicy['pools'] = new Map([
    [toFelt(EXAMPLE_POOL), { kind: 'withdraw', denominationDivisor: 1 }],
    [WBTC_POOL, { kind: 'swap_input', denominationDivisor: 1 }],
    [STABLE_POOL, { kind: 'stable', denominationDivisor: 10_000 }],
  ]);
  const container = createContainer(httpModule({ waitForConfirmationMs: 30_000, pools, swap }), useCases.module);
  const routes = [...(await container.getAllAsync(RouteToken)), ...more];
  const logged: string[] = [];
  const logger = createLogger({ level: 'debug', destination: { write: (line) => void logged.push(line) } });
  const stopping = new AbortController();
  const express = createApp({
    routes,
    logger,
    trustedProxies: 0,
    corsOrigins: [],
    rateLimits: { perMinute: { reads: MANY, quotes: MANY, submissions: MANY }, maxClients: 100 },
    stopping: stopping.signal,
    ...app,
  });
  return { app: express, useCases, routes, logged, stopping };
}

/** Runs `use` against the app on a real socket, for what supertest can't send. */
export async function withServer(app: Express, use: (url: string) => Promise<void>): Promise<void> {
  const server = createServer(app);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port');
  try {
    await use(`http://127.0.0.1:${address.port}`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  }
}
