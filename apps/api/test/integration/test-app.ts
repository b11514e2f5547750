import { createServer } from 'node:http';
import type { Express } from 'express';
import { createLogger } from '@sotto/telemetry';
import {
  SubmissionNotFound,
  type DryRunReport,
  type SubmittedWithdrawal,
  type SubmitWithdrawalInput,
  type WithdrawalInput,
} from '@sotto/relayer-core';
import { createApp } from '../../src/http/create-app.js';
import type { Route } from '../../src/http/define-route.js';
import { createRoutes } from '../../src/http/routes.js';
import type { SubmissionAnswer } from '@sotto/submission-core';
import { SUBMISSION_ID, succeeded } from './answers-fixture.js';

/** Use cases that answer what a test told them, and remember what they were asked. */
class ScriptedUseCases {
  readonly submitted: SubmitWithdrawalInput[] = [];
  readonly dryRuns: WithdrawalInput[] = [];
  answer: (input: SubmitWithdrawalInput) => Promise<SubmittedWithdrawal['answer']> = async () => succeeded;
  report: DryRunReport = { admissible: true, rungs: [] };
  submissions = new Map<string, SubmissionAnswer>();
  ready = true;

  readonly submitWithdrawal = {
    execute: async (input: SubmitWithdrawalInput): Promise<SubmittedWithdrawal> => {
      this.submitted.push(input);
      return { submissionId: SUBMISSION_ID, answer: await this.answer(input) };
    },
    dryRun: async (input: WithdrawalInput): Promise<DryRunReport> => {
      this.dryRuns.push(input);
      return this.report;
    },
  };

  readonly getSubmission = {
    execute: async (id: string): Promise<SubmissionAnswer> => {
      const answer = this.submissions.get(id);
      if (answer === undefined) throw new SubmissionNotFound();
      return answer;
    },
  };

  readonly readiness = {
    report: async () => ({ ready: this.ready, checks: { store: { ok: this.ready, code: this.ready ? null : 'LEDGER_UNAVAILABLE' } } }),
  };
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

export function testApp(more: readonly Route[] = []): TestApp {
  const useCases = new ScriptedUseCases();
  const { submitWithdrawal, getSubmission, readiness } = useCases;
  const logged: string[] = [];
  const logger = createLogger({ level: 'debug', destination: { write: (line) => void logged.push(line) } });
  const routes = [...createRoutes({ submitWithdrawal, getSubmission, readiness, waitForConfirmationMs: 30_000 }), ...more];
  const stopping = new AbortController();
  return { app: createApp({ routes, logger, trustedProxies: 0, stopping: stopping.signal }), useCases, routes, logged, stopping };
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
