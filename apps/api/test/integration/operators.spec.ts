import { describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { PoolNotSupported } from '@sotto/relayer-core';
import { LedgerUnavailable } from '@sotto/submission-core';
import { aSubmission } from '@sotto/submission-core/testing';
import request, { type Response } from 'supertest';
import { EventReader } from './event-reader.js';
import { CHAIN_ID, POOL } from './operators-fixture.js';
import { OPERATOR_TOKEN, testApp, type TestApp } from './test-app.js';

const as = { Authorization: `Bearer ${OPERATOR_TOKEN}` };
const URL = '/api/operator/submissions';
const NULLIFIER = 0xabcdef12345678n;
const RECIPIENT = toFelt('0x7ec191e27');
const FORMULA = '=HYPERLINK("https://example.org")';

const get = ({ app }: TestApp, path: string): PromiseLike<Response> =>
  request(app).get(path).set(as);
const post = ({ app }: TestApp, path: string, body: object): PromiseLike<Response> =>
  request(app).post(path).set(as).send(body);
const idsOf = ({ body }: Response): readonly string[] =>
  body.submissions.map(({ id }: { readonly id: string }) => id);

/**
 * Creates a ledger with a withdrawal that succeeded, a deposit that reverted, and a withdrawal that
 * waits.
 */
async function aLedger() {
  const test = await testApp();
  const { driver } = test.useCases.operators;
  const { clock } = test.useCases;
  await driver.lease();
  const note = {
    key: `${CHAIN_ID}|${POOL}|0x${NULLIFIER.toString(16)}`,
    kind: 'withdraw',
    subject: POOL,
    memo: `0x${NULLIFIER.toString(16)}`,
    calldata: aSubmission('a').calldata,
    target: { to: RECIPIENT, entrypoint: 'withdraw' },
    terms: {
      feeAmount: 166n,
      feeToken: toFelt('0x3fe2b'),
      costFri: 1n,
      strkUsdE8: 10_000_000n,
      feeTokenUsdE8: 10_000_000_000_000n,
    },
  };
  const paid = await driver.broadcast('a', 0n, note);
  clock.advance(1_000);
  const lost = await driver.broadcast('b', 1n, { kind: 'deposit', subject: toFelt('0x5') });
  clock.advance(1_000);
  await driver.accepted('c', { subject: POOL });
  await driver.succeed(paid);
  const consumer = { hash: lost.transaction.hash, execution: 'REVERTED', feeFri: 7n } as const;
  const block = { number: 9, hash: toFelt('0x9') };
  await driver.settle(1n, { ...consumer, revertReason: FORMULA, block });
  return { test, driver, clock, hash: paid.transaction.hash };
}

describe('the operator’s list of submissions', () => {
  it('lists submissions in pages, newest first, with earned and paid amounts', async () => {
    const { test, hash } = await aLedger();
    const first = await get(test, `${URL}?limit=2`);
    expect([first.status, idsOf(first)]).toEqual([200, ['id-of-c', 'id-of-b']]);
    const second = await get(test, `${URL}?limit=2&after=${first.body.next}`);
    expect(second.body.next).toBeNull();
    expect(second.body.submissions).toEqual([
      {
        id: 'id-of-a',
        attempt: 1,
        kind: 'withdraw',
        pool: 'sentinel_1x',
        state: 'succeeded',
        lane: '0x1a2e',
        nonce: '0',
        transactionHashes: [hash],
        acceptedAt: 1_800_000_000,
        endedAt: 1_800_000_002,
        gasPaidFri: String(2n ** 70n),
        // 166 sats at 100,000 USD per BTC, in STRK at 0.10 USD.
        feeEarned: { amount: '166', token: '0x3fe2b', fri: '1660000000000000000' },
        code: null,
        revertReason: null,
        answer: { execution: 'SUCCEEDED', finality: 'ACCEPTED_ON_L2', transactionHash: hash },
        reorged: false,
      },
    ]);
  });

  it('filters the operator’s list of submissions by each field, and rejects an unknown pool and an unknown cursor', async () => {
    const { test } = await aLedger();
    expect(idsOf(await get(test, `${URL}?state=accepted`))).toEqual(['id-of-c']);
    expect(idsOf(await get(test, `${URL}?kind=deposit`))).toEqual(['id-of-b']);
    expect(idsOf(await get(test, `${URL}?pool=sentinel_1x`))).toEqual(['id-of-c', 'id-of-a']);
    expect(idsOf(await get(test, `${URL}?pool=${POOL}&state=succeeded`))).toEqual(['id-of-a']);
    expect(idsOf(await get(test, `${URL}?lane=0X1A2E`))).toEqual(['id-of-b', 'id-of-a']);
    expect(idsOf(await get(test, `${URL}?since=1800000001&until=1800000002`))).toEqual(['id-of-b']);
    const other = await get(test, `${URL}?pool=none`);
    expect([other.status, other.body.code]).toEqual([404, 'POOL_NOT_SUPPORTED']);
    for (const query of ['after=x', 'limit=0', 'limit=201', 'state=lost', 'kind=A', 'other=1'])
      expect((await get(test, `${URL}?${query}`)).status).toBe(400);
  });

  it('finds submissions by id, transaction hash and nullifier hash, in hex and as a decimal', async () => {
    const { test, hash } = await aLedger();
    for (const text of ['id-of-a', hash, `0x${NULLIFIER.toString(16)}`, String(NULLIFIER)]) {
      const found = await post(test, `${URL}/search`, { text });
      expect([found.status, idsOf(found)]).toEqual([200, ['id-of-a']]);
    }
    for (const text of ['unknown', '0x1', String(2n ** 255n)])
      expect(idsOf(await post(test, `${URL}/search`, { text }))).toEqual([]);
  });

  it('returns one submission with its transactions and times', async () => {
    const { test, hash } = await aLedger();
    const { body } = await get(test, `${URL}/id-of-a`);
    expect(body).toMatchObject({
      submission: { id: 'id-of-a' },
      block: { number: 100 },
      transactions: [{ hash, kind: 'call', nonce: '0', priceStep: 0, sends: 1, gone: null }],
      cancellable: false,
      timeline: [
        { at: 1_800_000_000, what: 'accepted' },
        { at: 1_800_000_000, what: 'sent', transactionHash: hash, note: '0' },
        { at: 1_800_000_002, what: 'ended', note: 'succeeded' },
      ],
    });
    expect((await get(test, `${URL}/id-of-c`)).body.cancellable).toBe(true);
    const none = await get(test, `${URL}/unknown`);
    expect([none.status, none.body.code]).toEqual([404, 'SUBMISSION_NOT_FOUND']);
  });

  it('escapes spreadsheet formulas in the CSV export of submissions, and logs the export', async () => {
    const { test } = await aLedger();
    const { status, headers, text } = await get(test, `${URL}.csv?kind=deposit`);
    expect([status, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(headers['content-disposition']).toBe('attachment; filename="submissions.csv"');
    const [columns, row, ...others] = text.split('\r\n');
    expect(columns).toMatch(/^id,attempt,kind,pool,state,/);
    expect(row).toContain(`"'=HYPERLINK(""https://example.org"")"`);
    expect(others).toEqual(['']);
    expect(await test.useCases.operators.log.page(null, 10)).toMatchObject([
      {
        holder: 'operator',
        action: 'submissions.export',
        subject: 'kind=deposit',
        outcome: 'DONE',
      },
    ]);
  });
});

describe('the operator’s control of one submission', () => {
  it('an unsigned submission’s caller gets CANCELLED_BY_OPERATOR after an operator has cancelled the submission', async () => {
    const { test } = await aLedger();
    expect((await post(test, `${URL}/id-of-c/cancel`, {})).status).toBe(400);
    const { status, body } = await post(test, `${URL}/id-of-c/cancel`, { reason: 'asked for' });
    expect([status, body.state, body.code]).toEqual([200, 'refused', 'CANCELLED_BY_OPERATOR']);
    const again = await post(test, `${URL}/id-of-c/cancel`, { reason: 'asked for' });
    expect([again.status, again.body.code, again.body.details]).toEqual([
      409,
      'SUBMISSION_ENDED',
      { state: 'refused' },
    ]);
  });

  it('does not cancel a signed submission', async () => {
    const { test, driver } = await aLedger();
    await driver.broadcast('d', 2n);
    const { status, body } = await post(test, `${URL}/id-of-d/cancel`, { reason: 'asked for' });
    expect([status, body.code]).toEqual([409, 'SUBMISSION_SIGNED']);
    expect(await driver.ledger.attemptById('id-of-d')).toMatchObject({ state: 'broadcast' });
  });

  it('an operator can retry a submission only before the submission has ended', async () => {
    const { test } = await aLedger();
    expect((await post(test, `${URL}/id-of-c/retry`, { reason: 'slow' })).status).toBe(200);
    const ended = await post(test, `${URL}/id-of-a/retry`, { reason: 'slow' });
    expect([ended.status, ended.body.code]).toEqual([409, 'SUBMISSION_ENDED']);
    expect(test.useCases.operators.retried).toEqual(['id-of-c']);
  });
});

describe('the log of operators', () => {
  it('lists every operator action with the operator’s name, the reason and the outcome, newest first', async () => {
    const { test } = await aLedger();
    await post(test, '/api/operator/pools/sentinel_1x/pause', { reason: 'upgrade' });
    test.useCases.control = async () => {
      throw new PoolNotSupported();
    };
    await post(test, '/api/operator/pools/none/resume', { reason: 'done' });
    await post(test, '/api/operator/lanes/0x7A1E5F/pause', { reason: 'keys' });
    await post(test, '/api/operator/lanes/0x7a1e5f/resume', {});
    await post(test, '/api/operator/tasks/curator/pause', { reason: 'vaults', subject: 'trident' });
    await post(test, '/api/operator/tasks/curator/resume', { reason: 'done' });
    await post(test, '/api/operator/leverage/turbo', { target: 3, reason: 'plan' });
    await post(test, `${URL}/id-of-c/retry`, { reason: 'slow' });
    await post(test, `${URL}/id-of-a/cancel`, { reason: 'late' });
    const first = await get(test, '/api/operator/audit-log?limit=4');
    const second = await get(test, `/api/operator/audit-log?after=${first.body.next}`);
    const shown = [...first.body.entries, ...second.body.entries];
    expect(second.body.next).toBeNull();
    expect(
      shown.map(({ action, subject, reason, outcome }) => [action, subject, reason, outcome]),
    ).toEqual([
      ['submission.cancel', 'id-of-a', 'late', 'SUBMISSION_ENDED'],
      ['submission.retry', 'id-of-c', 'slow', 'DONE'],
      ['leverage.set', 'turbo 3', 'plan', 'DONE'],
      ['task.resume', 'curator', 'done', 'DONE'],
      ['task.pause', 'curator trident', 'vaults', 'DONE'],
      ['lane.resume', '0x7a1e5f', null, 'DONE'],
      ['lane.pause', '0x7a1e5f', 'keys', 'DONE'],
      ['pool.resume', 'none', 'done', 'POOL_NOT_SUPPORTED'],
      ['pool.pause', 'sentinel_1x', 'upgrade', 'DONE'],
    ]);
    expect(shown.every(({ holder }) => holder === 'operator')).toBe(true);
    expect(JSON.stringify(shown)).not.toContain(OPERATOR_TOKEN);
  });

  it('rejects an operator action if the operators’ log can’t store the action', async () => {
    const { test } = await aLedger();
    test.useCases.operators.log.begin = async () => {
      throw new LedgerUnavailable();
    };
    await post(test, '/api/operator/pools/sentinel_1x/pause', { reason: 'upgrade' });
    await post(test, `${URL}/id-of-c/cancel`, { reason: 'asked for' });
    expect(test.useCases.controls).toEqual([]);
    expect((await get(test, `${URL}/id-of-c`)).body.submission.state).toBe('accepted');
  });
});

describe('the operator’s stream of events', () => {
  it('the operators’ event stream begins with a resync event and ends when the service stops', async () => {
    const { test, driver, clock } = await aLedger();
    const reader = await EventReader.open(test.app, as);
    expect(reader.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });
    expect((await reader.next('resync')).data).toEqual({});
    expect((await reader.next('lane')).data).toMatchObject({ address: '0x7a1e5f' });
    await driver.accepted('d');
    test.useCases.operators.changes.changed('id-of-d');
    expect((await reader.next('submission')).data).toMatchObject({
      id: 'id-of-d',
      state: 'accepted',
    });
    // The test sends no notification of the change, but the service compares the rows periodically
    // and finds the change.
    await driver.endWaiting({ key: 'chain|pool|d', attempt: 1 });
    clock.advance(1_000);
    expect((await reader.next('submission')).data).toMatchObject({
      id: 'id-of-d',
      state: 'expired',
    });
    test.stopping.abort();
    await reader.ended;
    expect(test.useCases.operators.followOperations.open).toBe(0);
    await reader.close();
  });

  it.each(['1', '999999', 'id-of-a', '-1', '9'.repeat(500)])(
    'the operators’ event stream begins with a resync event and number 1 for any Last-Event-ID: %s',
    async (id) => {
      const { test } = await aLedger();
      const reader = await EventReader.open(test.app, { ...as, 'Last-Event-ID': id });
      expect(await reader.next('resync')).toMatchObject({ id: '1', data: {} });
      test.useCases.operators.changes.changed('id-of-a');
      expect((await reader.next('submission')).data).toMatchObject({ id: 'id-of-a' });
      await reader.close();
    },
  );

  it('rejects an operators’ event stream over the maximum number of streams', async () => {
    const { test } = await aLedger();
    const readers = [await EventReader.open(test.app, as), await EventReader.open(test.app, as)];
    const { status, body, headers } = await get(test, '/api/operator/events');
    expect([status, body.code, headers['retry-after']]).toEqual([429, 'TOO_MANY_STREAMS', '15']);
    test.stopping.abort();
    for (const reader of readers) await reader.close();
  });
});

it('operators’ routes reveal neither the terms of a submission nor the owner of its note', async () => {
  const { test, hash } = await aLedger();
  const reader = await EventReader.open(test.app, as);
  await reader.next('resync');
  test.useCases.operators.changes.changed('id-of-a');
  const event = await reader.next('submission');
  const answers = [
    await get(test, URL),
    await get(test, `${URL}.csv`),
    await get(test, `${URL}/id-of-a`),
    await post(test, `${URL}/search`, { text: String(NULLIFIER) }),
    await post(test, `${URL}/id-of-c/cancel`, { reason: 'asked for' }),
    await get(test, '/api/operator/audit-log'),
    await get(test, '/api/operator/series'),
  ];
  const shown = [JSON.stringify(event.data), ...answers.map(({ text }) => text)].join('\n');
  expect(shown).toContain(hash);
  const calldata = aSubmission('a').calldata;
  const forbidden = [
    NULLIFIER.toString(16),
    String(NULLIFIER),
    RECIPIENT,
    ...calldata.toHex().filter((felt) => felt.length > 8),
  ];
  for (const word of forbidden) {
    expect(shown.includes(word)).toBe(false);
    expect(test.logged.join('').includes(word)).toBe(false);
  }
  await reader.close();
});
