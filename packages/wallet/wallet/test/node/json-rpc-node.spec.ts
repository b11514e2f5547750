import { createServer, type Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { hash } from 'starknet';

import { jsonRpcNode, type ChainEvent } from '../../src/advanced.js';
import { selectorOf } from '../../src/node/selector.js';
import { codeOf } from '../support/code-of.js';

const POOL = '0xabc';
const DEPOSIT = hash.getSelectorFromName('Deposit');
const header = {
  status: 'ACCEPTED_ON_L2',
  block_number: 7,
  block_hash: '0x0B10C',
  parent_hash: '0xa',
  timestamp: 1_700_000_000,
  transactions: [],
};
const deposit = {
  from_address: '0x0ABC',
  block_hash: '0x1',
  block_number: 3,
  transaction_hash: '0x00Fe',
  keys: [DEPOSIT, '0x5', '0x0'],
  data: ['0x0', '0x1'],
};
const query = { contract: POOL, names: ['Deposit'], fromBlock: 2, toBlock: 5 };

type Request = { readonly id: number; readonly method: string; readonly params: object };

describe('jsonRpcNode', () => {
  let server: Server;
  let url: string;
  let requests: Request[];
  /** Response of the fake node. Strings are sent unchanged. */
  let answer: (request: Request) => unknown;
  let status: number;

  beforeEach(async () => {
    [requests, status] = [[], 200];
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const asked: Request = JSON.parse(Buffer.concat(chunks).toString());
        requests.push(asked);
        const body = answer(asked);
        if (body === undefined) return;
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(typeof body === 'string' ? body : JSON.stringify(body));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    url = `http://127.0.0.1:${address.port}`;
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const result = (value: unknown) => {
    answer = ({ id }) => ({ jsonrpc: '2.0', id, result: value });
  };
  const eventsOf = async (options: { readonly eventsPerPage?: number } = {}) => {
    const events: ChainEvent[] = [];
    for await (const page of jsonRpcNode({ url, ...options }).events(query)) events.push(...page);
    return events;
  };

  it('jsonRpcNode normalises the felts of a block', async () => {
    result(header);
    expect(await jsonRpcNode({ url }).block('latest')).toEqual({
      number: 7,
      hash: '0xb10c',
      parentHash: '0xa',
      timestamp: 1_700_000_000,
    });
  });

  it('jsonRpcNode queries all event names in one request', async () => {
    const pages = [
      { events: [deposit], continuation_token: 'next' },
      { events: [], continuation_token: 'after' },
      { events: [{ ...deposit, block_number: 5 }] },
    ];
    answer = ({ id }) => ({ jsonrpc: '2.0', id, result: pages[requests.length - 1] });
    expect(await eventsOf({ eventsPerPage: 9 })).toEqual([
      { name: 'Deposit', blockNumber: 3, transactionHash: '0xfe', keys: [5n, 0n], data: [0n, 1n] },
      { name: 'Deposit', blockNumber: 5, transactionHash: '0xfe', keys: [5n, 0n], data: [0n, 1n] },
    ]);
    const filter = {
      from_block: { block_number: 2 },
      to_block: { block_number: 5 },
      address: POOL,
      keys: [[DEPOSIT]],
      chunk_size: 9,
    };
    expect(requests.map(({ params }) => params)).toEqual([
      { filter },
      { filter: { ...filter, continuation_token: 'next' } },
      { filter: { ...filter, continuation_token: 'after' } },
    ]);
  });

  it.each<[string, object]>([
    ['of another contract', { from_address: '0xabd' }],
    ['with another name', { keys: [hash.getSelectorFromName('Withdrawal'), '0x5', '0x0'] }],
    ['without a name', { keys: [] }],
    ['of a block before the range', { block_number: 1 }],
    ['of a block after the range', { block_number: 6 }],
    ['of half a block', { block_number: 3.5 }],
    ['of a block that is not accepted', { block_hash: undefined }],
    ['with a felt outside the field', { data: [`0x${'f'.repeat(64)}`] }],
    ['with a felt in decimal', { data: ['12'] }],
    ['with a number for a felt', { data: [12] }],
    ['with very many felts', { data: Array.from({ length: 65 }, () => '0x1') }],
    ['without a transaction', { transaction_hash: undefined }],
  ])('jsonRpcNode rejects an event %s', async (_, change) => {
    result({ events: [{ ...deposit, ...change }] });
    expect(await codeOf(() => eventsOf())).toBe('NODE_MALFORMED_ANSWER');
  });

  it.each<[string, unknown]>([
    ['more events than requested', { events: [deposit, deposit, deposit] }],
    ['newer events first', { events: [{ ...deposit, block_number: 4 }, deposit] }],
    ['no list', { events: {} }],
    ['nothing', null],
    ['a number as token', { events: [], continuation_token: 5 }],
    ['a very long token', { events: [], continuation_token: 'x'.repeat(5_000) }],
  ])('jsonRpcNode rejects a page of events with %s', async (_, page) => {
    result(page);
    expect(await codeOf(() => eventsOf({ eventsPerPage: 2 }))).toBe('NODE_MALFORMED_ANSWER');
  });

  it('jsonRpcNode stops reading pages if a continuation token repeats', async () => {
    result({ events: [], continuation_token: 'next' });
    expect(await codeOf(() => eventsOf())).toBe('NODE_MALFORMED_ANSWER');
    expect(requests).toHaveLength(2);
  });

  it.each<[string, object]>([
    ['that is not accepted', { status: 'PRE_CONFIRMED' }],
    ['without a time', { timestamp: undefined }],
    ['of a negative time', { timestamp: -1 }],
    ['without a hash', { block_hash: undefined }],
    ['with a negative number', { block_number: -1 }],
    ['with another number', { block_number: 8 }],
    ['with a number above the limit', { block_number: 1e300 }],
  ])('jsonRpcNode rejects a block %s', async (_, change) => {
    result({ ...header, ...change });
    expect(await codeOf(() => jsonRpcNode({ url }).block(7))).toBe('NODE_MALFORMED_ANSWER');
  });

  it.each<[string, (request: Request) => unknown]>([
    ['no JSON', () => '<html>'],
    ['another id', ({ id }) => ({ jsonrpc: '2.0', id: id + 1, result: '0x1' })],
    ['a list', ({ id }) => [{ jsonrpc: '2.0', id, result: '0x1' }]],
    ['neither result nor error', ({ id }) => ({ jsonrpc: '2.0', id })],
    ['an error without a code', ({ id }) => ({ jsonrpc: '2.0', id, error: { message: 'no' } })],
    ['more bytes than allowed', ({ id }) => ({ jsonrpc: '2.0', id, result: 'x'.repeat(2_000) })],
  ])('jsonRpcNode rejects a response with %s', async (_, sends) => {
    answer = sends;
    const node = jsonRpcNode({ url, maxResponseBytes: 1_000 });
    expect(await codeOf(() => node.chainId())).toBe('NODE_MALFORMED_ANSWER');
  });

  it('jsonRpcNode rejects a view result with too many felts', async () => {
    result(Array.from({ length: 65 }, () => '0x1'));
    const node = jsonRpcNode({ url });
    expect(await codeOf(() => node.call({ contract: POOL, entrypoint: 'get_last_root' }))).toBe(
      'NODE_MALFORMED_ANSWER',
    );
  });

  it('an error of jsonRpcNode does not contain the text of the node’s error', async () => {
    answer = ({ id }) => ({ jsonrpc: '2.0', id, error: { code: 40, message: 'felt 0xdecaf' } });
    await expect(jsonRpcNode({ url }).chainId()).rejects.toMatchObject({
      code: 'NODE_REFUSED',
      message: 'the node answers starknet_chainId with error 40',
    });
  });

  it.each([429, 500, 503])(
    'jsonRpcNode treats HTTP status %d as an unreachable node',
    async (failed) => {
      [status, answer] = [failed, () => 'too many'];
      expect(await codeOf(() => jsonRpcNode({ url }).chainId())).toBe('NODE_UNREACHABLE');
    },
  );

  it('a request of jsonRpcNode fails after its timeout', async () => {
    answer = () => undefined;
    expect(await codeOf(() => jsonRpcNode({ url, timeoutMs: 50 }).chainId())).toBe(
      'NODE_UNREACHABLE',
    );
  });

  it('a request of jsonRpcNode rejects at once with the signal’s reason when the signal aborts', async () => {
    answer = () => undefined;
    const [controller, reason] = [new AbortController(), new Error('the page is closed')];
    const asked = jsonRpcNode({ url, timeoutMs: 60_000 }).chainId(controller.signal);
    setTimeout(() => controller.abort(reason), 20);
    await expect(asked).rejects.toBe(reason);
  });
});

describe('selectors', () => {
  it.each(['Deposit', 'BatchDeployed', 'SwapWithdraw', 'get_last_root'])(
    'selectorOf returns the same selector as starknet.js for %s',
    (name) => {
      expect(selectorOf(name)).toBe(BigInt(hash.getSelectorFromName(name)));
    },
  );
});
