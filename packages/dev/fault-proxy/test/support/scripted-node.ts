import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

type Json = Readonly<Record<string, unknown>>;

/**
 * Scripted JSON-RPC server on the loopback interface, which records request bodies. The scripted
 * chain ends at block 10.
 */
export class ScriptedNode {
  /** Received request bodies, oldest first. */
  readonly bodies: unknown[] = [];
  readonly requests: IncomingMessage[] = [];
  connections = 0;
  /** Returns `result` or `error` of the reply to a call. Tests replace this function. */
  answer: (call: Json) => Json = (call) => ({
    result: RESULTS[String(call['method'])] ?? call['params'] ?? null,
  });
  /** Sends the response to an HTTP request. Tests replace this function. */
  respond: (response: ServerResponse, body: string) => void = (response, body) => {
    const parsed: unknown = JSON.parse(body);
    const reply = (call: unknown): Json => ({
      jsonrpc: '2.0',
      id: Object(call).id,
      ...this.answer(Object(call)),
    });
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify(Array.isArray(parsed) ? parsed.map(reply) : reply(parsed)));
  };

  private constructor(private readonly server: Server) {}

  static async start(): Promise<ScriptedNode> {
    const server = createServer();
    const node = new ScriptedNode(server);
    server.on('connection', () => {
      node.connections += 1;
    });
    server.on(
      'request',
      (request: IncomingMessage, response: ServerResponse) => void node.#take(request, response),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return node;
  }

  get url(): string {
    const address = this.server.address();
    if (address === null || typeof address === 'string') throw new Error('the server has no port');
    return `http://127.0.0.1:${address.port}`;
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = (await buffer(request)).toString();
    this.requests.push(request);
    this.bodies.push(body === '' ? undefined : JSON.parse(body));
    this.respond(response, body);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** Results by method. Every other method returns its parameters. */
const RESULTS: Readonly<Record<string, unknown>> = {
  starknet_chainId: '0x534e5f5345504f4c4941',
  starknet_blockNumber: 10,
  starknet_blockHashAndNumber: { block_hash: '0xaa', block_number: 10 },
  starknet_getBlockWithTxHashes: { block_hash: '0x77', block_number: 7, transactions: [] },
  starknet_getNonce: '0x5',
  starknet_addInvokeTransaction: { transaction_hash: '0xabc' },
};
