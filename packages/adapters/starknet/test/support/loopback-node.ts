import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { NodeClient, type NodeClientOptions } from '@sotto/adapter-starknet';
import { z } from 'zod';

export { failure } from '@sotto/kernel/testing';

export const RpcRequest = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.int(),
  method: z.string(),
  params: z.record(z.string(), z.unknown()),
});
export type RpcRequest = z.infer<typeof RpcRequest>;

/** Scripted response to one call. */
export type ScriptedAnswer =
  | { readonly result: unknown }
  | { readonly error: { code: unknown; message?: unknown; data?: unknown } };

/**
 * JSON-RPC server on the loopback interface with scripted responses. The server stores all
 * requests.
 */
export class LoopbackNode {
  /** Bodies of the HTTP requests, oldest first. */
  readonly bodies: string[] = [];
  readonly #server: Server;
  readonly #clients: NodeClient[] = [];
  /** Responds to a whole HTTP request. @default each call of the request is passed to `answer` */
  respond: (response: ServerResponse, body: string, request: IncomingMessage) => void = (
    response,
    body,
  ) => {
    const parsed: unknown = JSON.parse(body);
    const reply = Array.isArray(parsed)
      ? parsed.map((call) => this.#reply(call))
      : this.#reply(parsed);
    response.end(JSON.stringify(reply));
  };
  /** Returns the response to one call. */
  answer: (request: RpcRequest) => ScriptedAnswer = () => ({
    error: { code: -32_601, message: 'Method not found' },
  });

  private constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks).toString();
        this.bodies.push(body);
        this.respond(response, body, request);
      });
    });
  }

  static async start(): Promise<LoopbackNode> {
    const node = new LoopbackNode();
    await new Promise<void>((resolve) => node.#server.listen(0, '127.0.0.1', resolve));
    return node;
  }

  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the server has no port');
    return `http://127.0.0.1:${address.port}`;
  }

  /** Creates a client of this node. The client is closed together with the node. */
  client(options: Partial<NodeClientOptions> = {}): NodeClient {
    const client = new NodeClient({
      url: this.url,
      readTimeoutMs: 60_000,
      sendTimeoutMs: 60_000,
      ...options,
    });
    this.#clients.push(client);
    return client;
  }

  /** Returns all received calls, oldest first. */
  calls(): readonly RpcRequest[] {
    return this.bodies.flatMap((body) => {
      const parsed: unknown = JSON.parse(body);
      return (Array.isArray(parsed) ? parsed : [parsed]).map((call) => RpcRequest.parse(call));
    });
  }

  /** Returns the number of calls per HTTP request, in ascending order. */
  batchSizes(): readonly number[] {
    return this.bodies
      .map((body): unknown => JSON.parse(body))
      .map((parsed) => (Array.isArray(parsed) ? parsed.length : 1))
      .toSorted((a, b) => a - b);
  }

  async stop(): Promise<void> {
    for (const client of this.#clients) client.close();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #reply(call: unknown): unknown {
    const request = RpcRequest.parse(call);
    return { jsonrpc: '2.0', id: request.id, ...this.answer(request) };
  }
}
