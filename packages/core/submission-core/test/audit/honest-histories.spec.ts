import { describe, expect, it } from '@jest/globals';
import { toFelt, type Felt } from '@sotto/kernel';
import { array, assert, asyncProperty, constantFrom, nat, record } from 'fast-check';
import type { Evidence } from '../../src/audit/evidence.js';
import { findingsOf, nameOf, type Finding, type FindingCode } from '../../src/audit/findings.js';
import type { Attempt, NonceRow, TransactionRow } from '../../src/domain/rows.js';
import { aSubmission } from '../../src/testing/ledger-driver.js';
import { AuditedWorld, LANES } from './audited-world.js';

const STEPS = [
  'pay',
  'revert',
  'again',
  'refused',
  'replaced',
  'lost',
  'undone',
  'foreign',
  'imported',
  'expired',
] as const;
type Step = (typeof STEPS)[number];

const history = array(record({ step: constantFrom(...STEPS), lane: constantFrom(...LANES) }), {
  minLength: 1,
  maxLength: 12,
});

/** Executes the steps with the real machine. Returns lane and nonce of each foreign transaction. */
async function play(
  world: AuditedWorld,
  steps: readonly { readonly step: Step; readonly lane: Felt }[],
): Promise<readonly string[]> {
  const foreign: string[] = [];
  for (const [index, { step, lane }] of steps.entries()) {
    const nonce = await world.nextNonce(lane);
    await playStep(world, step, { name: `s${index}`, lane, nonce });
    if (step === 'foreign' || step === 'imported') foreign.push(`${lane}|${nonce}`);
  }
  return foreign;
}

async function playStep(
  world: AuditedWorld,
  step: Step,
  { name, lane, nonce }: { name: string; lane: Felt; nonce: bigint },
): Promise<void> {
  const driver = world.on(lane);
  switch (step) {
    case 'pay':
      await world.pay(name, { lane });
      return;
    case 'revert':
      await world.pay(name, { lane, execution: 'REVERTED' });
      return;
    case 'again': {
      await world.pay(name, { lane, execution: 'REVERTED' });
      const { attempt } = await driver.request(name, { id: `${name} again` });
      const again = await world.send(name, { lane, ...(attempt === null ? {} : { attempt }) });
      world.chain.include(again.transaction.hash);
      await world.settle(lane, again.nonce);
      return;
    }
    case 'refused': {
      const { transaction } = await world.send(name, { lane });
      world.chain.drop(transaction.hash);
      await driver.refuse(nonce, transaction.hash);
      // The nonce is free again and is used by another transaction.
      await world.pay(`${name} next`, { lane });
      return;
    }
    case 'replaced': {
      const { attempt } = await world.send(name, { lane });
      const dearer = await world.sign(lane, nonce, aSubmission(name), 2);
      await driver.store(attempt, nonce, dearer);
      await world.chain.send(dearer.bytes);
      world.chain.include(dearer.hash);
      await world.settle(lane, nonce);
      return;
    }
    case 'lost': {
      await world.send(name, { lane });
      const noop = await world.sign(lane, nonce, null, 2);
      await driver.store(null, nonce, noop);
      await world.chain.send(noop.bytes);
      world.chain.include(noop.hash);
      const { attempt } = await world.settle(lane, nonce);
      const again = await world.send(name, { lane, ...(attempt === null ? {} : { attempt }) });
      world.chain.include(again.transaction.hash);
      await world.settle(lane, again.nonce);
      return;
    }
    case 'undone': {
      const { transaction } = await world.pay(name, { lane });
      const { blockNumber } = await world.chain.head([]);
      world.chain.rollback(blockNumber - 1, 'waiting');
      await driver.reopen(nonce);
      world.chain.include(transaction.hash, { execution: 'REVERTED' });
      await world.settle(lane, nonce);
      return;
    }
    case 'foreign':
      await world.foreign(lane);
      return;
    case 'imported': {
      world.chain.includeForeign(lane, { calls: [] });
      const hash = world.chain.includeForeign(lane, { calls: [] });
      await driver.import(nonce, nonce + 1n);
      const adopted = await world.chain.transaction(hash, [lane]);
      if (adopted !== null) await driver.adopt(nonce + 1n, name, adopted.consumer);
      return;
    }
    case 'expired':
      await driver.endWaiting(await driver.accepted(name));
  }
}

/**
 * Changes the evidence so that it contains an error, and returns the finding that the audit should
 * report. Null if the evidence contains nothing that can be changed this way.
 */
type Mutation = (
  evidence: Evidence,
  pick: number,
) => { readonly evidence: Evidence; readonly code: FindingCode; readonly place: string } | null;

const at = ({
  lane,
  nonce,
}: {
  readonly lane: Felt | null;
  readonly nonce: bigint | null;
}): string => `${lane}|${nonce}`;
const chosen = <T>(some: readonly T[], pick: number): T | null =>
  some[pick % Math.max(1, some.length)] ?? null;
const ELSEWHERE = toFelt('0xe15e');

function attemptsOf({ ledger }: Evidence): readonly Attempt[] {
  return ledger.submissions.flatMap(({ attempts }) => attempts);
}

/** Returns the executed attempts whose transaction is in the ledger. */
function paidOf(evidence: Evidence): readonly Attempt[] {
  return attemptsOf(evidence).filter(
    ({ transactionHash }) => storedOf(evidence, transactionHash) !== undefined,
  );
}

function storedOf({ ledger }: Evidence, hash: Felt | null): TransactionRow | undefined {
  return ledger.transactions.find((row) => row.hash === hash);
}

function withAttempt(evidence: Evidence, attempt: Attempt, change: Partial<Attempt>): Evidence {
  const submissions = evidence.ledger.submissions.map((submission) => ({
    ...submission,
    attempts: submission.attempts.map((one) =>
      one.id === attempt.id ? { ...one, ...change } : one,
    ),
  }));
  return { ...evidence, ledger: { ...evidence.ledger, submissions } };
}

function withSettlement(
  evidence: Evidence,
  row: NonceRow,
  change: Partial<NonNullable<NonceRow['settlement']>>,
): Evidence {
  const rows = evidence.ledger.rows.map((one) =>
    one === row && one.settlement !== null
      ? { ...one, settlement: { ...one.settlement, ...change } }
      : one,
  );
  return { ...evidence, ledger: { ...evidence.ledger, rows } };
}

/** Returns the settled rows with a transaction hash. */
function settledOf({ ledger }: Evidence): readonly NonceRow[] {
  return ledger.rows.filter(({ settlement }) => settlement !== null && settlement.hash !== null);
}

function ofAttempt(code: FindingCode, change: (attempt: Attempt) => Partial<Attempt>): Mutation {
  return (evidence, pick) => {
    const attempt = chosen(paidOf(evidence), pick);
    return attempt === null
      ? null
      : { evidence: withAttempt(evidence, attempt, change(attempt)), code, place: at(attempt) };
  };
}

function ofRow(change: (row: NonceRow) => Partial<NonNullable<NonceRow['settlement']>>): Mutation {
  return (evidence, pick) => {
    const row = chosen(settledOf(evidence), pick);
    return row === null
      ? null
      : {
          evidence: withSettlement(evidence, row, change(row)),
          code: 'SETTLED_OTHERWISE',
          place: at(row),
        };
  };
}

const LIVE = { transactionHash: null, endedAtMs: null };
const ENDED = { lane: null, nonce: null, transactionHash: null, rejectionCode: 'NO' };

const MUTATIONS: Readonly<Record<string, Mutation>> = {
  'another state': ofAttempt('OUTCOME_DIFFERS', ({ state }) => ({
    state: state === 'succeeded' ? 'reverted' : 'succeeded',
  })),
  refused: ofAttempt('ENDED_BUT_INCLUDED', () => ({ ...ENDED, state: 'refused' })),
  expired: ofAttempt('ENDED_BUT_INCLUDED', () => ({ ...ENDED, state: 'expired' })),
  'still on the road': ofAttempt('OUTCOME_DIFFERS', () => ({ ...LIVE, state: 'broadcast' })),
  'another hash': (evidence, pick) => {
    const attempt = chosen(
      attemptsOf(evidence).filter(({ transactionHash }) => transactionHash !== null),
      pick,
    );
    if (attempt === null) return null;
    const sightings = new Map([
      ...evidence.chain.sightings,
      [ELSEWHERE, { kind: 'unknown' }] as const,
    ]);
    const changed = withAttempt(evidence, attempt, { transactionHash: ELSEWHERE });
    return {
      evidence: { ...changed, chain: { ...changed.chain, sightings } },
      code: 'TOLD_BUT_NOT_ON_CHAIN',
      place: at(attempt),
    };
  },
  'settled by another': ofRow(() => ({ hash: ELSEWHERE })),
  'settled with another execution': ofRow(({ settlement }) => ({
    execution: settlement?.execution === 'REVERTED' ? 'SUCCEEDED' : 'REVERTED',
  })),
  'settled in another block': ofRow(() => ({ block: { number: 1, hash: ELSEWHERE } })),
  'ours is called foreign': (evidence, pick) => {
    const row = chosen(
      settledOf(evidence).filter(({ settlement }) => settlement?.isForeign === false),
      pick,
    );
    return row === null
      ? null
      : {
          evidence: withSettlement(evidence, row, { isForeign: true }),
          code: 'SETTLED_OTHERWISE',
          place: at(row),
        };
  },
  'the transaction is not stored': (evidence, pick) => {
    const row = chosen(
      settledOf(evidence).filter(({ settlement }) => settlement?.isForeign === false),
      pick,
    );
    if (row === null) return null;
    const without = (rows: readonly TransactionRow[]): readonly TransactionRow[] =>
      rows.filter(({ hash }) => hash !== row.settlement?.hash);
    const submissions = evidence.ledger.submissions.map((one) => ({
      ...one,
      transactions: without(one.transactions),
    }));
    const ledger = {
      ...evidence.ledger,
      submissions,
      transactions: without(evidence.ledger.transactions),
    };
    return { evidence: { ...evidence, ledger }, code: 'NOT_IN_LEDGER', place: at(row) };
  },
  'one more transaction': (evidence, pick) => {
    const lane = chosen(LANES, pick);
    const [some] = evidence.chain.transactions;
    if (lane === null || some === undefined) return null;
    const nonce = 1_000n;
    const more = { ...some, sender: lane, nonce, consumer: { ...some.consumer, hash: ELSEWHERE } };
    const transactions = [...evidence.chain.transactions, more];
    return {
      evidence: { ...evidence, chain: { ...evidence.chain, transactions } },
      code: 'NOT_IN_LEDGER',
      place: `${lane}|${nonce}`,
    };
  },
  'one more payment': (evidence, pick) => {
    const attempt = chosen(
      paidOf(evidence).filter(({ state }) => state === 'succeeded'),
      pick,
    );
    const stored = attempt === null ? undefined : storedOf(evidence, attempt.transactionHash);
    const block = { number: 1_000_000, hash: ELSEWHERE };
    if (attempt === null || stored === undefined) return null;
    const second: TransactionRow = { ...stored, hash: ELSEWHERE, nonce: 2_000n };
    const submissions = evidence.ledger.submissions.map((one) =>
      one.key === attempt.key ? { ...one, transactions: [...one.transactions, second] } : one,
    );
    const seen = {
      kind: 'accepted',
      execution: 'SUCCEEDED',
      revertReason: null,
      feeFri: 1n,
      block,
    } as const;
    const sightings = new Map([...evidence.chain.sightings, [ELSEWHERE, seen] as const]);
    return {
      evidence: {
        ...evidence,
        ledger: { ...evidence.ledger, submissions },
        chain: { ...evidence.chain, sightings },
      },
      code: 'ATTEMPT_PAID_TWICE',
      place: `${stored.lane}|2000`,
    };
  },
  'another call': (evidence, pick) => {
    const carried = evidence.chain.transactions.filter(
      ({ consumer }) => storedOf(evidence, consumer.hash)?.kind === 'call',
    );
    const one = chosen(carried, pick);
    if (one === null) return null;
    const transactions = evidence.chain.transactions.map((other) =>
      other === one ? { ...other, carries: 'another key' } : other,
    );
    const place = `${one.sender}|${one.nonce}`;
    return {
      evidence: { ...evidence, chain: { ...evidence.chain, transactions } },
      code: 'CARRIES_ANOTHER_CALL',
      place,
    };
  },
  'the nonce is open': (evidence, pick) => {
    const row = chosen(
      settledOf(evidence).filter(({ settlement }) => settlement?.isForeign === false),
      pick,
    );
    if (row === null) return null;
    const rows = evidence.ledger.rows.map((one): NonceRow =>
      one === row ? { ...one, state: 'open', settlement: null } : one,
    );
    return {
      evidence: { ...evidence, ledger: { ...evidence.ledger, rows } },
      code: 'NOT_SETTLED',
      place: at(row),
    };
  },
};

describe('random histories', () => {
  it('the audit of a random correct history finds only the foreign transactions', async () => {
    await assert(
      asyncProperty(history, async (steps) => {
        const world = await AuditedWorld.start();
        const foreign = await play(world, steps);
        const findings = await world.findings();
        expect(findings.filter(({ code }) => code !== 'FOREIGN')).toEqual([]);
        expect(findings.map(at).toSorted()).toEqual(foreign.toSorted());
      }),
      { numRuns: 60 },
    );
  });

  it.each(Object.keys(MUTATIONS))(
    'the audit of a random history finds the only wrong change in it: %s',
    async (name) => {
      let applied = 0;
      await assert(
        asyncProperty(history, nat(100), async (steps, pick) => {
          const world = await AuditedWorld.start();
          await play(world, [{ step: 'pay', lane: LANES[0] }, ...steps]);
          const honest = await world.evidence();
          const mutated = MUTATIONS[name]?.(honest, pick) ?? null;
          if (mutated === null) return;
          applied += 1;
          const before = new Set(namesOf(honest).keys());
          const fresh = [...namesOf(mutated.evidence)]
            .filter(([finding]) => !before.has(finding))
            .map(([, finding]) => finding);
          expect(fresh.map(({ code, lane, nonce }) => [code, `${lane}|${nonce}`])).toEqual([
            [mutated.code, mutated.place],
          ]);
        }),
        { numRuns: 30 },
      );
      expect(applied).toBeGreaterThan(15);
    },
  );
});

function namesOf({ chain, ledger }: Evidence): ReadonlyMap<string, Finding> {
  return new Map(findingsOf(chain, ledger).map((finding) => [nameOf(finding), finding]));
}
