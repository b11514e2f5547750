import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { RemoteKeys } from '@sotto/adapter-starknet';
import { toFelt, type Felt } from '@sotto/kernel';
import { Secret } from '@sotto/settings';
import { Policy } from '../../src/policy/policy.js';
import { startSigner, type RunningSigner } from '../../src/start-signer.js';
import { BOUNDS, CHAIN_ID, ONE, POLICY, POOL, TWO } from '../support/signer-under-test.js';

const PRIVATE = 'what no log may have';

const addressOf = (index: number): Felt => toFelt(2n ** 250n + BigInt(index));

const policyOf = (count: number): unknown => ({
  ...POLICY,
  accounts: Array.from({ length: count }, (_, index) => ({
    address: addressOf(index),
    calls: [{ contract: POOL, entrypoint: 'withdraw', opaque: true }],
    bounds: BOUNDS,
  })),
});

describe('a signer', () => {
  let folder: string;
  let signer: RunningSigner | null;
  let lines: { readonly level: string; readonly fields: object }[];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sotto-start-'));
    signer = null;
    lines = [];
  });
  afterEach(async () => {
    await signer?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const socket = (): string => join(folder, 'signer.sock');
  const remoteKeys = (): RemoteKeys =>
    new RemoteKeys({
      url: `unix:${socket()}`,
      tls: null,
      timeoutMs: 60_000,
      chainId: CHAIN_ID,
    });
  const sign = async (): Promise<void> => {
    const keys = remoteKeys();
    await keys.signCheck(toFelt(ONE.address)).finally(() => keys.close());
  };
  const note = (level: string) => (fields: object) => void lines.push({ level, fields });
  const start = async (
    policy: Policy,
    accounts: readonly { readonly address: Felt; readonly privateKey: Felt }[],
  ): Promise<void> => {
    signer = await startSigner(
      {
        policy,
        keys: accounts.map(({ address, privateKey }) => ({
          address,
          privateKey: new Secret(privateKey),
          isSample: false,
        })),
        bookPath: join(folder, 'book.sqlite'),
        place: { kind: 'unix', path: socket(), mode: 0o600 },
      },
      { info: note('info'), warn: note('warn'), error: note('error') },
    );
  };

  it('O1: the signer warns that a new database begins with the whole budget', async () => {
    const accounts = [ONE, TWO];
    const policy = Policy.parse(POLICY);
    const warning = {
      level: 'warn',
      fields: {
        book: join(folder, 'book.sqlite'),
        perHourFri: String(policy.budget.perHourFri),
        perDayFri: String(policy.budget.perDayFri),
      },
    };
    const restart = async (): Promise<readonly object[]> => {
      await signer?.stop();
      lines = [];
      await start(policy, accounts);
      return lines;
    };
    expect(await restart()).toEqual([warning]);
    expect(await restart()).toEqual([]);
    await sign();
    expect(await restart()).toEqual([]);
    await signer?.stop();
    signer = null;
    for (const name of readdirSync(folder)) rmSync(join(folder, name));
    expect(await restart()).toEqual([warning]);
  });

  it('the signer logs the stack frames of an internal error without content of the request', async () => {
    await start(
      {
        ...Policy.parse(POLICY),
        get chainId(): Felt {
          throw new TypeError(`${PRIVATE} ${ONE.privateKey}`);
        },
      },
      [ONE, TWO],
    );
    const answer = await new Promise<{ status: number | undefined; body: unknown }>(
      (resolve, reject) => {
        request({ socketPath: socket(), path: '/v1/accounts' }, (response) => {
          json(response).then((body) => resolve({ status: response.statusCode, body }), reject);
        })
          .on('error', reject)
          .end();
      },
    );
    expect(answer).toEqual({ status: 500, body: { code: 'SIGNER_FAILED' } });
    expect(lines.filter(({ level }) => level !== 'warn')).toEqual([
      {
        level: 'error',
        fields: {
          code: 'SIGNER_FAILED',
          error: {
            name: 'TypeError',
            stack: expect.arrayContaining([expect.stringContaining('signer.')]),
          },
        },
      },
    ]);
    expect(JSON.stringify(lines)).not.toContain(PRIVATE);
    expect(JSON.stringify(lines)).not.toContain(ONE.privateKey.slice(2));
  });

  it('the signer signs for the maximum number of accounts of a policy', async () => {
    const all = Array.from({ length: 200 }, (_, index) => ({
      address: addressOf(index),
      privateKey: toFelt(BigInt(index) + 5n),
    }));
    expect(Policy.safeParse(policyOf(201)).success).toBe(false);
    await start(Policy.parse(policyOf(200)), all);
    const keys = remoteKeys();
    try {
      expect(await keys.signCheck(addressOf(0))).toHaveLength(2);
      expect(await keys.signCheck(addressOf(199))).not.toEqual(await keys.signCheck(addressOf(0)));
    } finally {
      keys.close();
    }
  });
});
