import { describe } from '@jest/globals';
import { decide, type Decision, type SubmissionEvent, type View } from '../../src/index.js';
import { LANE, flush } from '../unit/world.js';
import { blindTo, counterexample, insteadOf, type Machine } from './counterexample.js';
import {
  AbsenceIsEvidence,
  AnswersNonceTooLow,
  FollowsLastHashOnly,
  NonceTooLowIsRefusal,
  PreConfirmedIsFinal,
  TimeoutsAreRefusals,
  backAtOnce,
} from './naive.js';

const LOST = { answer: { kind: 'unclear', code: 'TIMED_OUT' }, arrives: false } as const;
const TAKEN_ANSWER_LOST = { answer: { kind: 'unclear', code: 'TIMED_OUT' }, arrives: true } as const;
const REFUSED = { answer: { kind: 'refused', code: 'VALIDATION_FAILURE', cause: 'call' }, arrives: false } as const;

/** Refusals free the attempt whatever was sent before, and leave its nonce to what may come. */
const freedByAnyRefusal = insteadOf('refusal', (_event, view) => backAtOnce(view.owner, view));

/** Refusals count for every send, under any fence. */
const believesEveryRefusal = blindTo('refusal', (view, { fence }) => ({
  ...view,
  transactions: view.transactions.map((row) => ({ ...row, claims: 1, claimFence: fence })),
}));

/** Bytes that nobody has seen for the mempool's lifetime are taken for dead when they would be sent again. */
const deadAfterLifetime: Machine = (event: SubmissionEvent, view: View): Decision => {
  const sentBefore = event.type === 'claim' && view.transactions.some(({ hash, claims }) => hash === event.hash && claims > 0);
  return sentBefore ? backAtOnce(view.owner, view) : decide(event, view);
};

describe('what is evidence', () => {
  for (const [name, breaks] of [
    ['(a) after a time-out, sign again at a new nonce', 'S3'],
    ["(a') the same, contract without nullifier", 'S1'],
  ] as const) {
    counterexample({
      name,
      breaks,
      without: { chain: TimeoutsAreRefusals, decide: freedByAnyRefusal },
      async play({ world, look }) {
        world.chain.script(TAKEN_ANSWER_LOST);
        await world.submit({ key: 'A' });
        await world.round(3_000);
        await look();
        world.chain.includeAll();
        await world.round(3_000);
        world.chain.includeAll();
      },
    });
  }

  counterexample({
    name: '(b) after the mempool lifetime, sign again at a new nonce',
    breaks: 'S3',
    without: { decide: deadAfterLifetime },
    async play({ world }) {
      world.chain.script(LOST);
      await world.submit({ key: 'A' });
      await world.round(300_000);
      await world.round();
    },
  });

  counterexample({
    name: '(c) take a refusal for "can never land" although an earlier send may have arrived',
    breaks: 'S5',
    without: { decide: believesEveryRefusal },
    async play({ world }) {
      world.chain.script(LOST, REFUSED);
      await world.submit({ key: 'A' });
      await world.round(10_000);
    },
  });

  counterexample({
    name: "(c') one claimed send, but the HTTP client or a proxy retries it underneath",
    breaks: 'S5',
    rule: { settings: { strict: true } },
    without: { settings: { strict: false } },
    async play({ world }) {
      world.chain.script({ ...REFUSED, arrives: true });
      await world.submit({ key: 'A' });
      await flush();
    },
  });

  counterexample({
    name: "(c'') take 52 “nonce too low” for a refusal",
    breaks: 'S5',
    // The guard of (c) would hold it too: the model switches both off.
    rule: { chain: AnswersNonceTooLow },
    without: { chain: NonceTooLowIsRefusal, decide: believesEveryRefusal },
    async play({ world }) {
      await world.submit({ key: 'A' });
      await flush();
      const [hash = LANE] = world.chain.sent;
      world.chain.preConfirm(hash);
      // A node that lags: it has the block, and answers as if it had not.
      world.chain.show(hash, { kind: 'unknown' });
      await world.round(10_000);
      world.chain.show(hash, null);
    },
  });

  counterexample({
    name: '(f) settle at PRE_CONFIRMED',
    breaks: 'S2',
    without: { chain: PreConfirmedIsFinal },
    async play({ world }) {
      await world.submit({ key: 'A' });
      await flush();
      world.chain.preConfirm(world.chain.sent[0] ?? LANE, { execution: 'REVERTED' });
      await world.round();
      await world.submit({ key: 'A' });
    },
  });

  counterexample({
    name: "(f') the same, contract without nullifier",
    breaks: 'S1',
    without: { chain: PreConfirmedIsFinal },
    async play({ world }) {
      await world.submit({ key: 'A' });
      await flush();
      const [hash = LANE] = world.chain.sent;
      world.chain.preConfirm(hash, { execution: 'REVERTED' });
      await world.round();
      await world.submit({ key: 'A' });
      await flush();
      world.chain.drop(hash);
      world.chain.deliver(hash);
      world.chain.includeAll();
    },
  });

  counterexample({
    name: "(f'') a no-op that is PRE_CONFIRMED frees the submission it replaced",
    // The real machine ends what it has cancelled: the same lie, told at once instead of after another inclusion (S3 in the model).
    breaks: 'S5',
    without: { chain: PreConfirmedIsFinal },
    async play({ world }) {
      world.chain.script(LOST);
      await world.submit({ key: 'A' });
      await world.round(600_001);
      world.chain.preConfirm(world.chain.sent.at(-1) ?? LANE);
      await world.round();
    },
  });

  counterexample({
    name: '(i) nonce has moved on + status 29 = “not ours”: a node that lags',
    breaks: 'S3',
    without: { chain: AbsenceIsEvidence },
    async play({ world, look }) {
      await world.submit({ key: 'A' });
      await flush();
      const [hash = LANE] = world.chain.sent;
      world.chain.includeAll();
      world.chain.show(hash, { kind: 'unknown' });
      await world.round();
      await world.round();
      await look();
      world.chain.show(hash, null);
    },
  });

  counterexample({
    name: "(i') the same on a perfect node, but only the last hash of the nonce is followed",
    breaks: 'S3',
    without: { chain: FollowsLastHashOnly },
    async play({ world }) {
      await world.submit({ key: 'A' });
      await flush();
      const [first = LANE] = world.chain.sent;
      // The replacement's request is lost on the way, and the first one lands.
      world.chain.script(LOST);
      world.chain.setGasPrices({ l2GasFri: 30_000_000_000n });
      await world.round();
      world.chain.setGasPrices({ l2GasFri: 8_000_000_000n });
      world.chain.include(first);
      await world.round();
      await world.round();
    },
  });
});
