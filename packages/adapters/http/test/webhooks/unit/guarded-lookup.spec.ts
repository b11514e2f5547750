import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { AddressForbidden, guardedLookup } from '../../../src/webhooks/guarded-lookup.js';

const ALLOWED = '127.0.0.2';
const FORBIDDEN = '127.0.0.1';

describe('guardedLookup', () => {
  const server = createServer((socket) => socket.end(socket.localAddress ?? ''));
  afterEach(() => {
    server.close();
  });

  it('a webhook is sent to the checked IP address even if the host name later resolves to another address', async () => {
    server.listen(0, '0.0.0.0');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('there is no port');
    const answers = [ALLOWED, FORBIDDEN];
    const lookup = guardedLookup(
      async () => [{ address: answers.shift() ?? FORBIDDEN, family: 4 }],
      (each) => each === ALLOWED,
    );
    const open = (): Socket => connect({ host: 'shop.example', port: address.port, lookup });

    const first = open();
    expect(String((await once(first, 'data'))[0])).toBe(ALLOWED);
    first.destroy();
    await expect(once(open(), 'connect')).rejects.toBeInstanceOf(AddressForbidden);
  });

  it('a name server that does not respond is queried only once for any number of webhooks', async () => {
    let requested = 0;
    const answers: ((addresses: { address: string; family: number }[]) => void)[] = [];
    const lookup = guardedLookup(
      () => {
        requested += 1;
        return new Promise((resolve) => void answers.push(resolve));
      },
      () => true,
    );
    const poll = (): Promise<unknown> =>
      new Promise((resolve) => {
        lookup('shop.example', {}, (_error, address) => resolve(address));
      });
    const looks = [poll(), poll(), poll(), poll()];
    expect(requested).toBe(1);
    answers[0]?.([{ address: ALLOWED, family: 4 }]);
    expect(await Promise.all(looks)).toEqual([ALLOWED, ALLOWED, ALLOWED, ALLOWED]);
    void poll();
    expect(requested).toBe(2);
  });
});
