import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { type Answer, eventually } from '@sotto/process-kit';
import { sandboxWorld } from '@sotto/sandbox';
import { depositBody, secondsFromNow, type DepositBody } from './support/deposits.js';
import { commitmentsOf, notesOf, withdrawalOf } from './support/notes.js';
import { Scrape } from './support/metrics.js';
import { found, spellings } from './support/private-words.js';
import { Stack } from './support/stack.js';

const { accounts, pools, tokens } = sandboxWorld;
const pool = pools.sentinel_1x;
const { depositor, recipient1, crowd1 } = accounts;
const wallet = notesOf(31n, 3);
const others = commitmentsOf(notesOf(32n, 3));

const codesOf = (answers: readonly Answer[]): readonly unknown[] =>
  answers.map(({ status, body }) => [status, Object(body).code]);

describe('relayed deposits', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.start({
      deposit: async () => {},
      env: { LOG_LEVEL: 'debug', METRICS_PORT: '0', DEPOSITS_PER_HOUR_PER_DEPOSITOR: '4' },
    });
    await stack.service.ready();
  });
  afterAll(() => stack.stop());

  const rejections: Answer[] = [];
  const deposit = async (
    body: DepositBody,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> => {
    const answer = await stack.service.post('/api/relayer/deposit', body, headers);
    if (answer.status >= 400) rejections.push(answer);
    return answer;
  };
  const approve = (deposits: bigint): Promise<void> =>
    stack.chain.approve(depositor, tokens.WBTC.address, pool.address, deposits * pool.denomination);

  it('S5 a relayed deposit needs the depositor’s signature, even if the depositor has approved the amount', async () => {
    await approve(100n);
    const [commitment = 0n, another = 0n] = others;
    const good = depositBody(pool, commitment, depositor);
    const forged = [
      { ...depositBody(pool, commitment, recipient1), depositor: good.depositor },
      { ...depositBody(pool, another, depositor), signature: good.signature },
      { ...good, expiresAt: good.expiresAt + 60 },
      { ...good, signature: ['0x1', '0x2'] },
    ];
    const answers = await Promise.all(forged.map((body) => deposit(body)));
    expect(codesOf(answers)).toEqual(forged.map(() => [422, 'DEPOSIT_SIGNATURE_INVALID']));
    const refused = await Promise.all([
      deposit(depositBody(pool, commitment, depositor, { expiresAt: secondsFromNow(-1) })),
      deposit(depositBody(pool, commitment, depositor, { expiresAt: secondsFromNow(3_700) })),
      deposit(depositBody(pool, commitment, { ...depositor, address: 0xdeadn })),
      deposit(depositBody(pool, commitment, accounts.recipient2)),
    ]);
    expect(codesOf(refused)).toEqual([
      [422, 'DEPOSIT_EXPIRED'],
      [422, 'DEPOSIT_EXPIRY_TOO_FAR'],
      [422, 'DEPOSITOR_NOT_DEPLOYED'],
      [422, 'DEPOSIT_BALANCE_TOO_LOW'],
    ]);
    expect(stack.chain.inclusions()).toEqual([]);
  });

  it('S5: a note is deposited and withdrawn through relayed steps without a transaction of its recipient', async () => {
    const { service, chain } = stack;
    const [first, second, third] = commitmentsOf(wallet).map((commitment) =>
      depositBody(pool, commitment, depositor),
    );
    if (first === undefined || second === undefined || third === undefined)
      throw new Error('there are no notes');
    const before = await chain.wbtcOf(depositor.address);
    const answer = await deposit(first);
    expect(answer).toMatchObject({
      status: 200,
      body: { execution_status: 'SUCCEEDED', leafIndex: 0, batch: null },
    });
    const location = answer.headers.get('location');

    // A repeated request belongs to the existing deposit of its note, even if the signature
    // differs. If the depositor differs, the request is rejected.
    const again = await deposit({ ...first, signature: ['0x1'] });
    expect([again.status, again.headers.get('location'), again.body]).toEqual([
      200,
      location,
      answer.body,
    ]);
    const ofAnother = depositBody(pool, wallet[0]?.commitment ?? 0n, crowd1);
    expect((await deposit(ofAnother)).status).toBe(409);

    const accepted = await deposit(second, { prefer: 'respond-async' });
    expect(accepted).toMatchObject({ status: 202, body: { execution_status: 'UNKNOWN' } });
    await eventually('the second deposit to land', async () => {
      const { body } = await service.get(accepted.headers.get('location') ?? '');
      return Object(body).leafIndex === 1;
    });
    const batch = { id: 0, start: 0, size: 3 };
    expect(await deposit(third)).toMatchObject({
      status: 200,
      body: { execution_status: 'SUCCEEDED', leafIndex: 2, batch },
    });
    await eventually(
      'the first deposit to be settled',
      async () => Object((await service.get(location ?? '')).body).state === 'succeeded',
    );
    expect(await service.get(location ?? '')).toMatchObject({
      body: { leafIndex: 0, batch: null },
    });
    expect(codesOf([await deposit(ofAnother)])).toEqual([[409, 'DEPOSIT_EXISTS']]);
    expect(before - (await chain.wbtcOf(depositor.address))).toBe(3n * pool.denomination);

    const calldata = await withdrawalOf({
      notes: wallet,
      index: 1,
      fee: 400n,
      recipient: recipient1.address,
    });
    const paid = await service.withdraw({ poolAddress: toFelt(pool.address), calldata });
    expect(paid).toMatchObject({ status: 200, body: { execution_status: 'SUCCEEDED' } });
    expect(await chain.wbtcOf(recipient1.address)).toBe(pool.denomination - 400n);
    const senders = chain.control.paidInclusions().map(({ sender }) => sender);
    expect(senders).not.toContain(recipient1.address);
    expect(chain.inclusions()).toHaveLength(4);
  });

  it('limits the deposits that one depositor may begin within an hour', async () => {
    const [commitment = 0n, another = 0n] = others;
    expect(await deposit(depositBody(pool, commitment, depositor))).toMatchObject({
      status: 200,
      body: { leafIndex: 3 },
    });
    const rationed = await deposit(depositBody(pool, another, depositor));
    expect(rationed).toMatchObject({
      status: 429,
      body: { code: 'DEPOSITS_RATIONED', details: { scope: 'depositor' } },
    });
    expect(Number(rationed.headers.get('retry-after'))).toBeGreaterThan(3_500);
  });

  it('the service’s logs, metrics, errors and status reveal no depositor and no note', async () => {
    const commitments = [...commitmentsOf(wallet), ...others];
    const markers = [depositor.address, recipient1.address, crowd1.address, ...commitments].flatMap(
      spellings,
    );
    const { service } = stack;
    const pages = await Promise.all(
      ['/status', '/health/ready', '/api/relayer/pools'].map((path) => service.get(path)),
    );
    expect(rejections.length).toBeGreaterThan(10);
    const texts = [
      service.output,
      (await Scrape.of(service)).text,
      ...[...rejections, ...pages].map(({ text }) => text),
    ];
    expect(texts.map((text) => found(text, markers))).toEqual(texts.map(() => []));
    expect(service.output).toContain('/api/relayer/deposit');
  });
});
