import { join } from 'node:path';
import { toFelt } from '@sotto/kernel';
import { Child, type ChildOptions, type Variables } from './child.js';
import { keyed, writeJson, type KeyedAccount } from './stack.js';

const PLENTY = '1'.padEnd(30, '0');
const bound = (maxAmount: string) => ({ maxAmount, maxPriceFri: '1000000000000000' });

interface SignerPlace {
  readonly chainId: string;
  readonly pool: { readonly address: bigint };
}

/** Signer policy that allows withdrawals from one pool. */
export const withdrawalPolicy = ({ chainId, pool }: SignerPlace, addresses: readonly bigint[]) => ({
  version: 1,
  chainId,
  budget: { perHourFri: PLENTY, perDayFri: PLENTY },
  accounts: addresses.map((address) => ({
    address: toFelt(address),
    messages: ['FeeQuote', 'ServiceStatus'],
    calls: [{ contract: toFelt(pool.address), entrypoint: 'withdraw', opaque: true }],
    bounds: { l2Gas: bound('1200000000'), l1Gas: bound('256'), l1DataGas: bound('20480') },
  })),
});

export interface SignerOptions extends Omit<ChildOptions, 'name'> {
  /** Folder of the signer's socket, policy and database. */
  readonly folder: string;
  readonly accounts: readonly KeyedAccount[];
  /** Policy that is written to the folder. @default the existing policy in the folder */
  readonly policy?: object | undefined;
}

/** Starts the built signer. */
export function startSigner({ folder, accounts, policy, env, ...options }: SignerOptions): Child {
  if (policy !== undefined) writeJson(folder, 'policy.json', policy);
  const own: Variables = {
    MODE: 'development',
    SIGNER_LISTEN: signerUrl(folder),
    SIGNER_KEYS: JSON.stringify(accounts.map(keyed)),
    SIGNER_POLICY: join(folder, 'policy.json'),
    SIGNER_BOOK_PATH: join(folder, 'book.sqlite'),
  };
  return new Child({ ...options, name: 'signer', env: { ...own, ...env } });
}

export const signerUrl = (folder: string): string => `unix:${join(folder, 'signer.sock')}`;

/** Resolves when the signer listens. @throws EndedEarly */
export function signerListens(signer: Child): Promise<true> {
  return signer.line((line) => (line.includes('"message":"listening"') ? true : undefined));
}
