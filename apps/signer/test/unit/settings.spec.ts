import { describe, expect, it } from '@jest/globals';
import { InvalidConfiguration } from '@sotto/settings';
import { loadSettings, type Permissions } from '../../src/settings.js';
import { BOUNDS, ONE, POLICY, STRANGER, TWO } from '../support/signer-under-test.js';

const env = {
  SIGNER_LISTEN: 'unix:/run/signer.sock',
  SIGNER_KEYS: JSON.stringify([ONE, TWO]),
  SIGNER_POLICY: '/policy.json',
};
const problems = (
  changes: object = {},
  policy: unknown = POLICY,
  permissions: Readonly<Record<string, Partial<Permissions>>> = {},
): readonly string[] => {
  try {
    loadSettings({
      env: { ...env, ...changes },
      readFile: (path) =>
        path === '/policy.json' ? JSON.stringify(policy) : JSON.stringify([ONE, TWO]),
      permissionsOf: (path) => ({
        uid: 0,
        gid: 0,
        mode: path.includes('.') ? 0o600 : 0o755,
        ...permissions[path],
      }),
      process: { uid: 1_000, gid: 2_000 },
    });
    return [];
  } catch (error) {
    if (!(error instanceof InvalidConfiguration)) throw error;
    return error.problems;
  }
};
const withCall = (call: object): object => ({
  ...POLICY,
  accounts: [{ address: ONE.address, calls: [call], bounds: BOUNDS }, POLICY.accounts[1]],
});
const LIMITED = { amount: { at: 1, most: '1', perDay: '1' } };

describe('the settings', () => {
  it('complete settings of the signer are accepted without a problem', () =>
    expect(problems()).toEqual([]));

  it.each([
    [{ SIGNER_LISTEN: 'http://127.0.0.1:1' }, 'SIGNER_LISTEN'],
    [{ SIGNER_LISTEN: 'https://127.0.0.1' }, 'SIGNER_LISTEN'],
    [{ SIGNER_LISTEN: 'https://127.0.0.1:1' }, 'SIGNER_TLS_CERT'],
    [{ SIGNER_SOCKET_MODE: '666' }, 'SIGNER_SOCKET_MODE'],
    [{ SIGNER_KEYS: JSON.stringify([ONE]) }, 'SIGNER_KEYS: lacks'],
    [
      { SIGNER_KEYS: JSON.stringify([ONE, TWO, { ...ONE, address: STRANGER }]) },
      'SIGNER_KEYS: has',
    ],
    [{ SIGNER_POLICY: '' }, 'SIGNER_POLICY'],
  ])('settings of the signer are rejected with %j', (changes, named) => {
    expect(problems(changes).some((problem) => problem.startsWith(named))).toBe(true);
  });

  it('all problems of the signer’s settings are reported at once, and no private key is printed', () => {
    const found = problems({ SIGNER_LISTEN: 'x', SIGNER_SOCKET_MODE: '1' }, {});
    expect(found.length).toBeGreaterThan(3);
    expect(found.join()).not.toContain(ONE.privateKey.slice(2));
  });

  it.each([
    [[{ [ONE.privateKey]: ONE.address }]],
    [[{ ...ONE, [ONE.privateKey]: '' }]],
    [{ [ONE.address]: ONE.privateKey }],
    [{ [ONE.privateKey]: ONE.address }],
  ])(
    'O5: the reported problems of the signer’s settings do not contain a private key that was written as a name',
    (keys) => {
      const found = problems({ SIGNER_KEYS: JSON.stringify(keys) }, keys);
      expect(found.some((problem) => problem.startsWith('SIGNER_KEYS'))).toBe(true);
      expect(found.some((problem) => problem.startsWith('SIGNER_POLICY'))).toBe(true);
      expect(found.join()).not.toContain(ONE.privateKey.slice(2));
    },
  );

  const filed = { SIGNER_KEYS: '', SIGNER_KEYS_FILE: '/etc/keys.json' };

  it('the signer’s settings are rejected if another user can read a key file', () => {
    for (const mode of [0o604, 0o640, 0o620, 0o602])
      expect(problems(filed, POLICY, { '/etc/keys.json': { mode } })[0]).toMatch(
        /^SIGNER_KEYS_FILE: others than the signer’s user may read the file/,
      );
    expect(
      problems({ ...filed, MODE: 'development' }, POLICY, { '/etc/keys.json': { mode: 0o644 } }),
    ).toEqual([]);
  });

  it('the signer’s settings are accepted if only the owner or a trusted group can read a key file', () => {
    expect(problems(filed)).toEqual([]);
    const ofGroup = { '/etc/keys.json': { gid: 3_000, mode: 0o440 } };
    expect(problems(filed, POLICY, ofGroup)).toHaveLength(1);
    expect(problems({ ...filed, SIGNER_TRUSTED_GROUP: '3000' }, POLICY, ofGroup)).toEqual([]);
    expect(problems({ ...filed, SIGNER_TRUSTED_GROUP: '3001' }, POLICY, ofGroup)).toHaveLength(1);
    const ofAll = { '/etc/keys.json': { gid: 3_000, mode: 0o444 } };
    expect(problems({ ...filed, SIGNER_TRUSTED_GROUP: '3000' }, POLICY, ofAll)).toHaveLength(1);
  });

  it('the signer’s settings are rejected if the group that may read the keys can also access the socket', () => {
    const trusting = { SIGNER_TRUSTED_GROUP: '2000' };
    expect(problems(trusting)).toEqual([]);
    expect(problems({ ...trusting, SIGNER_SOCKET_MODE: '660' })).toEqual([
      'SIGNER_TRUSTED_GROUP: is the group of those that the socket is open to',
    ]);
  });

  it('O1: the signer’s settings are accepted even if a killed signer has left a socket file', () => {
    const placed = { ...filed, SIGNER_LISTEN: 'unix:/run/sotto/signer.sock' };
    const left = { '/run/sotto/signer.sock': { mode: 0o140_660 } };
    expect(problems({ ...placed, SIGNER_SOCKET_MODE: '660' }, POLICY, left)).toEqual([]);
  });

  it.each([
    ['the policy', 'SIGNER_POLICY', '/policy.json', { mode: 0o620 }],
    ['the book', 'SIGNER_BOOK_PATH', '/var/book.sqlite', { uid: 1_001 }],
    ['the folder of the book', 'SIGNER_BOOK_PATH', '/var', { mode: 0o775 }],
    ['the folder of the keys', 'SIGNER_KEYS_FILE', '/etc', { uid: 1_001 }],
    ['the folder of the socket', 'SIGNER_LISTEN', '/run/sotto', { mode: 0o757 }],
    ['a folder above it', 'SIGNER_LISTEN', '/run', { mode: 0o777 }],
  ])(
    'the signer’s settings are rejected if other users can write %s',
    (_, name, path, permissions) => {
      const placed = {
        ...filed,
        SIGNER_LISTEN: 'unix:/run/sotto/signer.sock',
        SIGNER_BOOK_PATH: '/var/book.sqlite',
      };
      expect(problems(placed)).toEqual([]);
      expect(problems(placed, POLICY, { [path]: permissions })).toContain(
        `${name}: others than the signer’s user may write there`,
      );
    },
  );

  it('the signer’s settings are accepted with a shared folder of mode 1777', () => {
    expect(problems({}, POLICY, { '/run': { mode: 0o1777 } })).toEqual([]);
  });
});

describe('the policy', () => {
  it.each([
    ['an opaque transfer', { contract: '0x57', entrypoint: 'transfer', opaque: true }],
    ['a transfer to anybody', { contract: '0x57', entrypoint: 'transfer', felts: 3, ...LIMITED }],
    [
      'a transfer of any amount',
      { contract: '0x57', entrypoint: 'transfer', felts: 3, arguments: { '0': ['0x1'] } },
    ],
    [
      'an amount in another place',
      {
        contract: '0x57',
        entrypoint: 'transfer',
        felts: 3,
        arguments: { '0': ['0x1'] },
        amount: { ...LIMITED.amount, at: 0 },
      },
    ],
    ['an approval to anybody', { contract: '0x57', entrypoint: 'approve', felts: 3, ...LIMITED }],
    [
      'a swap to anybody',
      {
        contract: '0x57',
        entrypoint: 'multi_route_swap',
        arguments: { '0': ['0x1'], '3': ['0x1'], '9': ['0x0'] },
        ...LIMITED,
      },
    ],
    [
      'a swap with an integrator',
      {
        contract: '0x57',
        entrypoint: 'multi_route_swap',
        arguments: { '0': ['0x1'], '3': ['0x1'], '8': ['0x1'] },
        ...LIMITED,
      },
    ],
    ...['transferFrom', 'increaseAllowance', 'transfer_from_v2', 'multiRouteSwap'].map(
      (entrypoint) =>
        [`an opaque ${entrypoint}`, { contract: '0x57', entrypoint, opaque: true }] as const,
    ),
    ...[
      'upgradeTo',
      'replaceClass',
      'setPublicKey',
      'execute_from_outside_v4',
      'executeFromOutside',
      'transferOwnership',
      'permit',
      'setApprovalForAll',
      'set_owner',
    ].map((entrypoint) => [entrypoint, { contract: '0x57', entrypoint, felts: 1 }] as const),
    ['an upgrade', { contract: '0x57', entrypoint: 'upgrade', felts: 1 }],
    [
      'a call of an account of its own',
      { contract: TWO.address, entrypoint: 'withdraw', opaque: true },
    ],
    ['a call of which nothing is said', { contract: '0x57', entrypoint: 'withdraw' }],
    ['both', { contract: '0x57', entrypoint: 'withdraw', opaque: true, felts: 1 }],
    [
      'a member that is not known',
      { contract: '0x57', entrypoint: 'withdraw', opaque: true, any: 1 },
    ],
    [
      'a felt of two spellings',
      { contract: '0x57', entrypoint: 'withdraw', felts: 1, arguments: { '0': ['0x01'] } },
    ],
  ])('the signer’s policy can’t list %s', (_, call) => {
    expect(problems({}, withCall(call)).join()).toMatch(/^SIGNER_POLICY: /);
  });

  it('the signer’s policy can list an entry point of a contract only once', () => {
    const rule = { contract: '0x57', entrypoint: 'withdraw', opaque: true };
    const policy = {
      ...POLICY,
      accounts: [
        { ...POLICY.accounts[0], calls: [rule, { ...rule, contract: '0x0057' }] },
        POLICY.accounts[1],
      ],
    };
    expect(problems({}, policy).join()).toContain('twice');
  });

  it('the signer’s policy can’t list both an opaque call and transfers of the same ERC-20 contract', () => {
    const moves = {
      contract: '0x57',
      entrypoint: 'transfer',
      felts: 3,
      arguments: { '0': ['0x1'] },
      ...LIMITED,
    };
    const listing = (contract: string): object => ({
      ...POLICY,
      accounts: [
        {
          ...POLICY.accounts[0],
          calls: [moves, { contract, entrypoint: 'withdraw', opaque: true }],
        },
        POLICY.accounts[1],
      ],
    });
    expect(problems({}, listing('0x57')).join()).toMatch(
      /^SIGNER_POLICY: .*also has an opaque call/,
    );
    expect(problems({}, listing('0x58'))).toEqual([]);
  });

  it('the signer’s policy can list a transfer with a fixed recipient and a limited amount', () => {
    expect(
      problems(
        {},
        withCall({
          contract: '0x57',
          entrypoint: 'transfer',
          felts: 3,
          arguments: { '0': ['0x1'] },
          ...LIMITED,
        }),
      ),
    ).toEqual([]);
  });
});
