import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  BRIDGE_CHAINS,
  STRK,
  type BridgeAsset,
  type BridgeProtocol,
  type TransferRequest,
} from '@sotto/bridge-core';
import { startSolver, type RunningSolver, type SolverFault } from '@sotto/sandbox';
import { HttpBridgeProtocol, OneClickBridgeProtocol } from '../../../src/bridge/index.js';

const SECRET_ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const RECIPIENT = '0x59abf82e0bc584a3b4e94fcc5aa4b5f7e9ea946b5fbe236cdecf491ad0b2c72';

const chain = BRIDGE_CHAINS.find(({ id }) => id === 'ethereum');
const token = chain?.tokens.find(({ symbol }) => symbol === 'ETH');
if (chain === undefined || token === undefined) throw new Error('not in the catalogue');
const ETH: BridgeAsset = { chain: chain.id, family: chain.family, ...token };

const terms = { from: ETH, to: STRK, amount: 10n ** 18n, refundTo: SECRET_ADDRESS };
const dry: TransferRequest = { ...terms, dryRun: true, recipient: null };
const real: TransferRequest = { ...terms, dryRun: false, recipient: RECIPIENT };

type Adapter = BridgeProtocol & { close(): void };
type Connect = (solver: RunningSolver, timeoutMs?: number) => Adapter;
const retry = { maxAttempts: 2, firstDelayMs: 1 };
const adapters: readonly (readonly [string, Connect])[] = [
  [
    'HttpBridgeProtocol',
    ({ bridgeUrl: url }, timeoutMs = 60_000) => new HttpBridgeProtocol({ url, timeoutMs, retry }),
  ],
  [
    'OneClickBridgeProtocol',
    ({ oneClickUrl: url }, timeoutMs = 60_000) =>
      new OneClickBridgeProtocol({ url, timeoutMs, retry }),
  ],
];

describe.each(adapters)('%s with a misbehaving upstream', (_, connect) => {
  let solver: RunningSolver;
  let adapter: Adapter;
  let transactionId: string;
  beforeEach(async () => {
    solver = await startSolver({ stepMs: 'manual' });
    adapter = connect(solver);
    const answer = await adapter.quote(real);
    if (answer.kind !== 'quoted' || answer.quote.deposit === null) throw new Error('not quoted');
    ({ transactionId } = answer.quote.deposit);
  });
  afterEach(async () => {
    adapter.close();
    await solver.stop();
  });

  const always = (fault: SolverFault): void =>
    solver.control.addFault({ endpoint: '*', fault, times: 100 });
  const calls: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['a dry run', () => adapter.quote(dry)],
    ['a real quote', () => adapter.quote(real)],
    ['a status', () => adapter.status(transactionId, null)],
  ];

  const faults: readonly (readonly [string, SolverFault, object])[] = [
    [
      '500',
      { kind: 'refuse', status: 500, message: SECRET_ADDRESS },
      { code: 'BRIDGE_UNAVAILABLE', details: { status: 500 } },
    ],
    [
      '401',
      { kind: 'refuse', status: 401, message: SECRET_ADDRESS },
      { code: 'BRIDGE_UNAUTHORIZED', kind: 'unavailable', details: { status: 401 } },
    ],
    ['a page', { kind: 'html' }, { code: 'BRIDGE_UNAVAILABLE', details: { status: 502 } }],
    [
      'a wait',
      { kind: 'rate-limited', retryAfterSeconds: 7 },
      { code: 'BRIDGE_UNAVAILABLE', retryAfterSeconds: 7 },
    ],
    ['nothing', { kind: 'cut' }, { code: 'BRIDGE_UNAVAILABLE' }],
    ['too late', { kind: 'late', delayMs: 20_000 }, { code: 'BRIDGE_TIMED_OUT', kind: 'timeout' }],
    [
      'an empty object',
      { kind: 'answer', body: {} },
      { code: 'BRIDGE_MALFORMED', kind: 'upstream_failed' },
    ],
    ['an empty list', { kind: 'answer', body: [] }, { code: 'BRIDGE_MALFORMED' }],
    ['null', { kind: 'answer', body: null }, { code: 'BRIDGE_MALFORMED' }],
    ['a text', { kind: 'answer', body: SECRET_ADDRESS }, { code: 'BRIDGE_MALFORMED' }],
    ['too much', { kind: 'answer', body: 'x'.repeat(3 * 2 ** 20) }, { code: 'BRIDGE_MALFORMED' }],
  ];

  /** Returns the number of requests that a call sends to an endpoint that is down. */
  const countRequests = async (
    call: () => Promise<unknown>,
    endpoint: 'quote' | 'status',
  ): Promise<number> => {
    const before = solver.control.requests().length;
    solver.control.clearFaults();
    solver.control.addFault({ endpoint, fault: { kind: 'html' }, times: 100 });
    await expect(call()).rejects.toMatchObject({ code: 'BRIDGE_UNAVAILABLE' });
    return solver.control
      .requests()
      .slice(before)
      .filter((request) => request.endpoint === endpoint).length;
  };

  it.each(faults)(
    'a bridge request fails with a domain error if the bridge protocol returns %s',
    async (__, fault, expected) => {
      if (fault.kind === 'late') {
        adapter.close();
        adapter = connect(solver, 300);
      }
      for (const [name, call] of calls) {
        solver.control.clearFaults();
        always(fault);
        const error: unknown = await call().catch((thrown: unknown) => thrown);
        expect({ name, error }).toMatchObject({ name, error: expected });
        const shown = JSON.stringify(error) + String(error);
        for (const secret of [SECRET_ADDRESS, RECIPIENT, transactionId, '127.0.0.1'])
          expect(shown).not.toContain(secret);
      }
    },
  );

  it('sends a request for a bridge quote only once unless the request is a dry run', async () => {
    expect(await countRequests(() => adapter.quote(real), 'quote')).toBe(1);
    expect(await countRequests(() => adapter.quote(dry), 'quote')).toBe(2);
    expect(await countRequests(() => adapter.status(transactionId, null), 'status')).toBe(2);
  });

  it('does not treat a 404 response to a wrong bridge URL as an unknown transfer', async () => {
    const lost = connect({
      ...solver,
      bridgeUrl: `${solver.bridgeUrl}/nowhere`,
      oneClickUrl: `${solver.oneClickUrl}/nowhere`,
    });
    await expect(lost.status(transactionId, null)).rejects.toMatchObject({
      code: 'BRIDGE_MALFORMED',
    });
    lost.close();
  });

  it('does not guess the reason of a bridge protocol’s rejection', async () => {
    solver.control.addFault({
      endpoint: 'quote',
      fault: { kind: 'refuse', status: 400, message: 'computer says no' },
    });
    await expect(adapter.quote(real)).rejects.toMatchObject({
      code: 'BRIDGE_MALFORMED',
      details: { status: 400, text: 'computer says no' },
    });
  });

  it('returns the minimum amount of a bridge transfer if the bridge protocol states it', async () => {
    const minimum = solver.control.minimumOf({
      ...ETH,
      usdE4: 30_000_000n,
      blockchain: 'eth',
      listedSymbol: 'ETH',
      assetId: '',
    });
    expect(await adapter.quote({ ...dry, amount: minimum - 1n })).toEqual({
      kind: 'amount_too_low',
      minimum,
      text: 'Amount is too low for bridge, try at least #',
    });
    expect(await adapter.quote({ ...dry, amount: minimum })).toMatchObject({ kind: 'quoted' });
  });

  it.each(['', 'PENDING', 'constructor', '__proto__', 'x'.repeat(200)])(
    'a bridge transfer with the unknown status %p is reported as in progress',
    async (word) => {
      solver.control.deposit(transactionId);
      solver.control.addFault({ endpoint: 'status', fault: { kind: 'word', word } });
      expect(await adapter.status(transactionId, null)).toMatchObject({
        completedSteps: 0,
        refunded: false,
      });
    },
  );
});
