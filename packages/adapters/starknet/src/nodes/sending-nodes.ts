import type { NodeClient, RawAnswer } from '../rpc/node-client.js';

/** Nodes by their names, for what is sent. */
export interface SendingNodes {
  /**
   * The node that a send is to go to: the one in use; another one that works, where the bytes have
   * gone to `last` and nothing came of it.
   */
  nodeForSend(last: string | null): string;
  /** One request to exactly this node, never repeated. Resolves whatever happens. */
  sendTo(name: string, method: string, parameter: string, params: Uint8Array): Promise<RawAnswer>;
}

/** A single node under a name. */
export function oneNode(client: Pick<NodeClient, 'sendRaw'>, name = 'node-0'): SendingNodes {
  return {
    nodeForSend: () => name,
    sendTo: async (_name, ...request) => client.sendRaw(...request),
  };
}
