import type { Broadcaster, SendAnswer } from '@sotto/submission-core';
import { classifySendAnswer } from './classify-send-answer.js';
import type { SendingNodes } from './nodes/sending-nodes.js';

/** Sends invoke transactions. Each send is one request to one node. */
export class StarknetBroadcaster implements Broadcaster {
  constructor(private readonly nodes: SendingNodes) {}

  nodeFor(last: string | null): string {
    return this.nodes.nodeForSend(last);
  }

  async send(bytes: Uint8Array, node: string): Promise<SendAnswer> {
    return classifySendAnswer(
      await this.nodes.sendTo(node, 'starknet_addInvokeTransaction', 'invoke_transaction', bytes),
    );
  }
}
