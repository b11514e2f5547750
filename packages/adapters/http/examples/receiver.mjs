// A receiver of Sotto's webhooks, which prints each message once. Run it with
// WEBHOOK_SECRETS=whsec_… TLS_KEY=key.pem TLS_CERT=cert.pem PORT=8443 node receiver.mjs or without
// key and certificate behind a proxy that terminates TLS.
import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';

const { WEBHOOK_SECRETS = '', TLS_KEY, TLS_CERT, HOST = '127.0.0.1', PORT = '8443' } = process.env;
/** Verifiers of the secrets. While a secret is being changed, there are two secrets. */
const verifiers = WEBHOOK_SECRETS.split(',').map((secret) => new Webhook(secret));
/** Maximum size of a message's body, in bytes. A message has about 200 bytes. */
const MAX_BYTES = 4_096;
/** Time in ms for which ids are stored. The service repeats a message for at most this time. */
const REMEMBERED_MS = 25 * 3_600_000;
/**
 * Ids of messages that were or are being handled. A real receiver stores the ids in its database,
 * together with the effect of each message.
 */
const handled = new Map();

/** Handles a message. If this function throws, the service sends the message again. */
async function handle(event) {
  process.stdout.write(`${JSON.stringify(event)}\n`);
}

async function bodyOf(request) {
  const parts = [];
  let bytes = 0;
  for await (const part of request) {
    bytes += part.length;
    if (bytes > MAX_BYTES) throw new WebhookVerificationError('the body is too large');
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

/** Verifies signature and time of a message. The library cannot detect a repeated id. */
function verify(body, headers) {
  for (const verifier of verifiers.slice(0, -1)) {
    try {
      return verifier.verify(body, headers);
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error;
    }
  }
  return verifiers.at(-1).verify(body, headers);
}

async function receive(request) {
  const event = verify(await bodyOf(request), request.headers);
  const id = request.headers['webhook-id'];
  for (const [old, { at }] of handled) if (Date.now() - at > REMEMBERED_MS) handled.delete(old);
  const before = handled.get(id);
  // The same message may arrive again while its first copy is handled. Both requests then get the
  // result of the first copy.
  if (before !== undefined) return before.done;
  const done = handle(event);
  handled.set(id, { at: Date.now(), done });
  try {
    await done;
  } catch (error) {
    handled.delete(id);
    throw error;
  }
}

async function answer(request, response) {
  try {
    await receive(request);
    response.writeHead(204).end();
  } catch (error) {
    response.writeHead(error instanceof WebhookVerificationError ? 400 : 500).end();
  }
}

const server =
  TLS_KEY === undefined || TLS_CERT === undefined
    ? http.createServer()
    : https.createServer({ key: readFileSync(TLS_KEY), cert: readFileSync(TLS_CERT) });
server.on('request', (request, response) => void answer(request, response));
server.listen(Number(PORT), HOST, () => {
  process.stderr.write(`listening on ${HOST}:${server.address().port}\n`);
});
