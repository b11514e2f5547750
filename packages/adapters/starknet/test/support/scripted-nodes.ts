import { toFelt, type Felt } from '@sotto/kernel';
import { LoopbackNode, RpcRequest, type ScriptedAnswer } from './loopback-node.js';

export const CHAIN = toFelt('0x534e5f54455354');

/** Node on the loopback interface with a scripted chain. */
export class ScriptedNode {
  chainId: Felt = CHAIN;
  head = 100;
  nonce = 7n;
  /**
   * Height of the highest block that this node has in common with the other nodes. The higher
   * blocks of this node are on a different fork.
   */
  forkedAbove = Number.POSITIVE_INFINITY;
  isDown = false;
  /** Returns the response to a call; null if the response of the scripted chain is used. */
  first: (request: RpcRequest) => ScriptedAnswer | null = () => null;

  private constructor(readonly server: LoopbackNode) {
    server.respond = (response, body) => {
      if (this.isDown) {
        response.destroy();
        return;
      }
      const parsed: unknown = JSON.parse(body);
      const reply = (call: RpcRequest): object => ({
        jsonrpc: '2.0',
        id: call.id,
        ...(this.first(call) ?? this.#answer(call)),
      });
      response.end(
        JSON.stringify(
          Array.isArray(parsed)
            ? parsed.map((call) => reply(RpcRequest.parse(call)))
            : reply(RpcRequest.parse(parsed)),
        ),
      );
    };
  }

  static async start(): Promise<ScriptedNode> {
    return new ScriptedNode(await LoopbackNode.start());
  }

  hashOf(number: number): Felt {
    return toFelt(`0x${number > this.forkedAbove ? 'f' : 'b'}${number}`);
  }

  /** Returns the number of received calls of a method. */
  requested(method: string): number {
    return this.server.calls().filter((call) => call.method === method).length;
  }

  #answer({ method, params }: RpcRequest): ScriptedAnswer {
    switch (method) {
      case 'starknet_chainId':
        return { result: this.chainId };
      case 'starknet_blockHashAndNumber':
        return { result: { block_number: this.head, block_hash: this.hashOf(this.head) } };
      case 'starknet_getNonce':
        return { result: `0x${this.nonce.toString(16)}` };
      case 'starknet_getBlockWithTxHashes':
        return this.#block(params);
      case 'starknet_addInvokeTransaction':
        return { result: { transaction_hash: '0xabc' } };
      case 'starknet_getTransactionStatus':
        return { error: { code: 29, message: 'Transaction hash not found' } };
      case 'echo':
        return { result: params['value'] };
      default:
        return { error: { code: -32_601, message: 'Method not found' } };
    }
  }

  #block(params: RpcRequest['params']): ScriptedAnswer {
    const id: unknown = params['block_id'];
    const number =
      typeof id === 'object' && id !== null && 'block_number' in id
        ? Number(id.block_number)
        : this.head;
    if (number > this.head) return { error: { code: 24, message: 'Block not found' } };
    return {
      result: {
        status: 'ACCEPTED_ON_L2',
        block_number: number,
        block_hash: this.hashOf(number),
      },
    };
  }
}
