import { Chain } from '../../stack/chain.js';
import type { FaultOrder } from '@sotto/fault-proxy';
import { PlainServer } from '../plain-server.js';
import { FAIL_LOOKUPS } from '../service-orders.js';
import { folderOf, type World } from '../world.js';
import { anyOf, names, timesOut, type ChaosCase, type Heal } from './chaos-case.js';

const EMPTY = [
  'starknet_call',
  'starknet_getClassHashAt',
  'starknet_getNonce',
  'starknet_getClassAt',
  'starknet_getStorageAt',
];
const CONTRACT_NOT_FOUND = 20;
/** Chain id of mainnet, `SN_MAIN`. */
const MAINNET = '0x534e5f4d41494e';
const FEWEST_CONNECTIONS = 1;

const node =
  (fault: FaultOrder['fault'], methods?: readonly string[]) =>
  async (world: World): Promise<Heal> => {
    world.nodesDo(fault, methods);
    return async () => world.nodesPass();
  };

/** Alerts that may fire if a poll or an admission fails during the fault. */
const SOME_GET_THROUGH = {
  alerts: ['WithdrawalsImpossible', 'PoolBreakerOpen', 'NodeUnreachable', 'PriceSourceDown'],
  why: 'some requests succeed, and a pause of seconds exceeds the shortened `for`',
} as const;

/** Expected alert if the only node fails: every read that withdrawals need then fails. */
const ONLY_NODE = { alert: 'WithdrawalsImpossible', isUpstream: true } as const;

/** Cases in which the node or the prices fail. */
export const NODE_CASES: readonly ChaosCase[] = [
  {
    ...ONLY_NODE,
    name: 'black hole',
    what: 'the node accepts every request and answers none',
    inflict: node({ kind: 'accept-and-hang' }),
    shows: anyOf(names('NODE_UNREACHABLE'), timesOut('node')),
  },
  {
    ...ONLY_NODE,
    name: 'lagging node',
    what: 'the node’s newest block does not change',
    // The default of two minutes, which production uses, allows for the longest time between
    // blocks.
    env: { HEAD_MAX_AGE_MS: '5000' },
    inflict: async ({ stack: { chain } }) => {
      await chain.control('pause');
      return async () => {
        await chain.control('resume');
      };
    },
    shows: names('HEAD_TOO_OLD'),
  },
  {
    name: 'disagreeing nodes',
    what: 'the second of two nodes reports lower nonces for the same blocks',
    needs: ['second node'],
    inflict: async (world) => {
      world.nodesDo({ kind: 'old-nonce', behind: 3 }, ['starknet_getNonce'], [1]);
      return async () => world.nodesPass();
    },
    shows: names('NODES_DISAGREE'),
    alert: 'NodesDisagree',
    isUpstream: true,
  },
  {
    ...ONLY_NODE,
    name: 'empty chain',
    what: 'the node reports the right chain id, but has none of the contracts',
    inflict: node({ kind: 'refuse', code: CONTRACT_NOT_FOUND }, EMPTY),
    shows: names('CHAIN_WITHOUT_OUR_CONTRACTS'),
  },
  {
    ...ONLY_NODE,
    name: 'wrong chain',
    what: 'the node reports mainnet’s chain id',
    inflict: node({ kind: 'wrong-chain-id', chainId: MAINNET }),
    shows: names('WRONG_CHAIN'),
  },
  {
    name: 'another chain',
    what: 'a development chain is restarted from its genesis with the same chain id',
    inflict: async ({ stack, wire: between }) => {
      const other = await Chain.start(folderOf(stack, 'other-chain.log'));
      between.pointTo(other.urls.rpcUrl);
      return async () => {
        between.pointTo(stack.chain.urls.rpcUrl);
        await other.stop();
      };
    },
    shows: names('LEDGER_OF_ANOTHER_CHAIN'),
    alert: 'WithdrawalsImpossible',
  },
  {
    ...ONLY_NODE,
    name: 'HTML response',
    what: 'the node answers each request with an HTML page and status 200',
    inflict: node({ kind: 'html', status: 200 }),
    shows: names('NODE_UNREACHABLE', 'NODE_MALFORMED_ANSWER'),
  },
  {
    ...ONLY_NODE,
    name: 'requests limited',
    what: 'the node answers each request with status 429 and Retry-After: 2',
    inflict: node({ kind: 'rate-limited', retryAfterSeconds: 2 }),
    shows: names('NODE_UNREACHABLE', 'HTTP_429'),
  },
  {
    ...ONLY_NODE,
    name: 'reads of contracts fail',
    what: 'the node answers each starknet_call with status 500, and other requests normally',
    inflict: node({ kind: 'html', status: 500 }, ['starknet_call']),
    shows: names('NODE_UNREACHABLE', 'HTTP_500'),
  },
  {
    ...ONLY_NODE,
    name: 'sends fail',
    what: 'the node answers each transaction with status 503, and other requests normally',
    inflict: node({ kind: 'html', status: 503 }, ['starknet_addInvokeTransaction']),
    shows: names('LANES_RESTING', 'UPSTREAM_ANSWERED'),
  },
  {
    ...ONLY_NODE,
    name: 'responses cut',
    what: 'the connection breaks after the first half of each response of the node',
    inflict: node({ kind: 'cut-answer' }),
    shows: names('NODE_UNREACHABLE', 'ECONNRESET'),
  },
  {
    ...ONLY_NODE,
    name: 'name not found',
    what: 'the node’s name cannot be resolved (EAI_AGAIN), and open connections to the node break',
    needs: ['name'],
    inflict: async (world) => {
      world.watched.process.send(`${FAIL_LOOKUPS}1`);
      world.nodesDo({ kind: 'drop-before' });
      return async () => {
        world.nodesPass();
        world.watched.process.send(`${FAIL_LOOKUPS}0`);
      };
    },
    shows: names('NODE_UNREACHABLE', 'EAI_AGAIN'),
  },
  {
    ...ONLY_NODE,
    name: 'certificate expired',
    what: 'the node’s TLS certificate has expired',
    needs: ['openssl'],
    inflict: async ({ tls }) => {
      tls.expire();
      return async () => tls.renew();
    },
    shows: names('NODE_UNREACHABLE', 'CERT_HAS_EXPIRED'),
  },
  {
    name: 'connection limit',
    what: 'the node accepts one connection and breaks all others',
    needs: ['limited node'],
    inflict: async ({ front }) => {
      front.limitTo(FEWEST_CONNECTIONS);
      return async () => front.limitTo(Number.POSITIVE_INFINITY);
    },
    // Only one connection to the node is possible, and most requests share it. So only the node's
    // last error shows the fault.
    shows: ({ nodeErrors }) => nodeErrors.includes('ECONNRESET'),
    alert: null,
    others: SOME_GET_THROUGH,
    isUpstream: true,
  },
  {
    name: 'dead replica',
    what: 'the node is a balancer that sends every second request to a dead replica',
    inflict: async (world) => {
      world.addDeadReplica();
      return async () => world.removeDeadReplica();
    },
    shows: names('NODE_UNREACHABLE', 'HTTP_502'),
    alert: null,
    others: SOME_GET_THROUGH,
    isUpstream: true,
  },
  {
    ...ONLY_NODE,
    name: 'price source unavailable',
    what: 'the market-price interface rejects every connection',
    inflict: async ({ prices }) => {
      prices.set('reset');
      return async () => prices.set('pass');
    },
    shows: names('PRICES_UNAVAILABLE'),
  },
  {
    ...ONLY_NODE,
    name: 'HTML price response',
    what: 'the market-price interface answers with an HTML page and status 200',
    inflict: async ({ prices, stack }) => {
      const page = await PlainServer.start('text/html', '<html></html>');
      prices.pointTo(page.url);
      return async () => {
        prices.pointTo(stack.chain.urls.aggregatorUrl);
        await page.stop();
      };
    },
    shows: names('PRICES_UNAVAILABLE'),
  },
];
