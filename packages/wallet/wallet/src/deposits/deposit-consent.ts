import { felt } from '../signed/snip-12.js';

/** Consent of a depositor that a pool may collect an amount for a commitment until `expiresAt`. */
export interface DepositConsent {
  /** Chain id as 0x hex. */
  readonly chainId: string;
  /** Pool address as 0x hex. */
  readonly pool: string;
  /** Address of the ERC-20 token as 0x hex. */
  readonly token: string;
  /** The pool's denomination, in the ERC-20 token's smallest unit. */
  readonly amount: bigint;
  readonly commitment: bigint;
  /** End of the consent, as Unix time in seconds. */
  readonly expiresAt: number;
}

interface TypedField {
  name: string;
  type: string;
}

/** SNIP-12 typed data (revision 1), in the format that accounts sign. */
export interface DepositTypedData {
  types: { StarknetDomain: TypedField[]; Deposit: TypedField[] };
  primaryType: 'Deposit';
  domain: { name: 'Sotto'; version: '1'; chainId: string; revision: '1' };
  message: {
    pool: string;
    token: string;
    denomination: { low: string; high: string };
    commitment: { low: string; high: string };
    /** End of the consent, as Unix time in seconds. */
    expires_at: string;
  };
}

const HALF = 1n << 128n;

/**
 * Returns the typed data that the depositor's account signs. The relayer has its own definition of
 * the same message; a test of the relayer's adapter compares both definitions.
 * @throws RangeError if chain, pool or token is not a felt
 */
export function depositConsentTypedData({
  chainId,
  pool,
  token,
  amount,
  commitment,
  expiresAt,
}: DepositConsent): DepositTypedData {
  return {
    types: {
      StarknetDomain: ['name', 'version', 'chainId', 'revision'].map((name) =>
        field(name, 'shortstring'),
      ),
      Deposit: [
        field('pool', 'ContractAddress'),
        field('token', 'ContractAddress'),
        field('denomination', 'u256'),
        field('commitment', 'u256'),
        field('expires_at', 'timestamp'),
      ],
    },
    primaryType: 'Deposit',
    domain: { name: 'Sotto', version: '1', chainId: hex(chainId), revision: '1' },
    message: {
      pool: hex(pool),
      token: hex(token),
      denomination: u256(amount),
      commitment: u256(commitment),
      expires_at: String(expiresAt),
    },
  };
}

function field(name: string, type: string): TypedField {
  return { name, type };
}

function hex(text: string): string {
  return `0x${felt(text).toString(16)}`;
}

function u256(value: bigint): { low: string; high: string } {
  return { low: String(value % HALF), high: String(value / HALF) };
}
