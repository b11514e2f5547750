import { createServer, type Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { learntGas } from '../../src/learnt-gas.js';

const POOLS = [{ address: 1n }, { address: 2n }];

const estimateOf = (l2Gas: number, source: string): object => ({
  feeSats: 1,
  withdrawGas: { l2Gas, source, receipts: 1 },
});

describe('S13 learntGas', () => {
  let server: Server;
  let url: string;
  let answers: Readonly<Record<string, object>>;

  beforeEach(async () => {
    server = createServer((request, response) => {
      const answer =
        answers[new URL(request.url ?? '', 'http://any').searchParams.get('pool') ?? ''];
      response.writeHead(answer === undefined ? 503 : 200).end(JSON.stringify(answer ?? {}));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('it listens on no port');
    url = `http://127.0.0.1:${address.port}`;
  });
  afterEach(() => new Promise((resolve) => server.close(resolve)));

  it('S13: learntGas returns the highest gas amount that a running service has measured in receipts of its pools', async () => {
    answers = {
      '0x1': estimateOf(59_000_000, 'receipts'),
      '0x2': estimateOf(61_000_000, 'receipts'),
    };
    expect(await learntGas(url, POOLS)).toBe(61_000_000);
  });

  it('S13: learntGas ignores gas amounts that the service read from its network profile', async () => {
    answers = {
      '0x1': estimateOf(35_000_000, 'profile'),
      '0x2': estimateOf(900_000_000, 'profile'),
    };
    expect(await learntGas(url, POOLS)).toBeNull();
    answers = { ...answers, '0x1': estimateOf(59_000_000, 'receipts') };
    expect(await learntGas(url, POOLS)).toBe(59_000_000);
  });

  it('S13: learntGas rejects if the service returns no gas estimate for a pool', async () => {
    answers = { '0x1': estimateOf(59_000_000, 'receipts') };
    await expect(learntGas(url, POOLS)).rejects.toThrow('503');
  });
});
