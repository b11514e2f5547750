import { once } from 'node:events';
import { createServer } from 'node:http';
import express from 'express';
import { z } from 'zod';

/** Express and nothing else: one route that sends the same bytes. What reads of the service are compared with. */

const { BODY: body, CONTENT_TYPE: contentType } = z.object({ BODY: z.string(), CONTENT_TYPE: z.string() }).parse(process.env);

const app = express();
app.get('/bytes', (_request, response) => {
  response.set('content-type', contentType).send(body);
});
const server = createServer(app).listen(0, '127.0.0.1');
await once(server, 'listening');
const address = server.address();
if (address === null || typeof address === 'string') throw new Error('the server is not listening on a TCP port');
process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${address.port}/bytes` })}\n`);
