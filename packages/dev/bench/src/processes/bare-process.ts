import { once } from 'node:events';
import { createServer } from 'node:http';
import express from 'express';
import { z } from 'zod';

/**
 * Express server with a single route that sends the same bytes and headers as the service. Reads of
 * the service are compared with reads of this server.
 */

const {
  BODY: body,
  HEADERS,
  KEEP_ALIVE_MS: keepAliveTimeout,
} = z
  .object({ BODY: z.string(), HEADERS: z.string(), KEEP_ALIVE_MS: z.coerce.number() })
  .parse(process.env);
const headers = z.record(z.string(), z.string()).parse(JSON.parse(HEADERS));

const app = express();
// Disable both options: they would add headers, and `etag` would also hash each response. If the
// service sends an ETag, the headers of this server already contain it.
app.disable('x-powered-by');
app.disable('etag');
app.get('/bytes', (_request, response) => {
  response.set(headers).send(body);
});
const server = createServer({ keepAliveTimeout }, app).listen(0, '127.0.0.1');
await once(server, 'listening');
const address = server.address();
if (address === null || typeof address === 'string')
  throw new Error('the server is not listening on a TCP port');
process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${address.port}/bytes` })}\n`);
