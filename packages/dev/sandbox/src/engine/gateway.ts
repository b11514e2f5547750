import type { Chain } from './chain.js';
import { balanceOf, coversPrices, dataGasOf, intrinsicL2Gas } from './fee.js';
import { describeFrame } from './failure.js';
import { selectorOf, toHex, toPaddedHex } from './felt.js';
import { isSignedBy, PUBLIC_KEY } from './signature.js';
import { SpecError } from './spec-error.js';
import { maximalFee, type InvokeFields, type InvokeTransaction } from './transaction.js';
import type { World } from './world.js';

/** Limits of the gateway. Network operators may configure other limits. */
export interface GatewaySettings {
  /** Minimum L2 gas price that a transaction must offer, in fri. */
  readonly minL2GasPriceFri: bigint;
  /** Maximum L2 gas amount in a transaction's resource bounds. */
  readonly maxL2GasAmount: bigint;
  readonly maxCalldataFelts: number;
  readonly maxSignatureFelts: number;
  /** Maximum distance of a transaction's nonce above the account's nonce. */
  readonly maxNonceGap: bigint;
  /**
   * True if every signature is accepted. Benchmarks set this option, so that the verification does
   * not distort the measurement.
   */
  readonly trustSignatures: boolean;
}

/**
 * Gateway that validates transactions before they enter the mempool, as the sequencer's gateway
 * does. The cheapest check runs first.
 */
export class Gateway {
  constructor(
    private readonly chain: Chain,
    private readonly settings: GatewaySettings,
  ) {}

  /**
   * Validates a transaction and adds it to the mempool. @throws SpecError with a node's error code
   */
  add(transaction: InvokeTransaction): void {
    const { fields } = transaction;
    this.#checkForm(fields);
    if (!this.chain.world.isAccount(fields.sender)) throw new SpecError(58);
    this.#checkBounds(fields);
    if (this.#isKnown(transaction.hash)) throw new SpecError(59);
    this.#checkNonce(fields);
    this.#checkBalance(fields);
    if (!this.isSigned(transaction))
      throw new SpecError(55, invalidSignatureText(fields.sender, this.chain.world));
    this.chain.pool.add(transaction);
    this.chain.notify();
  }

  /** Returns true if the account's key signed the hash, or if signatures are trusted. */
  isSigned({ fields, hash }: InvokeTransaction): boolean {
    if (this.settings.trustSignatures) return true;
    const publicKey = this.chain.open.state.storage(fields.sender, PUBLIC_KEY);
    return isSignedBy(publicKey, hash, fields.signature);
  }

  #checkForm(fields: InvokeFields): void {
    const { maxCalldataFelts, maxSignatureFelts, maxL2GasAmount } = this.settings;
    if (fields.version !== '0x3') throw new SpecError(61);
    if (!this.chain.acceptsProof(fields)) throw new SpecError(69);
    if (fields.paymasterData.length > 0)
      throw refused('NON_EMPTY_FIELD', 'The field paymaster_data must be empty.');
    if (fields.accountDeploymentData.length > 0)
      throw refused('NON_EMPTY_FIELD', 'The field account_deployment_data must be empty.');
    if (fields.nonceDataAvailabilityMode !== 'L1')
      throw refused('INVALID_DATA_AVAILABILITY_MODE', 'Invalid nonce data availability mode: L2.');
    if (fields.feeDataAvailabilityMode !== 'L1')
      throw refused('INVALID_DATA_AVAILABILITY_MODE', 'Invalid fee data availability mode: L2.');
    if (fields.calldata.length > maxCalldataFelts) {
      throw refused(
        'CALLDATA_TOO_LONG',
        `Calldata length exceeded maximum: length ${fields.calldata.length} (allowed length: ${maxCalldataFelts}).`,
      );
    }
    if (fields.signature.length > maxSignatureFelts) {
      throw refused(
        'SIGNATURE_TOO_LONG',
        `Signature length exceeded maximum: length ${fields.signature.length} (allowed length: ${maxSignatureFelts}).`,
      );
    }
    if (fields.bounds.l2Gas.maxAmount > maxL2GasAmount) {
      throw refused(
        'MAX_GAS_AMOUNT_TOO_HIGH',
        `Max gas amount is too high: ${fields.bounds.l2Gas.maxAmount}, maximum allowed: ${maxL2GasAmount}.`,
      );
    }
  }

  #checkBounds(fields: InvokeFields): void {
    const { bounds } = fields;
    const covered =
      bounds.l2Gas.maxPricePerUnit >= this.settings.minL2GasPriceFri &&
      coversPrices(bounds, this.chain.latest.prices) &&
      bounds.l2Gas.maxAmount >= intrinsicL2Gas(fields) &&
      bounds.l1DataGas.maxAmount >= dataGasOf(0);
    if (!covered) throw new SpecError(53);
  }

  #isKnown(hash: bigint): boolean {
    const { pool, open } = this.chain;
    return (
      pool.get(hash) !== undefined ||
      open.candidates.some((candidate) => candidate.hash === hash) ||
      open.inclusions.some(({ transaction }) => transaction.hash === hash)
    );
  }

  #checkNonce({ sender, nonce }: InvokeFields): void {
    const expected = this.chain.open.nextNonce(sender);
    if (nonce < expected) throw new SpecError(52, nonceText(sender, expected, nonce));
    const highest = expected + this.settings.maxNonceGap;
    if (nonce <= highest) return;
    throw refused(
      'NONCE_TOO_LARGE',
      `Invalid transaction nonce. Expected: ${toHex(expected)} <= nonce <= ${toHex(highest)}, got: ${toHex(nonce)}.`,
    );
  }

  /**
   * Checks the sender's balance in the accepted state. The balance must cover this transaction
   * only; the costs of the sender's waiting transactions are ignored.
   */
  #checkBalance(fields: InvokeFields): void {
    const state = this.chain.stateAt(this.chain.latest.number);
    if (balanceOf(state, this.chain.feeToken, fields.sender) < maximalFee(fields))
      throw new SpecError(54);
  }
}

/** Returns the error text of a node for a signature that an account rejects. */
export function invalidSignatureText(sender: bigint, world: World): string {
  const frame = {
    address: sender,
    classHash: world.contractAt(sender)?.model.classHash ?? 0n,
    selector: selectorOf('__validate__'),
  };
  const panic =
    "0x4163636f756e743a20696e76616c6964207369676e6174757265 ('Account: invalid signature')";
  return `The \`validate\` entry point panicked with:\nError in contract (${describeFrame(frame)}):\n${panic}.\n`;
}

/** Returns the error text of a node for a nonce that is too low. */
export function nonceText(sender: bigint, expected: bigint, got: bigint): string {
  return `Invalid transaction nonce of contract at address ${toPaddedHex(sender)}. Account nonce: ${expected}; got: ${got}.`;
}

function refused(code: string, text: string): SpecError {
  return new SpecError(63, `StarknetErrorCode.${code}: ${text}`);
}
