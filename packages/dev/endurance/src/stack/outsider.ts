import {
  NodeClient,
  HeldKeys,
  StarknetAccountSigner,
  StarknetBroadcaster,
  oneNode,
  shortStringFelt,
} from '@sotto/adapter-starknet';
import { Felts, toFelt } from '@sotto/kernel';
import type { KeyedAccount } from '@sotto/process-kit';
import { sandboxWorld } from '@sotto/sandbox';
import { boundsFor } from '@sotto/submission-core';

/** Call that an account outside the service sends, before it is encoded as calldata. */
export interface OutsideCall {
  readonly to: bigint;
  readonly entrypoint: string;
  readonly calldata: readonly bigint[];
}

const LIMITS = { l2Gas: 200_000_000n, l1Gas: 256n, l1DataGas: 20_480n, priceMultiplier: 8n };
const PRICES = {
  l2GasFri: 8_000_000_000n,
  l1GasFri: 40_000_000_000_000n,
  l1DataGasFri: 1_000_000_000n,
};
const [READ_TIMEOUT_MS, SEND_TIMEOUT_MS] = [60_000, 60_000];

/**
 * Account whose private key the service does not have. The nonces of this account are counted here,
 * from 0.
 */
export class Outsider {
  #nonce = 0n;

  constructor(
    private readonly rpcUrl: string,
    private readonly account: KeyedAccount,
  ) {}

  /**
   * Sends each call in a separate transaction, without waiting for its inclusion.
   * @throws Error if the node rejects a transaction
   */
  async send(...calls: readonly OutsideCall[]): Promise<void> {
    const account = toFelt(this.account.address);
    const node = new NodeClient({
      url: this.rpcUrl,
      readTimeoutMs: READ_TIMEOUT_MS,
      sendTimeoutMs: SEND_TIMEOUT_MS,
    });
    const signer = new StarknetAccountSigner({
      chainId: shortStringFelt(sandboxWorld.chainId),
      keys: new HeldKeys([{ address: account, privateKey: toFelt(this.account.privateKey) }]),
    });
    try {
      for (const { to, entrypoint, calldata } of calls) {
        const call = await signer.hashCall({ to: toFelt(to), entrypoint }, Felts.of(calldata));
        const terms = { account, nonce: this.#nonce, bounds: boundsFor(LIMITS, PRICES) };
        const { bytes } = await signer.signCall(call, terms);
        const answer = await new StarknetBroadcaster(oneNode(node)).send(bytes, 'node');
        if (answer.kind !== 'taken')
          throw new Error(`the chain answered ${answer.kind}: ${answer.code}`);
        this.#nonce += 1n;
      }
    } finally {
      node.close();
      await signer.close();
    }
  }
}
