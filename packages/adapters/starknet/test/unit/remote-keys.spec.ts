import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CHECKED_HASH, HeldKeys, RemoteKeys, StarknetAccountSigner } from '@sotto/adapter-starknet';
import { Felts, toFelt, type Felt } from '@sotto/kernel';
import { ec } from 'starknet';
import { z } from 'zod';
import { failure } from '../support/loopback-node.js';
import { APPLY_ACTIONS, PAYLOAD, packed } from '../support/private-actions.js';

const CHAIN_ID = toFelt('0x534e5f54455354');
const ACCOUNT = { address: toFelt('0xa1'), privateKey: '0x1234' };
const OTHER = { address: toFelt('0xa1'), privateKey: '0x4321' };
const held = new HeldKeys([ACCOUNT]);
const FREE = { maxAmount: 1n, maxPriceFri: 1n };
const REQUEST = {
  account: ACCOUNT.address,
  nonce: 1n,
  bounds: { l2Gas: FREE, l1Gas: FREE, l1DataGas: FREE, tipFri: 0n },
};
const NO_CALLS = new TextEncoder().encode('["0x0"]');
const NOTHING = { bytes: NO_CALLS, calldataAt: null, hashedLength: NO_CALLS.length };
const HASH = toFelt('0x77');

const codeOf = async (work: Promise<unknown>): Promise<unknown> => Object(await failure(work)).code;

const signatureOver = (hash: Felt, account = ACCOUNT) =>
  new HeldKeys([account]).signInvoke({
    ...REQUEST,
    chainId: CHAIN_ID,
    hash,
    execute: NOTHING,
  });

describe('RemoteKeys with an untrusted signer', () => {
  let folder: string;
  let server: Server;
  let keys: RemoteKeys;
  let answer: RequestListener;
  let publicKey: Felt;
  let requested: string[];
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sotto-remote-'));
    requested = [];
    publicKey = toFelt(ec.starkCurve.getStarkKey(ACCOUNT.privateKey));
    const check = { hash: CHECKED_HASH, signature: await held.signCheck(ACCOUNT.address) };
    answer = (_, response) => response.end('{}');
    server = createServer((request, response) => {
      requested.push(`${request.method} ${request.url}`);
      if (request.url !== '/v1/accounts') return answer(request, response);
      const accounts = [{ address: ACCOUNT.address, public_key: publicKey, check }];
      response.end(JSON.stringify({ chain_id: CHAIN_ID, accounts }));
    });
    server.listen(join(folder, 'signer.sock'));
    await once(server, 'listening');
    keys = keysFor();
  });
  afterEach(() => {
    keys.close();
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const keysFor = (chainId = CHAIN_ID, timeoutMs = 60_000): RemoteKeys =>
    new RemoteKeys({ url: `unix:${join(folder, 'signer.sock')}`, tls: null, timeoutMs, chainId });
  const answers = (body: unknown, status = 200): void => {
    answer = (_, response) => response.writeHead(status).end(JSON.stringify(body));
  };
  const invoke = (): Promise<unknown> =>
    keys.signInvoke({ ...REQUEST, chainId: CHAIN_ID, hash: HASH, execute: NOTHING });

  it('returns the signer’s signature only if the hash and the signature in the response are valid', async () => {
    const signature = await signatureOver(HASH);
    answers({ hash: HASH, signature });
    expect(await invoke()).toEqual(signature);
  });

  it('requests a signature of private actions with their proof facts and without the proof', async () => {
    const bodies: string[] = [];
    answer = (request, response) => {
      request.setEncoding('utf8').on('data', (chunk: string) => bodies.push(chunk));
      request.on('end', () => response.writeHead(403).end('{"code":"SIGNER_REFUSED_CALL"}'));
    };
    const signer = new StarknetAccountSigner({ chainId: CHAIN_ID, keys });
    const call = await signer.hashCall(APPLY_ACTIONS, packed());
    expect(await codeOf(signer.signCall(call, REQUEST))).toBe('SIGNER_REFUSED');
    await signer.close();
    const body: unknown = JSON.parse(bodies.join(''));
    expect(body).toMatchObject({
      chain_id: CHAIN_ID,
      transaction: {
        sender_address: ACCOUNT.address,
        calldata: expect.arrayContaining([APPLY_ACTIONS.to]),
        proof_facts: PAYLOAD.facts.toHex(),
      },
    });
    expect(bodies.join('')).not.toContain('"proof"');
  });

  it('O8: reports the signer as available only while the signer signs for this chain', async () => {
    const other = keysFor(toFelt('0x1'));
    expect(await keys.isAnswering()).toBe(true);
    expect(await other.isAnswering()).toBe(false);
    other.close();
    server.closeAllConnections();
    server.close();
    expect(await keys.isAnswering()).toBe(false);
  });

  it.each([
    [
      'of another hash',
      async () => ({ hash: '0x78', signature: await signatureOver(toFelt('0x78')) }),
    ],
    [
      'of another hash under this name',
      async () => ({ hash: HASH, signature: await signatureOver(toFelt('0x78')) }),
    ],
    ['by another key', async () => ({ hash: HASH, signature: await signatureOver(HASH, OTHER) })],
    ['of zeros', async () => ({ hash: HASH, signature: ['0x0', '0x0'] })],
    ['in no form', async () => ({ hash: HASH })],
  ])('rejects a signer’s response with a signature %s', async (_, made) => {
    answers(await made());
    expect(await codeOf(invoke())).toBe('SIGNER_MALFORMED_ANSWER');
  });

  it('reads the signer’s public key again after a signature with another key', async () => {
    const signature = await signatureOver(HASH, OTHER);
    answers({ hash: HASH, signature });
    await codeOf(invoke());
    publicKey = toFelt(ec.starkCurve.getStarkKey(OTHER.privateKey));
    expect(await invoke()).toEqual(signature);
    expect(requested.filter((each) => each === 'GET /v1/accounts')).toHaveLength(2);
  });

  it('reports the reason code of the signer’s refusal, and no other content of the response', async () => {
    answers({ code: 'SIGNER_REFUSED_BUDGET', more: 'private' }, 403);
    expect(await failure(invoke())).toMatchObject({
      code: 'SIGNER_REFUSED',
      details: { reason: 'SIGNER_REFUSED_BUDGET' },
    });
    answers({ code: 'not a code' }, 403);
    expect(await codeOf(invoke())).toBe('SIGNER_MALFORMED_ANSWER');
    answers({ code: 'SIGNER_BOOK_UNAVAILABLE' }, 503);
    expect(await codeOf(invoke())).toBe('SIGNER_UNAVAILABLE');
  });

  it('stores the signer’s last refusal for an account until the signer signs for that account', async () => {
    expect(keys.rejections()).toEqual([]);
    answers({ code: 'SIGNER_REFUSED_CALL' }, 403);
    await failure(invoke());
    answers({ code: 'SIGNER_REFUSED_BUDGET' }, 403);
    await failure(invoke());
    const rejection = { account: ACCOUNT.address, reason: 'SIGNER_REFUSED_BUDGET' };
    expect(keys.rejections()).toMatchObject([rejection]);
    answers({ code: 'SIGNER_BOOK_UNAVAILABLE' }, 503);
    await failure(invoke());
    answers({ hash: HASH, signature: await signatureOver(HASH, OTHER) });
    await failure(invoke());
    await keys.signCheck(ACCOUNT.address);
    expect(keys.rejections()).toMatchObject([rejection]);
    answers({ hash: HASH, signature: await signatureOver(HASH) });
    await invoke();
    expect(keys.rejections()).toEqual([]);
  });

  it('a request to the signer fails at its timeout if the signer does not respond', async () => {
    answer = () => {};
    keys.close();
    keys = keysFor(CHAIN_ID, 200);
    expect(await codeOf(invoke())).toBe('SIGNER_TIMED_OUT');
  });

  it('stops reading a signer’s response above the maximum size', async () => {
    answer = (_, response) => response.end('x'.repeat(100_000));
    expect(await codeOf(invoke())).toBe('SIGNER_MALFORMED_ANSWER');
  });

  it('rejects a signer of another chain, and an account that the signer does not have', async () => {
    expect(await codeOf(keys.signCheck(toFelt('0xbad')))).toBe('ACCOUNT_KEY_UNUSABLE');
    keys.close();
    keys = keysFor(toFelt('0x1'));
    expect(await codeOf(keys.signCheck(ACCOUNT.address))).toBe('SIGNER_MALFORMED_ANSWER');
  });

  it('repeats a request to the signer over a new connection if the signer has closed the old connection', async () => {
    const signature = await signatureOver(HASH);
    answers({ hash: HASH, signature });
    await invoke();
    server.closeIdleConnections();
    expect(await invoke()).toEqual(signature);
  });

  it('sends the full transaction to the signer instead of its hash', async () => {
    let body = '';
    answer = (request, response) => {
      request.setEncoding('utf8').on('data', (text: string) => (body += text));
      request.on('end', () => response.end('{}'));
    };
    const signer = new StarknetAccountSigner({ chainId: CHAIN_ID, keys });
    try {
      const call = await signer.hashCall({ to: toFelt('0x7'), entrypoint: 'x' }, Felts.of([9n]));
      await failure(signer.signCall(call, REQUEST));
      const Body = z.strictObject({
        chain_id: z.literal(CHAIN_ID),
        transaction: z.object({ calldata: z.array(z.string()), signature: z.tuple([]) }),
      });
      expect(Body.parse(JSON.parse(body)).transaction.calldata.at(-1)).toBe('0x9');
    } finally {
      await signer.close();
    }
  });
});
