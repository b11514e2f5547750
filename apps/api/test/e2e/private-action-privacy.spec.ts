import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { u256ToHalves } from '@sotto/kernel';
import { eventually } from '@sotto/process-kit';
import { sandboxWorld, type PrivateRequest } from '@sotto/sandbox';
import { ONE, PrivateWallet, SPONSOR_KEY, privateStack } from './support/private-actions.js';
import { TELLING, found } from './support/private-words.js';
import type { Stack } from './support/stack.js';
import { vector } from './support/withdrawals.js';

const { accounts, privacyPool, tokens } = sandboxWorld;
const STRK: bigint = tokens.STRK.address;
const RECIPIENT = 0x7e57_7e57_7e57_7e57_7e57_7e57_7e57_7e57_7e57n;
const VALIDITY = 26;

/** Position of the message hash in the proof facts. All other facts are public. */
const MESSAGE_HASH = 8;
/** Values of the actions that are public, or that the chain and the ledger's locks show anyway. */
const publicIn = ({ writeOnceAddresses }: PrivateRequest): readonly bigint[] => [
  ...writeOnceAddresses.map(BigInt),
  BigInt(vector.relayer),
  privacyPool.address,
  STRK,
];

/**
 * Two parts of a proof. Each part is within one packed felt, after its first byte, which may be a
 * zero that is not stored. A file's page may end within one part, but not within both.
 */
const partsOf = ({ proof }: Pick<PrivateRequest, 'proof'>): readonly Buffer[] => {
  const bytes = Buffer.from(proof, 'base64');
  return [bytes.subarray(1, 16), bytes.subarray(16, 31)];
};

/** Texts and bytes by which a file would show the content of a request. */
function needlesOf(request: PrivateRequest): readonly Buffer[] {
  const known = new Set(publicIn(request).flatMap((value) => u256ToHalves(value)));
  const felts = [...request.calldata, request.proofFacts[MESSAGE_HASH] ?? ''].map(BigInt);
  const halves = felts
    .flatMap((felt) => u256ToHalves(felt))
    .filter((half) => half >= TELLING && !known.has(half));
  const parts = partsOf(request);
  return [
    ...[...new Set(halves)].flatMap((half) => {
      const digits = half.toString(16);
      // Packed felts and texts both store only a number's significant bytes.
      const bytes = Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
      return [bytes, Buffer.from(digits)];
    }),
    ...parts.flatMap((part) => [part, Buffer.from(part.toString('hex'))]),
    Buffer.from(request.proof.slice(0, 20)),
  ];
}

describe('the content of private actions', () => {
  let stack: Stack;
  let wallet: PrivateWallet;
  const requests: PrivateRequest[] = [];
  const output: string[] = [];
  beforeAll(async () => {
    stack = await privateStack({
      cadence: 'manual',
      env: { LOG_LEVEL: 'debug', MAX_IN_FLIGHT_PER_LANE: '1' },
    });
    stack.chain.control.setPrivacyPool({ validityBlocks: VALIDITY });
    wallet = new PrivateWallet(stack, 'privacy');
    await stack.service.ready();
  });
  afterAll(() => stack.stop());

  const prove = async (note: number): Promise<PrivateRequest> => {
    const request = await wallet.prover.withdraw(
      {
        payments: [{ to: RECIPIENT, token: STRK, amount: ONE + BigInt(note) }],
        fee: wallet.feeOf({ token: STRK, amount: ONE }),
      },
      { notes: [note] },
    );
    requests.push(request);
    return request;
  };
  const ends = (path: string, state: string): Promise<unknown> =>
    eventually(`the submission to be ${state}`, async () => {
      const { body } = await stack.service.get(path);
      return Object(body).state === state && body;
    });
  const sent = (): Promise<bigint> =>
    eventually('a transaction to reach the node', () => stack.chain.waiting()[0]);
  /** Waits for the end of the process, and starts the next one. */
  const restarted = async (env: Readonly<Record<string, string>> = {}): Promise<void> => {
    await stack.service.ended;
    output.push(stack.service.output);
    await stack.restart(env);
    await stack.service.ready();
  };
  /** Returns the needles that a file of the ledger contains. */
  const left = (needles: readonly Buffer[]): readonly Buffer[] => {
    const names = readdirSync(stack.folder).filter((name) => name.startsWith('ledger.sqlite'));
    const files = names.map((name) => readFileSync(join(stack.folder, name)));
    return needles.filter((needle) => files.some((bytes) => bytes.includes(needle)));
  };

  it('the content is erased from the ledger after every kind of end, even if the process was killed', async () => {
    const { control } = stack.chain;
    // The lane is busy with the first actions, so the second ones wait and get a newer proof.
    const first = await prove(1);
    const succeeded = await wallet.accepted(first);
    await sent();
    const reverted = await wallet.accepted(await prove(2));
    control.advance('accepted_on_l2');
    expect(await wallet.accepted(await prove(2))).toBe(reverted);
    stack.service.kill('SIGKILL');
    await restarted();
    control.mine();
    await ends(succeeded, 'succeeded');
    await sent();
    control.revertNext({ reason: 'staged', sender: accounts.lane1.address });
    control.mine();
    await ends(reverted, 'reverted');
    stack.service.kill('SIGKILL');
    await restarted({ SOTTO_FAILPOINT: 'accepted' });
    await wallet.accepted(await prove(3)).catch(() => undefined);
    control.mine(VALIDITY);
    await restarted();
    const { id } = stack.ledger().attempts.at(-1) ?? {};
    await ends(`/api/relayer/submissions/${id}`, 'expired');
    stack.service.kill('SIGTERM');
    await stack.service.ended;

    const needles = requests.flatMap(needlesOf);
    const stored = requests.filter((request) => left(partsOf(request)).length > 0);
    expect(left(needles).length).toBeGreaterThan(40);
    expect(stored.length).toBeGreaterThan(2);
    await restarted({ RETENTION_MS: '0' });
    await eventually('the redaction', () =>
      stack.service.output.includes('private data of ended attempts wiped'),
    );
    expect(left(needles)).toEqual([]);
    expect(stack.ledger()).toMatchObject({
      attempts: [{ state: 'succeeded' }, { state: 'reverted' }, { state: 'expired' }],
      calldata: 0,
    });
    // The locks of the notes and the answer remain.
    const again = await wallet.send(first);
    expect(again.headers.get('location')).toBe(succeeded);
    expect(Object(again.body).execution_status).toBe('SUCCEEDED');
  });

  it('no output of the processes contains the content', () => {
    const texts = requests.flatMap(needlesOf).map((needle) => needle.toString('latin1'));
    const all = [...output, stack.service.output].join('\n');
    expect(all).toContain('"message":"submission accepted"');
    expect(found(`${all} ${texts.at(-1)}`, texts)).not.toEqual([]);
    expect(found(all, [...texts, SPONSOR_KEY])).toEqual([]);
  });
});
