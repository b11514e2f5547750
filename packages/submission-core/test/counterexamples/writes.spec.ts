import { describe } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { decide, isLive, type Ledger } from '../../src/index.js';
import { gate } from '../support/gate.js';
import { LANE, flush } from '../unit/world.js';
import { blindTo, counterexample, insteadOf, standBack, type Machine } from './counterexample.js';
import { Hand } from './hand.js';
import { NonceNeverMoves, asIfFree } from './naive.js';

const REFUSED = { answer: { kind: 'refused', code: 'VALIDATION_FAILURE', cause: 'call' }, arrives: false } as const;
const PATIENT = { queueTimeoutMs: 10_000_000, deadlineMs: 10_000_000 };
const OTHER_LANE = toFelt('0x2a4e');

/** No compare-and-set of the nonce, and no fence. */
const noFenceNoCompare: Machine = blindTo('prepare', (view, { fence }) => ({
  ...asIfFree(view),
  lane: view.lane === null ? null : { ...view.lane, fence },
}));
const noCompare: Machine = blindTo('prepare', asIfFree);

/** The next nonce comes from a counter that is moved in a write of its own, before the row or after it. */
function withCounter(moved: 'before' | 'after'): (ledger: Ledger) => Ledger {
  let counter = 0n;
  return (real) =>
    new Proxy(real, {
      get(target, name) {
        if (name === 'openNonces') {
          // The counter alone decides: nobody looks for a free nonce, but nonces are followed as ever.
          return async (lane: typeof LANE) =>
            (await target.openNonces(lane)).filter(({ owner, transactions }) => owner !== null || transactions.length > 0);
        }
        if (name === 'nextNonce') {
          return async () => {
            const nonce = counter;
            if (moved === 'before') counter += 1n;
            return nonce;
          };
        }
        const member: unknown = Reflect.get(target, name);
        return typeof member === 'function' ? member.bind(target) : member;
      },
    });
}

describe('what is written, and in which order', () => {
  counterexample({
    name: '(d) counter apart from the rows, moved before them',
    breaks: 'L',
    without: {
      ledger: withCounter('before'),
      // Its rows have gaps.
      decide: blindTo('prepare', (view, { nonce }) => ({ ...view, highestNonce: nonce - 1n })),
    },
    async play({ world, another }) {
      // The process dies between taking a number and storing the row: what it holds goes on only when the next one is there.
      const next = gate();
      const signCall = world.signer.signCall.bind(world.signer);
      world.signer.signCall = (...call) => next.opened.then(() => signCall(...call));
      await world.submit({ key: 'A' });
      await flush();
      await another();
      await flush();
      next.open();
    },
  });

  counterexample({
    name: "(d') counter apart from the rows, moved after them",
    breaks: 'S4',
    without: { ledger: withCounter('after'), decide: noCompare, constraints: false },
    async play({ world }) {
      await world.submit({ key: 'A' });
      await flush();
      await world.submit({ key: 'B' });
      await flush();
    },
  });

  counterexample({
    name: "(d'') the same with the compare-and-set of prepare",
    breaks: 'L',
    // The chain's nonce would pull the counter along: with it even this counter does no harm. Nobody is ever forced to give up.
    rule: { chain: NonceNeverMoves, settings: PATIENT },
    without: { chain: NonceNeverMoves, settings: PATIENT, ledger: withCounter('after') },
    async play({ world }) {
      await world.submit({ key: 'A' });
      await flush();
      await world.submit({ key: 'B' });
      await flush();
    },
  });

  counterexample({
    name: '(e) no fencing (and no compare-and-set)',
    breaks: 'S4',
    engine: false,
    without: { decide: noFenceNoCompare, constraints: false },
    async play({ world, ledger }) {
      const first = new Hand(world, ledger, 'one');
      await first.lease();
      const [a, b] = [await first.accept('A'), await first.accept('B')];
      const planned = await first.sign('A', 0n);
      world.clock.advance(15_000);
      const second = new Hand(world, ledger, 'two');
      await second.lease();
      await second.prepare(b, 0n, await second.sign('B', 0n));
      await first.prepare(a, 0n, planned);
      world.clock.advance(15_000);
    },
  });

  counterexample({
    name: "(e') fencing, but no compare-and-set: two workers of one instance",
    breaks: 'S4',
    engine: false,
    without: { decide: noCompare, constraints: false },
    async play({ world, ledger }) {
      const worker = new Hand(world, ledger, 'one');
      await worker.lease();
      const [a, b] = [await worker.accept('A'), await worker.accept('B')];
      const [planA, planB] = [await worker.sign('A', 0n), await worker.sign('B', 0n)];
      await worker.prepare(a, 0n, planA);
      await worker.prepare(b, 0n, planB);
      world.clock.advance(15_000);
    },
  });

  counterexample({
    name: "(e'') prepare checks the nonce but not the row",
    breaks: 'S3',
    engine: false,
    lanes: [
      { address: LANE, role: 'relay' },
      { address: OTHER_LANE, role: 'relay' },
    ],
    without: {
      decide: blindTo('prepare', (view) => ({
        ...view,
        lastAttempt: view.lastAttempt === null ? null : { ...view.lastAttempt, state: 'accepted' },
      })),
    },
    async play({ world, ledger }) {
      const [left, right] = [new Hand(world, ledger, 'one'), new Hand(world, ledger, 'two', OTHER_LANE)];
      await left.lease();
      await right.lease();
      const a = await left.accept('A');
      const [here, there] = [await left.sign('A', 0n), await right.sign('A', 0n)];
      for (const [worker, plan] of [
        [left, here],
        [right, there],
      ] as const) {
        const { written } = await worker.prepare(a, 0n, plan);
        if (written) await worker.send(plan);
      }
      world.clock.advance(15_000);
    },
  });

  for (const [name, breaks] of [
    ['(g) duplicate check in memory only', 'S2'],
    ["(g') the same, contract without nullifier", 'S1'],
  ] as const) {
    counterexample({
      name,
      breaks,
      without: {
        constraints: false,
        // The process that remembered the request is gone.
        decide: blindTo('request', (view) => ({
          ...view,
          lastAttempt:
            view.lastAttempt !== null && isLive(view.lastAttempt.state) ? { ...view.lastAttempt, state: 'expired' } : view.lastAttempt,
        })),
      },
      async play({ world, another, look }) {
        await world.submit({ key: 'A' });
        await flush();
        const restarted = await another();
        await restarted.submit({ key: 'A' });
        await flush();
        await look();
        world.chain.includeAll();
        await restarted.round();
      },
    });
  }

  counterexample({
    name: '(j) a stale holder resends stored bytes without a claim, refusals being conclusive',
    breaks: 'S5',
    engine: false,
    // Nobody writes the second claim.
    without: {
      decide: insteadOf('claim', (event, view) => (view.transactions.some(({ claims }) => claims > 0) ? standBack() : decide(event, view))),
    },
    async play({ world, ledger }) {
      const holder = new Hand(world, ledger, 'one');
      await holder.lease();
      const bytes = await holder.sign('A', 0n);
      await holder.prepare(await holder.accept('A'), 0n, bytes);
      // The stale one believes that its own send is covered: with the rule it must claim it, and that is what makes it two.
      await holder.claim(0n, bytes);
      await holder.send(bytes);
      world.chain.drop(bytes.hash);
      world.chain.script(REFUSED);
      await holder.send(bytes);
      await holder.refusal(0n, bytes);
      world.clock.advance(15_000);
    },
  });

  counterexample({
    name: '(k) the caller is told “refused” before the fenced write of it succeeded',
    breaks: 'S5',
    engine: false,
    without: { tellsFromHand: true },
    async play({ world, ledger, tellsFromHand, tell, look }) {
      const old = new Hand(world, ledger, 'one');
      await old.lease();
      const bytes = await old.sign('A', 0n);
      const { id } = await old.accept('A');
      const accepted = await ledger.attemptById(id);
      if (accepted === null) throw new Error('the attempt is gone');
      await old.prepare(accepted, 0n, bytes);
      world.chain.script(REFUSED);
      await old.send(bytes);
      world.clock.advance(15_000);
      const holder = new Hand(world, ledger, 'two');
      await holder.lease();
      // The rule: what a caller hears comes from the row, after the commit.
      const { written } = await old.refusal(0n, bytes);
      const answer = await world.service.find(id);
      if (tellsFromHand || written || answer?.kind === 'ended') tell('A1');
      await holder.claim(0n, bytes);
      await holder.send(bytes);
      await look();
      world.clock.advance(15_000);
    },
  });

  counterexample({
    name: '(l) an undecided nonce is given to another submission',
    breaks: 'S4',
    engine: false,
    without: { decide: noCompare, constraints: false },
    async play({ world, ledger }) {
      const worker = new Hand(world, ledger, 'one');
      await worker.lease();
      const bytes = await worker.sign('A', 0n);
      await worker.prepare(await worker.accept('A'), 0n, bytes);
      await worker.prepare(await worker.accept('B'), 0n, await worker.sign('B', 0n));
      world.clock.advance(15_000);
    },
  });
});
