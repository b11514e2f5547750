import { once } from 'node:events';
import {
  createServer,
  STATUS_CODES,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { planCall, type Ask } from './call-faults.js';
import { OrderRefused, performAction, type FaultControl } from './control.js';
import { Counter } from './counters.js';
import {
  FaultOrder,
  FaultQueue,
  fits,
  isCallFault,
  type CallFault,
  type RequestFault,
} from './faults.js';
import {
  answers,
  readCalls,
  readReplies,
  type Call,
  type CallBody,
  type Reply,
} from './json-rpc.js';
import { Route, Router } from './routes.js';
import { Target, type Delivery, type TargetAnswer } from './target.js';

export interface FaultProxyOptions {
  /**
   * Target URL, for example `http://127.0.0.1:5050/rpc`. A request to `/` is sent to the path of
   * this URL. Any other path is appended to that path.
   */
  readonly target: string;
  /** @default 127.0.0.1 */
  readonly host?: string | undefined;
  /** @default 0, which selects any free port */
  readonly port?: number | undefined;
}

export interface FaultProxy extends FaultControl {
  /** URL for clients of the node. */
  readonly url: string;
  /** URL of the control interface. `POST` requests call the methods of {@link FaultControl}. */
  readonly controlUrl: string;
  /**
   * Closes all connections and stops the server. Requests that are still delayed are never
   * delivered.
   */
  stop(): Promise<void>;
}

/**
 * Time after which an idle connection is closed. This is longer than clients keep idle connections.
 * Otherwise the proxy could close a connection during a request, and cause a fault that no test
 * ordered.
 */
const KEEP_ALIVE_MS = 75_000;
const CONTROL_PATH = '/control';

/**
 * Starts a proxy. One process can run several proxies.
 * @throws Error if the port is in use, TypeError if the target is not a URL
 */
export async function startFaultProxy({
  target,
  host = '127.0.0.1',
  port = 0,
}: FaultProxyOptions): Promise<FaultProxy> {
  const passage = new Passage(new Target(target));
  const server = createServer((request, response) => {
    passage.handle(request, response).catch((error: unknown) => {
      // This failure is not a fault that a test ordered, so return the error to the client.
      if (response.headersSent || response.destroyed) response.destroy();
      else send(response, 502, 'text/plain; charset=utf-8', `fault proxy: ${String(error)}\n`);
    });
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.listen(port, host);
  await once(server, 'listening');
  const url = originOf(server, host);
  return {
    url,
    controlUrl: `${url}${CONTROL_PATH}`,
    addFault: (order) => passage.control.addFault(order),
    clearFaults: () => passage.control.clearFaults(),
    addReplica: (replica) => passage.control.addReplica(replica),
    route: (route) => passage.control.route(route),
    counters: () => passage.control.counters(),
    resetCounters: () => passage.control.resetCounters(),
    stop: () => {
      passage.close();
      return new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

/** Request together with the node that the route selected. */
interface Addressed extends Delivery {
  readonly target: Target;
}

/** Handles each request: applies its fault and forwards it to the target. */
class Passage {
  readonly control: FaultControl;
  readonly #faults = new FaultQueue();
  readonly #counter = new Counter();
  readonly #closing = new AbortController();
  readonly #router: Router<Target>;

  constructor(target: Target) {
    this.#router = new Router(target);
    this.control = {
      addFault: (order) => this.#faults.add(FaultOrder.parse(order)),
      clearFaults: () => this.#faults.clear(),
      addReplica: (replica) => this.#router.add(new Target(replica)),
      route: (route) => this.#router.follow(Route.parse(route)),
      counters: () => this.#counter.read(),
      resetCounters: () => this.#counter.reset(),
    };
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url: path = '/', headers } = request;
    const body = await buffer(request);
    if (method === 'POST' && path === CONTROL_PATH) {
      this.#answerControl(response, body);
      return;
    }
    const calls = readCalls(body);
    const order = this.#faults.take(calls.calls);
    this.#counter.received(calls.calls, order?.fault.kind);
    const target = this.#router.next(calls.calls);
    const delivery: Addressed = { method, path, headers, body, target };
    if (order === undefined) return pass(response, await this.#deliver(delivery, calls.calls));
    const { fault } = order;
    if (!isCallFault(fault))
      return this.#strike(response, fault, () => this.#deliver(delivery, calls.calls));
    const plan = (call: Call): CallFault | undefined => (fits(order, call) ? fault : undefined);
    sendJson(response, await this.#deliverChanged(delivery, calls, plan));
  }

  close(): void {
    this.#closing.abort();
    for (const target of this.#router.targets) target.close();
  }

  async #strike(
    response: ServerResponse,
    fault: RequestFault,
    deliver: () => Promise<TargetAnswer>,
  ): Promise<void> {
    switch (fault.kind) {
      case 'drop-before':
        response.destroy();
        return;
      case 'html':
        sendPage(response, fault.status);
        return;
      case 'rate-limited':
        if (fault.retryAfterSeconds !== undefined)
          response.setHeader('Retry-After', String(fault.retryAfterSeconds));
        send(response, 429, 'application/json', JSON.stringify({ error: 'Too many requests' }));
        return;
      case 'accept-and-drop-answer':
        await deliver();
        response.destroy();
        return;
      case 'accept-and-hang':
        await deliver();
        return;
      case 'cut-answer':
        passHalf(response, await deliver());
        return;
      case 'arrive-late':
        await this.#wait(fault.delayMs);
        pass(response, await deliver());
        return;
      case 'answer-late': {
        const answer = await deliver();
        await this.#wait(fault.delayMs);
        pass(response, answer);
      }
    }
  }

  /** Waits before a delivery or a response. Rejects if the proxy is stopped during the delay. */
  async #wait(delayMs: number): Promise<void> {
    await sleep(delayMs, undefined, { ref: false, signal: this.#closing.signal });
  }

  async #deliver(delivery: Addressed, calls: readonly Call[]): Promise<TargetAnswer> {
    const answer = await delivery.target.deliver(delivery);
    this.#counter.delivered(calls);
    if (calls.length > 0) this.#counter.answered(readReplies(answer.body) ?? []);
    return answer;
  }

  /**
   * Delivers a body in which a fault affects some calls. The other calls and their replies are
   * unchanged.
   */
  async #deliverChanged(
    delivery: Addressed,
    { isBatch, calls }: CallBody,
    faultOf: (call: Call) => CallFault | undefined,
  ): Promise<unknown> {
    const query: Ask = async (call) => {
      const reply = await delivery.target.query(call, delivery);
      this.#counter.delivered([call]);
      this.#counter.answered([reply]);
      return reply;
    };
    const plans = await Promise.all(
      calls.map(async (call) => {
        const fault = faultOf(call);
        return fault === undefined
          ? { call, forward: call, answer: undefined }
          : { call, ...(await planCall(fault, call, query)) };
      }),
    );
    const forward = plans.flatMap((plan) => plan.forward ?? []);
    const replies = forward.length === 0 ? [] : await this.#repliesTo(delivery, forward, isBatch);
    const heard = await Promise.all(
      plans.map(async ({ call, answer }) => {
        const reply = replies.find((each) => answers(each, call));
        return answer === undefined ? reply : answer(reply);
      }),
    );
    const present = heard.filter((reply) => reply !== undefined);
    return isBatch ? present : present[0];
  }

  async #repliesTo(
    delivery: Addressed,
    calls: readonly Call[],
    isBatch: boolean,
  ): Promise<readonly Reply[]> {
    const body = Buffer.from(JSON.stringify(isBatch ? calls : calls[0]));
    const replies = readReplies((await this.#deliver({ ...delivery, body }, calls)).body);
    if (replies === undefined) throw new Error('the target did not answer with JSON-RPC');
    return replies;
  }

  #answerControl(response: ServerResponse, body: Buffer): void {
    try {
      sendJson(response, { result: performAction(this.control, body.toString('utf8')) ?? null });
    } catch (error) {
      if (!(error instanceof OrderRefused)) throw error;
      send(response, 400, 'application/json', JSON.stringify({ error: error.message }));
    }
  }
}

function pass(response: ServerResponse, { status, headers, body }: TargetAnswer): void {
  response.writeHead(status, { ...headers, 'content-length': body.length }).end(body);
}

/** Sends the headers with the full content length, but only half of the body. */
function passHalf(response: ServerResponse, { status, headers, body }: TargetAnswer): void {
  response.writeHead(status, { ...headers, 'content-length': body.length });
  response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.destroy());
}

/** Sends an HTML error page such as reverse proxies send. */
function sendPage(response: ServerResponse, status = 502): void {
  const title = `${status} ${STATUS_CODES[status] ?? ''}`.trim();
  send(
    response,
    status,
    'text/html',
    `<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`,
  );
}

function sendJson(response: ServerResponse, body: unknown): void {
  send(response, 200, 'application/json', JSON.stringify(body) ?? '');
}

function send(response: ServerResponse, status: number, contentType: string, body: string): void {
  response
    .writeHead(status, { 'content-type': contentType, 'content-length': Buffer.byteLength(body) })
    .end(body);
}

function originOf(server: Server, host: string): string {
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('the proxy is not listening on a TCP port');
  return `http://${host}:${address.port}`;
}
