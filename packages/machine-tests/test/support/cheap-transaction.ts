import { createHash } from 'node:crypto';
import { type Felts, feltToBigInt, toFelt, type Felt } from '@sotto/kernel';
import { InvokeTransaction, selectorOf, type InvokeFields } from '@sotto/sandbox/engine';
import type { CallTarget, HashedCall, SignedTransaction, SigningRequest, TransactionSigner } from '@sotto/submission-core';

const CHAIN_ID = 0x534e5f54455354n;
const SELECTORS = new Map<string, bigint>();

/** Gives every distinct transaction a hash of its own, and the bytes of everything that the sandbox executes. */
export class CheapSigner implements TransactionSigner {
  async hashCall(target: CallTarget, calldata: Felts): Promise<HashedCall> {
    return { target, calldata, calldataHash: 0n };
  }

  async signCall({ target, calldata }: HashedCall, request: SigningRequest): Promise<SignedTransaction> {
    const words = [...calldata.toHex()].map(BigInt);
    return signed([1n, feltToBigInt(target.to), selector(target.entrypoint), BigInt(words.length), ...words], request);
  }

  async signNoop(request: SigningRequest): Promise<SignedTransaction> {
    return signed([0n], request);
  }
}

/** What a stranger with the account's key sends: no calls, and bounds of its own. */
export function strangersTransaction(
  account: Felt,
  nonce: bigint,
  prices: Record<'l1Gas' | 'l1DataGas' | 'l2Gas', bigint>,
): InvokeTransaction {
  const bounds = {
    l2Gas: { maxAmount: 1_000_000n, maxPriceFri: prices.l2Gas * 2n },
    l1Gas: { maxAmount: 1n, maxPriceFri: prices.l1Gas * 2n },
    l1DataGas: { maxAmount: 999n, maxPriceFri: prices.l1DataGas * 2n },
    tipFri: 0n,
  };
  return decode(signed([0n], { account, nonce, bounds }).bytes);
}

export function decode(bytes: Uint8Array): InvokeTransaction {
  const wire: unknown = JSON.parse(new TextDecoder().decode(bytes), (_name, value: unknown) =>
    typeof value === 'string' && value.startsWith('n') ? BigInt(value.slice(1)) : value,
  );
  // CAST: the bytes are what `signed` wrote; a ledger that gives out others makes the test fail.
  const fields = wire as InvokeFields;
  // The chain's own hash costs 5 ms in JavaScript, and the signature as much again.
  return new InvokeTransaction(fields, { chainId: CHAIN_ID, hashInvoke: () => hashOf(bytes) });
}

function signed(calldata: readonly bigint[], { account, nonce, bounds }: SigningRequest): SignedTransaction {
  const { l2Gas, l1Gas, l1DataGas, tipFri } = bounds;
  const mapped = ({ maxAmount, maxPriceFri }: typeof l2Gas): { maxAmount: bigint; maxPricePerUnit: bigint } => ({
    maxAmount,
    maxPricePerUnit: maxPriceFri,
  });
  const fields: InvokeFields = {
    version: '0x3',
    sender: feltToBigInt(account),
    calldata,
    signature: [],
    nonce,
    bounds: { l1Gas: mapped(l1Gas), l1DataGas: mapped(l1DataGas), l2Gas: mapped(l2Gas) },
    tip: tipFri,
    paymasterData: [],
    accountDeploymentData: [],
    nonceDataAvailabilityMode: 'L1',
    feeDataAvailabilityMode: 'L1',
    proofFacts: [],
    hasProof: false,
  };
  const bytes = new TextEncoder().encode(
    JSON.stringify(fields, (_name, value: unknown) => (typeof value === 'bigint' ? `n${value}` : value)),
  );
  return { hash: toFelt(hashOf(bytes)), bounds, bytes };
}

/** 248 bits, so that it always is a felt. */
function hashOf(bytes: Uint8Array): bigint {
  return BigInt(`0x${createHash('sha256').update(bytes).digest('hex').slice(2)}`);
}

function selector(entrypoint: string): bigint {
  const known = SELECTORS.get(entrypoint) ?? selectorOf(entrypoint);
  SELECTORS.set(entrypoint, known);
  return known;
}
