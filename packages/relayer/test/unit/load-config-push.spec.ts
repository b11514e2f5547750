import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { load, problemsOf } from './configuration.js';

const TWO = {
  STARKNET_RPC_URLS: 'own=https://a.example,https://b.example',
};
const pushOf = (env: Readonly<Record<string, string | undefined>>) =>
  load(env).node.push.map(({ name, url }) => [name, url.reveal()]);
const NO_NODE = [
  'STARKNET_WS_URL: must have at most one address for each node of STARKNET_RPC_URLS, by its name or its place',
];

describe('addresses of nodes that push', () => {
  it('no node pushes messages unless STARKNET_WS_URL is set', () => {
    expect(pushOf({ STARKNET_WS_URL: undefined })).toEqual([]);
  });

  it('a WebSocket URL is assigned to a node by position or name', () => {
    expect(pushOf({ STARKNET_WS_URL: 'wss://a.example/ws' })).toEqual([
      ['node-0', 'wss://a.example/ws'],
    ]);
    expect(pushOf({ ...TWO, STARKNET_WS_URL: 'wss://a.example/ws, wss://b.example/ws' })).toEqual([
      ['own', 'wss://a.example/ws'],
      ['node-1', 'wss://b.example/ws'],
    ]);
    expect(pushOf({ ...TWO, STARKNET_WS_URL: 'node-1=wss://b.example/ws' })).toEqual([
      ['node-1', 'wss://b.example/ws'],
    ]);
  });

  it('WebSocket URLs can come from a file, and are never printed', () => {
    const settings = load(
      { STARKNET_WS_URL: undefined, STARKNET_WS_URL_FILE: '/run/ws' },
      { '/run/ws': 'wss://a.example/access-key\n' },
    );
    expect(settings.node.push[0]?.url.reveal()).toBe('wss://a.example/access-key');
    expect(inspect(settings, { depth: 20, showHidden: true })).not.toContain('access-key');
  });

  it.each([
    ['more addresses than nodes', { STARKNET_WS_URL: 'wss://a.example,wss://b.example' }, NO_NODE],
    ['a name that no node has', { STARKNET_WS_URL: 'other=wss://a.example' }, NO_NODE],
    [
      'two addresses of one node',
      { ...TWO, STARKNET_WS_URL: 'wss://a.example,own=wss://b.example' },
      NO_NODE,
    ],
    [
      'an address without encryption in production',
      { STARKNET_WS_URL: 'ws://a.example' },
      ['STARKNET_WS_URL: must be wss URLs in production'],
    ],
    [
      'an address of another protocol',
      { STARKNET_WS_URL: 'https://a.example' },
      ['STARKNET_WS_URL[0].url: must be a ws or wss URL'],
    ],
  ])('rejects WebSocket URLs: %s', (_name, env, problems) => {
    expect(problemsOf(env)).toEqual(problems);
  });
});
