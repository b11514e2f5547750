import { TASKS } from '@sotto/facts';
import {
  Service,
  type Failure,
  type Reason,
  type Status,
  type Submission,
  type Task,
  type Verdict,
} from '../../src/service.js';
import { Session } from '../../src/session.js';

export const failure: Failure = {
  message: 'the service does not answer',
  code: null,
  httpStatus: null,
  retryAfterMs: null,
};

export const reason: Reason = {
  code: 'NODE_UNREACHABLE',
  meaning: 'The Starknet node does not answer.',
  component: 'node',
  details: { cause: 'ECONNREFUSED' },
  since: 1_000,
};

export const verdict = (changes: Partial<Verdict> = {}): Verdict => ({
  asOf: 2_000,
  reasons: [],
  pools: [
    { key: 'one', address: '0x1', canWithdraw: true, reasons: [] },
    { key: 'two', address: '0x2', canWithdraw: true, reasons: [] },
  ],
  warnings: [],
  ...changes,
});

export const submission = (changes: Partial<Submission> = {}): Submission => ({
  id: 'a',
  attempt: 1,
  kind: 'withdraw',
  pool: 'one',
  state: 'accepted',
  lane: null,
  nonce: null,
  transactionHashes: [],
  acceptedAt: 100,
  endedAt: null,
  gasPaidFri: null,
  feeEarned: null,
  code: null,
  revertReason: null,
  answer: { execution: 'UNKNOWN', finality: null, transactionHash: null },
  reorged: false,
  ...changes,
});

/** Returns a status with default values and these changes. */
export const status = (changes: Partial<Status> = {}): Status => ({
  build: { version: '0.1.0', commit: '1a2b3c' },
  lanes: [],
  ledger: { state: 'UP_TO_DATE', chainId: null, genesisHash: null, lastBlock: 12 },
  alarms: {
    foreignTransactions: 0,
    reopenedNonces: 0,
    reopenedFinalNonces: 0,
    disprovedRefusals: 0,
    sharedInstanceIds: 0,
  },
  audit: {
    lastBlock: null,
    behindBlocks: null,
    completedSecondsAgo: null,
    findings: {
      ATTEMPT_PAID_TWICE: 0,
      ENDED_BUT_INCLUDED: 0,
      TOLD_BUT_NOT_ON_CHAIN: 0,
      OUTCOME_DIFFERS: 0,
      CARRIES_ANOTHER_CALL: 0,
      SETTLED_OTHERWISE: 0,
      NOT_IN_LEDGER: 0,
      FOREIGN: 0,
      NOT_SETTLED: 0,
    },
    problem: null,
  },
  nodes: [],
  refusalsBelieved: true,
  clockSkewSeconds: { store: 0, chain: 2 },
  lastLookAt: null,
  attention: [],
  pools: [],
  keeper: { alerts: [], tasks: [] },
  verdict: verdict(),
  load: {
    admissions: { running: 0, waiting: 0, refused: 0 },
    requests: { requests: 0, clients: 0, refused: 0 },
  },
  notAnswered: [],
  ...changes,
});

export const subject = (
  changes: Partial<Task['subjects'][number]> = {},
): Task['subjects'][number] => ({
  subject: 'sentinel',
  paused: null,
  lastLookAt: 990,
  outcome: 'skipped',
  reason: 'NOT_SETTLED',
  meaning: 'Its funds settle.',
  since: 700,
  details: { idleSats: '12' },
  dueAt: null,
  lastActed: { at: 880, submission: 'a' },
  ...changes,
});

const window = (limitFri: string, spentFri: string) => ({
  limitFri,
  spentFri,
  leftFri: null,
  earned: [],
});

export const task = (changes: Partial<Task> = {}): Task => ({
  task: 'curator',
  does: TASKS.curator,
  on: true,
  held: true,
  paused: null,
  budget: {
    hour: window('50000000000000000000', '480000000000000000'),
    day: window('300000000000000000000', '1200000000000000000'),
  },
  subjects: [],
  ...changes,
});

/** Returns a session that sends no requests. All clocks are at 1,000 seconds after 1970. */
export function sessionOf(known: Status): Session {
  const atMs = 1_000_000;
  const session = new Session(
    new Service('http://service.test', 'token'),
    { value: known, servedAtMs: atMs, receivedAtMs: atMs },
    () => undefined,
    {
      visibilityState: 'visible',
      title: '',
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
    },
  );
  session.nowMs.value = atMs;
  return session;
}

/** Requests whose responses the test releases in any order. */
export class Held<T> {
  readonly #open: ((value: T) => void)[] = [];

  query = (): Promise<T> => new Promise((resolve) => this.#open.push(resolve));

  get count(): number {
    return this.#open.length;
  }

  /** @param place index of the request, starting at 0 */
  async answer(place: number, value: T): Promise<void> {
    const resolve = this.#open[place];
    if (resolve === undefined) throw new Error('it was not requested');
    resolve(value);
    await new Promise((done) => setImmediate(done));
  }
}
