import { Felts, toFelt } from '@sotto/kernel';
import type { RelayDepositInput } from '../../src/index.js';
import {
  ACCOUNT_CLASS,
  DENOMINATION,
  DEPOSITOR,
  depositPool,
  type DepositWorld,
} from './deposit-world.js';
import { NOW_MS, pool } from './world.js';

const OTHER = toFelt('0xb0b');
const ONE_ROOM = { classHash: ACCOUNT_CLASS, balance: DENOMINATION, allowance: DENOMINATION };

/** Each entry makes one check fail. The entries are in the order of their checks. */
export const spoiled: readonly {
  readonly code: string;
  readonly requested: readonly number[];
  readonly spoil: (world: DepositWorld) => Partial<RelayDepositInput> | void | Promise<void>;
}[] = [
  {
    code: 'POOL_NOT_SUPPORTED',
    requested: [0, 0, 0, 0],
    spoil: () => ({ poolAddress: toFelt('0xbad') }),
  },
  { code: 'COMMITMENT_INVALID', requested: [0, 0, 0, 0], spoil: () => ({ commitment: 0n }) },
  { code: 'DEPOSIT_EXPIRED', requested: [0, 0, 0, 0], spoil: () => ({ expiresAtMs: NOW_MS }) },
  {
    code: 'QUEUE_FULL',
    requested: [0, 0, 0, 0],
    spoil: ({ submissions }) => submissions.fill('relay'),
  },
  {
    code: 'DEPOSIT_EXISTS',
    requested: [1, 0, 0, 0],
    spoil: ({ reader }) =>
      reader.setDepositPool(pool.address, {
        ...depositPool,
        nextIndex: 1_024,
        commitments: [1n],
      }),
  },
  {
    code: 'POOL_NEARLY_FULL',
    requested: [1, 0, 0, 0],
    spoil: ({ reader }) =>
      reader.setDepositPool(pool.address, { ...depositPool, nextIndex: 1_000 }),
  },
  {
    code: 'POOL_PAUSED',
    requested: [1, 0, 0, 0],
    spoil: async ({ guarding }) => void (await guarding.control.pause(pool.key, 'upgrade')),
  },
  {
    code: 'DEPOSITOR_NOT_DEPLOYED',
    requested: [1, 0, 0, 0],
    spoil: () => ({ depositor: OTHER }),
  },
  {
    code: 'DEPOSIT_BALANCE_TOO_LOW',
    requested: [1, 0, 0, 0],
    spoil: ({ reader }) =>
      reader.setDepositor(DEPOSITOR, { ...ONE_ROOM, balance: DENOMINATION - 1n }),
  },
  {
    code: 'DEPOSIT_ALLOWANCE_TOO_LOW',
    requested: [1, 0, 0, 0],
    spoil: ({ reader }) =>
      reader.setDepositor(DEPOSITOR, { ...ONE_ROOM, allowance: DENOMINATION - 1n }),
  },
  {
    code: 'DEPOSIT_SIGNATURE_INVALID',
    requested: [1, 1, 0, 0],
    spoil: () => ({ signature: Felts.of([1n, 2n]) }),
  },
  {
    code: 'SIMULATION_REVERTED',
    requested: [1, 1, 1, 0],
    spoil: ({ simulator }) => simulator.revert('paused'),
  },
];
