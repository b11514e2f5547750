import { describe } from '@jest/globals';
import { decide } from '../../src/index.js';
import { gate } from '../support/gate.js';
import { flush } from '../unit/world.js';
import { counterexample, insteadOf, standBack, type Machine } from './counterexample.js';
import { RefusesCalls, StrangerPreConfirmed } from './naive.js';

const LOST = { answer: { kind: 'unclear', code: 'TIMED_OUT' }, arrives: false } as const;

/** Free nonces get neither a submission nor a no-op. */
const leavesHoles: Machine = (event, view) => {
  if (event.type === 'fill') return standBack();
  if (event.type === 'prepare' && view.nonce !== null) return standBack();
  return decide(event, view);
};

describe('what fills a hole', () => {
  counterexample({
    name: '(h) a refused transaction leaves its nonce unfilled',
    breaks: 'L',
    without: { decide: leavesHoles },
    async play({ world }) {
      const answered = gate();
      const answer = { kind: 'refused', code: 'VALIDATION_FAILURE', cause: 'call' } as const;
      world.chain.script({ answer, arrives: false, after: answered.opened });
      await world.submit({ key: 'A' });
      await flush();
      await world.submit({ key: 'B' });
      await flush();
      answered.open();
      await flush();
    },
  });

  counterexample({
    name: '(m) stored bytes are never sent twice',
    breaks: 'L',
    without: {
      decide: insteadOf('claim', (event, view) => (view.transactions.some(({ claims }) => claims > 0) ? standBack() : decide(event, view))),
      settings: { deadlineMs: 10_000_000 },
    },
    rule: { settings: { deadlineMs: 10_000_000 } },
    async play({ world }) {
      world.chain.script(LOST);
      await world.submit({ key: 'A' });
      await world.round();
    },
  });

  counterexample({
    name: "(n) a stranger's PRE_CONFIRMED transaction counts as nonce taken, no row for it",
    breaks: 'L',
    rule: { chain: StrangerPreConfirmed },
    without: {
      chain: StrangerPreConfirmed,
      // The nonces below are written as settled instead of open.
      decide: insteadOf('catch_up', (event, view) => {
        const decision = decide(event, view);
        if (!decision.written) return decision;
        return {
          written: true,
          writes: { nonces: (decision.writes.nonces ?? []).map((row) => ({ ...row, state: 'settled', settledBy: 'stranger' })) },
        };
      }),
    },
    async play({ world }) {
      const { chain } = world;
      if (!(chain instanceof StrangerPreConfirmed)) throw new Error('another chain is needed');
      await world.submit({ key: 'A' });
      await flush();
      chain.includeAll();
      await world.round();
      chain.ahead = 1n;
      await world.round();
      await world.submit({ key: 'B' });
      await world.round();
      chain.ahead = 0n;
    },
  });

  counterexample({
    name: '(o) no no-op: an undecided nonce may only get its own bytes or its own replacement, and the node refuses them',
    breaks: 'L',
    rule: { chain: RefusesCalls },
    without: { chain: RefusesCalls, decide: insteadOf('cancel', standBack) },
    async play({ world }) {
      await world.submit({ key: 'A' });
      await world.round();
    },
  });

  counterexample({
    name: '(p) own replacements may use up the price ceiling, the no-op must outbid them; the node refuses the submission for good',
    breaks: 'L',
    rule: { chain: RefusesCalls, settings: { ceilingL2PriceFri: 25_000_000_000n } },
    without: {
      chain: RefusesCalls,
      settings: { ceilingL2PriceFri: 25_000_000_000n },
      decide: insteadOf('cancel', (event, view) => decide({ ...event, ceilingL2PriceFri: 10n ** 18n }, view)),
    },
    async play({ world }) {
      await world.submit({ key: 'A' });
      await flush();
      // The price runs to the ceiling, and the replacement with it.
      world.chain.setGasPrices({ l2GasFri: 24_500_000_000n });
      await world.round();
      await world.round();
      world.chain.setGasPrices({ l2GasFri: 8_000_000_000n });
    },
  });
});
