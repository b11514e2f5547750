import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { z } from 'zod';
import { REFUSALS, Refused, type RefusalCode } from '../refusal.js';
import { InvokeRequest, MessageRequest } from '../requests.js';
import type { Signer } from '../signer.js';

/** Maximum size of a request body in bytes, which exceeds the size of 8,192 felts. */
const MAX_BODY_BYTES = 640 * 1024;
const OK = 200;

type Route = (body: unknown) => object;

/** Serves the protocol of docs/signer.md. @param refused called for each rejection */
export function signerHandler(
  signer: Signer,
  refused: (code: RefusalCode, error: unknown) => void,
): RequestListener {
  const routes: Readonly<Record<string, Route>> = {
    'GET /v1/accounts': () => signer.accounts(),
    'POST /v1/sign/invoke': (body) => signer.signInvoke(parsed(InvokeRequest, body)),
    'POST /v1/sign/message': (body) => signer.signMessage(parsed(MessageRequest, body)),
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      const name = `${request.method} ${request.url}`;
      const route = Object.hasOwn(routes, name) ? routes[name] : undefined;
      if (route === undefined) throw new Refused('SIGNER_NOT_FOUND');
      const text = await readBody(request);
      send(response, OK, route(request.method === 'GET' ? undefined : json(text)));
    } catch (error) {
      const code = error instanceof Refused ? error.code : 'SIGNER_FAILED';
      refused(code, error);
      if (!request.complete) response.setHeader('connection', 'close');
      if (!response.destroyed) send(response, REFUSALS[code], { code });
    }
  };
  return (request, response) => void handle(request, response);
}

function send(response: ServerResponse, status: number, body: object): void {
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': bytes.length,
  });
  response.end(bytes);
}

/** @throws Refused */
async function readBody(request: IncomingMessage): Promise<string> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES)
    throw new Refused('SIGNER_BODY_TOO_LARGE');
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request) {
      const bytes = Buffer.from(chunk);
      size += bytes.length;
      if (size > MAX_BODY_BYTES) throw new Refused('SIGNER_BODY_TOO_LARGE');
      chunks.push(bytes);
    }
  } catch (error) {
    if (error instanceof Refused) throw error;
    throw new Refused('SIGNER_REQUEST_INVALID');
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** @throws Refused */
function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refused('SIGNER_REQUEST_INVALID');
  }
}

/** @throws Refused */
function parsed<T>(schema: z.ZodType<T>, body: unknown): T {
  const result = schema.safeParse(body);
  if (!result.success) throw new Refused('SIGNER_REQUEST_INVALID');
  return result.data;
}
