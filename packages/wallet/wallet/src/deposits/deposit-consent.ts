import { felt } from '../signed/snip-12.js';

/** What a depositor agrees to: that this pool takes so much of them, for this note, until then. */
export interface DepositConsent {
  /** 0x hex. */
  readonly chainId: string;
  /** 0x hex. */
  readonly pool: string;
  /** 0x hex. */
  readonly token: string;
  /** The pool's denomination, in the token's smallest unit. */
  readonly amount: bigint;
  readonly commitment: bigint;
  /** Unix time in seconds. */
  readonly expiresAt: number;
}

interface TypedField {
  name: string;
  type: string;
}

/** SNIP-12 typed data (revision 1), in the shape that accounts sign. */
export interface DepositTypedData {
  types: { StarknetDomain: TypedField[]; Deposit: TypedField[] };
  primaryType: 'Deposit';
  domain: { name: 'Sotto'; version: '1'; chainId: string; revision: '1' };
  message: {
    pool: string;
    token: string;
    denomination: { low: string; high: string };
    commitment: { low: string; high: string };
    /** Unix time in seconds. */
    expires_at: string;
  };
}

const HALF = 1n << 128n;

/**
 * What the depositor's account signs; the relayer has it verify the same definition, to which a
 * test of its adapter holds this one.
 * @throws RangeError for a chain, pool or token that is no felt
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
