import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  NodeClient,
  NodeMalformedAnswer,
  NodeSet,
  StarknetConsentCheck,
  UntrustedNode,
  selectorOf,
  shortStringFelt,
  type NodeCall,
} from '@sotto/adapter-starknet';
import { UpstreamTimedOut } from '@sotto/http-client';
import { Felts, silentLogger, systemClock, toFelt } from '@sotto/kernel';
import { z } from 'zod';
import { LoopbackNode, failure, type RpcRequest } from '../support/loopback-node.js';

const CHAIN_ID = shortStringFelt('SN_SEPOLIA');
const ACCOUNT = toFelt('0xacc');
const IS_VALID = selectorOf('is_valid_signature');
const NAMES = ['a', 'b'] as const;
/** Deadline of a call that never ends, in milliseconds. */
const SHORT_DEADLINE_MS = 300;
/** Deadline in milliseconds that no response exceeds, even on a busy machine. */
const LONG_DEADLINE_MS = 120_000;

const echo = (value: string): NodeCall<string> => ({
  method: 'echo',
  params: { value },
  result: z.string(),
});
const SIGNED = {
  consent: {
    chainId: CHAIN_ID,
    pool: toFelt('0x9001'),
    token: toFelt('0x70'),
    denomination: 20_000n,
    commitment: 1n,
    expiresAtMs: 1_792_000_000_000,
  },
  depositor: ACCOUNT,
  depositorClass: toFelt('0xc1a55'),
  signature: Felts.of([1n, 2n]),
  isKnownClass: false,
};

/** Resolves when the connection of a request is closed, with or without an error. */
const isClosed = async ({ socket }: IncomingMessage): Promise<void> =>
  new Promise((resolve) => {
    socket.once('close', () => resolve());
  });

/**
 * Client that sends an unrelated read in the same tick as each call, so that both share a request.
 */
class CrowdedNode extends NodeClient {
  override async call<T>(call: NodeCall<T>): Promise<T> {
    void super.call(echo('of another')).catch(() => undefined);
    return super.call(call);
  }
}

/** Function that responds to the calls of an untrusted account. */
type Account = (response: ServerResponse, id: number, request: IncomingMessage) => void;

/**
 * Makes the node respond to ordinary reads. The given account responds to the calls of its own
 * address.
 */
function isNodeWith(node: LoopbackNode, account: Account): void {
  const ordinary = node.respond;
  node.answer = ({ method, params }: RpcRequest) => {
    switch (method) {
      case 'echo':
        return { result: params['value'] };
      case 'starknet_chainId':
        return { result: CHAIN_ID };
      case 'starknet_blockHashAndNumber':
        return { result: { block_number: 7, block_hash: '0x77' } };
      default:
        return { error: { code: 24, message: 'Block not found' } };
    }
  };
  node.respond = (response, body, request) => {
    if (!body.includes(IS_VALID)) {
      ordinary(response, body, request);
      return;
    }
    const parsed: unknown = JSON.parse(body);
    const { id } = z.object({ id: z.int() }).parse(Array.isArray(parsed) ? parsed[0] : parsed);
    account(response, id, request);
  };
}

const answer = (response: ServerResponse, id: number, reply: object): void => {
  response.end(JSON.stringify({ jsonrpc: '2.0', id, ...reply }));
};
const loops: Account = () => undefined;
const isHuge: Account = (response, id) =>
  answer(response, id, { result: Array.from({ length: 100_000 }, () => '0x56414c4944') });
const reverts: Account = (response, id) =>
  answer(response, id, {
    error: { code: 40, message: 'Contract error', data: { revert_error: 'no' } },
  });
const revertsAtLength: Account = (response, id) =>
  answer(response, id, {
    error: { code: 40, message: 'Contract error', data: { revert_error: 'no'.repeat(50_000) } },
  });
const makesTheNodeFail: Account = (response, id) =>
  answer(response, id, { error: { code: -32_603, message: 'Internal error' } });
const breaksTheConnection: Account = (response) => void response.destroy();

const ACCOUNTS = [
  ['loops', loops, 'DEPOSIT_SIGNATURE_UNCHECKED'],
  ['answers at length', isHuge, false],
  ['reverts', reverts, false],
  ['reverts with a long reason', revertsAtLength, false],
  ['makes the node fail', makesTheNodeFail, 'NODE_UNAVAILABLE'],
  ['breaks the connection', breaksTheConnection, 'NODE_UNAVAILABLE'],
] as const;

describe.each([1, 2])('UntrustedNode over %i node(s)', (count) => {
  let nodes: readonly LoopbackNode[];
  let set: NodeSet;
  let endpoints: readonly {
    readonly name: string;
    readonly url: string;
    readonly client: NodeClient;
  }[];
  let untrusted: UntrustedNode;
  let consents: StarknetConsentCheck;

  const isCalledWithin = (deadlineMs: number): void => {
    untrusted = new UntrustedNode(endpoints, { inUse: () => set.nodeForSend(null), deadlineMs });
    consents = new StarknetConsentCheck(set, untrusted);
  };

  beforeEach(async () => {
    nodes = await Promise.all(Array.from({ length: count }, async () => LoopbackNode.start()));
    endpoints = nodes.map((node, index) => ({
      name: NAMES[index] ?? '',
      url: node.url,
      client: node.client({ readTimeoutMs: 10_000 }),
    }));
    set = new NodeSet(endpoints, {
      chainId: CHAIN_ID,
      accounts: [],
      clock: systemClock,
      logger: silentLogger,
    });
    isCalledWithin(LONG_DEADLINE_MS);
  });
  afterEach(async () => {
    untrusted.close();
    set.close();
    await Promise.all(nodes.map(async (node) => node.stop()));
  });

  const everyNodeHas = (account: Account): void => {
    for (const node of nodes) isNodeWith(node, account);
  };

  it.each(ACCOUNTS)(
    'T10 the results of other callers do not change if a called account %s',
    async (_what, account, outcome) => {
      everyNodeHas(account);
      if (account === loops) isCalledWithin(SHORT_DEADLINE_MS);
      await set.call(echo('before'));
      const before = set.status();
      const strangers = Array.from({ length: 6 }, async () =>
        consents.isGiven(SIGNED).catch((error: unknown) => Object(error).code),
      );
      const honest = ['c', 'd', 'e'].map(async (value) => set.call(echo(value)));
      // The honest reads of the same tick succeed, regardless of the untrusted calls.
      expect(await Promise.all(honest)).toEqual(['c', 'd', 'e']);
      expect(await Promise.all(strangers)).toEqual(strangers.map(() => outcome));
      expect(await set.call(echo('after'))).toBe('after');
      const shown = set.status().map(({ name, up, isInUse, lastErrorCode }) => ({
        name,
        up,
        isInUse,
        lastErrorCode,
      }));
      expect(shown).toEqual(
        before.map(({ name, isInUse }) => ({ name, up: true, isInUse, lastErrorCode: null })),
      );
      for (const node of nodes) {
        for (const body of node.bodies.filter((text) => text.includes(IS_VALID)))
          expect(JSON.parse(body)).toMatchObject({ method: 'starknet_call' });
      }
    },
  );

  it('T10 a too large response to a shared request is not counted against an account with a known class', async () => {
    everyNodeHas(isHuge);
    const [node] = nodes;
    if (node === undefined) throw new Error('there is no node');
    const ordinary = node.answer;
    node.answer = (request) =>
      request.method === 'starknet_getClassHashAt'
        ? { result: SIGNED.depositorClass }
        : ordinary(request);
    const options = { readTimeoutMs: 60_000, sendTimeoutMs: 60_000, maxResponseBytes: 10_000 };
    const known = { ...SIGNED, isKnownClass: true };
    const alone = new StarknetConsentCheck(node.client(options), untrusted);
    expect(await alone.isGiven(known)).toBe(false);
    const crowded = new CrowdedNode({ url: node.url, ...options });
    try {
      const check = new StarknetConsentCheck(crowded, untrusted);
      expect(await failure(check.isGiven(known))).toMatchObject({
        code: 'NODE_MALFORMED_ANSWER',
        details: { shared: true },
      });
    } finally {
      crowded.close();
    }
  });

  it('T10 the call of an untrusted account is aborted at the deadline', async () => {
    const closed: Promise<unknown>[] = [];
    everyNodeHas((_response, _id, request) => {
      closed.push(isClosed(request));
    });
    isCalledWithin(SHORT_DEADLINE_MS);
    await set.call(echo('before'));
    await expect(consents.isGiven(SIGNED)).rejects.toMatchObject({
      code: 'DEPOSIT_SIGNATURE_UNCHECKED',
      cause: expect.any(UpstreamTimedOut),
    });
    expect(closed).toHaveLength(1);
    await Promise.all(closed);
  });

  it('T10 a response of an untrusted account is not read beyond 16 KiB', async () => {
    const closed: Promise<unknown>[] = [];
    everyNodeHas((response, _id, request) => {
      closed.push(isClosed(request));
      // Write endless data, which exceeds the buffers of the connection.
      const more = (): void => {
        if (!response.destroyed) response.write('"0x0",'.repeat(2_000), more);
      };
      more();
    });
    await set.call(echo('before'));
    const call = untrusted.call({
      method: 'starknet_call',
      params: { request: { entry_point_selector: IS_VALID } },
      result: z.unknown(),
    });
    expect(await failure(call)).toBeInstanceOf(NodeMalformedAnswer);
    await Promise.all(closed);
  });
});
