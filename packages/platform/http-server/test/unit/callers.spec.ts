import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import express from 'express';
import { callerAt, namingCallers } from '../../src/callers.js';

/** Creates a request from this address. */
function requestFrom(
  remoteAddress: string | undefined,
  forwarded: string | undefined,
): IncomingMessage {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: remoteAddress });
  const request = new IncomingMessage(socket);
  if (forwarded !== undefined) request.headers['x-forwarded-for'] = forwarded;
  return request;
}

const clientKeys =
  (trustedProxies: number) =>
  (request: IncomingMessage): string =>
    namingCallers(trustedProxies)(request).name;
const keyOf = (address: string): string => clientKeys(0)(requestFrom(address, undefined));

/** Returns the client address that Express derives from the request. */
function expressSays(request: IncomingMessage, trustedProxies: number): unknown {
  const app = express();
  app.set('trust proxy', trustedProxies);
  return Reflect.get(Object.setPrototypeOf(request, app.request), 'ip');
}

const FORWARDED = [
  undefined,
  '',
  ' , ,',
  '203.0.113.1',
  '203.0.113.1, 203.0.113.2',
  '203.0.113.1,203.0.113.2 ,  203.0.113.3',
  ',203.0.113.1,,',
];

describe('the counted name of a caller', () => {
  it.each([0, 1, 2, 3, 10])(
    'a caller behind %d trusted proxies is counted under the address that Express derives',
    (trustedProxies) => {
      for (const forwarded of FORWARDED) {
        const found = clientKeys(trustedProxies)(requestFrom('192.0.2.7', forwarded));
        expect([forwarded, found]).toEqual([
          forwarded,
          expressSays(requestFrom('192.0.2.7', forwarded), trustedProxies),
        ]);
      }
    },
  );

  it('a caller with an IPv6 address is counted under its network', () => {
    expect(keyOf('2001:db8:1:1::1')).toBe(keyOf('2001:db8:1:1:ffff::2'));
    expect(keyOf('2001:db8:1:1::1')).not.toBe(keyOf('2001:db8:1:2::1'));
    expect(keyOf('::ffff:192.0.2.7')).toBe('192.0.2.7');
  });

  it.each([
    ['203.0.113.1:51234', '203.0.113.1'],
    ['[2001:db8:1:1::1]:51234', '2001:db8:1:1::/64'],
    ['[2001:db8:1:1::1]', '2001:db8:1:1::/64'],
    ['::ffff:203.0.113.1', '203.0.113.1'],
    ['[::ffff:203.0.113.1]:9', '203.0.113.1'],
    ['::ffff:cb00:7101', '203.0.113.1'],
    ['fe80::1%eth0', 'fe80::/64'],
  ])(
    'S15: a caller is counted under its address without port, brackets or zone if a proxy sends %s',
    (forwarded, key) => {
      expect(clientKeys(1)(requestFrom('192.0.2.7', forwarded))).toBe(key);
    },
  );

  it.each(['unknown', '_hidden', '203.0.113.1:1:2', '203.0.113', '[203.0.113.1', '300.1.1.1:80'])(
    'S15: all callers with an unreadable forwarded address are counted as one caller: %s',
    (forwarded) => {
      expect(clientKeys(1)(requestFrom('192.0.2.7', forwarded))).toBe('unreadable');
    },
  );

  it('a caller whose connection is already closed is counted too', () => {
    expect(clientKeys(0)(requestFrom(undefined, undefined))).toBe('gone');
    expect(clientKeys(1)(requestFrom(undefined, '203.0.113.1'))).toBe('203.0.113.1');
  });

  it('a caller behind a proxy is counted by the header of each request, not by the connection', () => {
    const named = namingCallers(1);
    const keyBehindProxy = (of: IncomingMessage): string => named(of).name;
    const request = requestFrom('192.0.2.7', '203.0.113.1');
    expect(keyBehindProxy(request)).toBe('203.0.113.1');
    request.headers['x-forwarded-for'] = '203.0.113.2';
    expect([keyBehindProxy(request), keyBehindProxy(request)]).toEqual([
      '203.0.113.2',
      '203.0.113.2',
    ]);
  });
});

describe('the networks of a counted name', () => {
  it.each([
    ['198.51.100.7', ['198.51.100.0/24']],
    ['2001:db8:1:2304::9', ['2001:db8:1:2300::/56', '2001:db8:1::/48']],
    ['no address', []],
  ])(
    'callerAt derives a caller’s networks from the address under which it is counted: %s gives %j',
    (key, networks) => {
      expect(callerAt(key).networks).toEqual(networks);
    },
  );
});
