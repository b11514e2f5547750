import type { Broadcaster, SendAnswer } from '@sotto/submission-core';
import { classifySendAnswer } from './classify-send-answer.js';
import type { NodeClient } from './rpc/node-client.js';

/** Sends invoke transactions to the node: one send is one request. */
export class StarknetBroadcaster implements Broadcaster {
  constructor(private readonly node: Pick<NodeClient, 'sendRaw'>) {}

  async send(bytes: Uint8Array): Promise<SendAnswer> {
    return classifySendAnswer(
      await this.node.sendRaw('starknet_addInvokeTransaction', 'invoke_transaction', bytes),
    );
  }
}
