import type { NodeClient, RawAnswer } from '../rpc/node-client.js';

/** Nodes by name, for sending transactions. */
export interface SendingNodes {
  /**
   * Returns the name of the node for the next send: the node that reads use. If the bytes were
   * already sent to `last` without success, returns another working node.
   */
  nodeForSend(last: string | null): string;
  /** Sends one request to exactly this node and never repeats the request. Never rejects. */
  sendTo(name: string, method: string, parameter: string, params: Uint8Array): Promise<RawAnswer>;
}

/** Wraps a single node under the given name. */
export function oneNode(client: Pick<NodeClient, 'sendRaw'>, name = 'node-0'): SendingNodes {
  return {
    nodeForSend: () => name,
    sendTo: async (_name, ...request) => client.sendRaw(...request),
  };
}
