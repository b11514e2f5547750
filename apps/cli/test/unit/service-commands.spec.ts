import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from '@jest/globals';
import { operatedSubmissions, operatorStatus } from '@sotto/routes';
import { Follower } from '../../src/commands/follow.js';
import { operatedService } from '../../src/service.js';
import { run } from './terminal.js';

const TOKEN = 'operators-token-0123456789-0123456789';
const { submissions } = operatedSubmissions.replies[200].examples.page.value;
const [waiting, succeeded] = submissions;
const status = Object.values(operatorStatus.replies[200].examples)[0]?.value;

type Listener = (request: IncomingMessage, response: ServerResponse, body: string) => void;

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/**
 * Starts a service that serves callers with the API token. @returns its URL and the token as
 * environment variables
 */
async function service(listener: Listener): Promise<Record<string, string>> {
  const server = createServer((request, response) => {
    void (async () => {
      const body = await text(request);
      if (request.headers.authorization === `Bearer ${TOKEN}`) listener(request, response, body);
      else response.writeHead(401).end('{"code": "OPERATOR_UNAUTHORIZED"}');
    })();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  closers.push(() => {
    server.close();
    server.closeAllConnections();
  });
  // CAST: the server listens on a port.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { port } = server.address() as AddressInfo;
  return { SOTTO_URL: `http://127.0.0.1:${port}`, OPERATOR_API_TOKEN: TOKEN };
}

const requested: string[] = [];
const page: Listener = (request, response, body) => {
  requested.push(`${request.method} ${request.url} ${body}`);
  response.end(JSON.stringify({ submissions, next: '1-2' }));
};

describe('lanes', () => {
  it('the command lanes lists lanes with their state and balance', async () => {
    const env = await service((_, response) => response.end(JSON.stringify(status)));
    const { exitCode, results } = await run(['lanes'], env);
    expect(exitCode).toBe(0);
    expect(results.join('\n')).toMatch(
      /^ACCOUNT +ROLE +STATE +WHY +OPEN +NONCE +STRK\n0x7a1e5f +relay/,
    );
    const json = await run(['lanes', '--json'], env);
    expect(JSON.parse(json.results.join(''))).toEqual(status?.lanes);
  });

  it('the command lanes prints the service’s rejection without the API token', async () => {
    const env = { ...(await service(() => {})), OPERATOR_API_TOKEN: 'another-token' };
    const { exitCode, results, progress } = await run(['lanes'], env);
    expect({ exitCode, results }).toEqual({ exitCode: 2, results: [] });
    expect(progress).toEqual(['the service refuses with 401 OPERATOR_UNAUTHORIZED']);
  });

  it('the command lanes uses the API token of the service’s environment only if there is exactly one token', async () => {
    const { OPERATOR_API_TOKEN: _own, ...env } = await service((_, response) =>
      response.end(JSON.stringify(status)),
    );
    const one = { ...env, OPERATOR_API_TOKENS: JSON.stringify({ alice: TOKEN }) };
    expect(await run(['lanes'], one)).toMatchObject({ exitCode: 0 });
    const two = JSON.stringify({ alice: TOKEN, bob: `${TOKEN}-of-bob` });
    const { exitCode, progress } = await run(['lanes'], { ...env, OPERATOR_API_TOKENS: two });
    expect({ exitCode, progress }).toEqual({
      exitCode: 2,
      progress: [expect.stringMatching(/^no operator’s token: set OPERATOR_API_TOKEN/)],
    });
    const cut = await run(['lanes'], { ...env, OPERATOR_API_TOKENS: `{"alice": "${TOKEN}` });
    expect(cut).toMatchObject({ exitCode: 2 });
    expect(cut.progress.join('')).not.toContain(TOKEN);
  });

  it('the command lanes prints the reason why the service is unreachable', async () => {
    const env = { SOTTO_URL: 'http://127.0.0.1:1', OPERATOR_API_TOKEN: TOKEN };
    const { exitCode, progress } = await run(['lanes'], env);
    expect(exitCode).toBe(2);
    expect(progress.join('')).toMatch(/^the service can not be reached/);
  });
});

describe('a service behind a path of a proxy', () => {
  it.each(['/relayer', '/relayer/'])(
    'a service behind a proxy is queried below the path prefix %s',
    async (prefix) => {
      const env = await service((request, response, body) => {
        if (request.url === '/relayer/api/operator/events') response.end();
        else page(request, response, body);
      });
      const at = { ...env, SOTTO_URL: `${env['SOTTO_URL']}${prefix}` };
      expect((await run(['submissions', '--limit', '2'], at)).exitCode).toBe(0);
      expect(requested.at(-1)).toBe('GET /relayer/api/operator/submissions?limit=2 ');
    },
  );
});

describe('submissions', () => {
  it('the command submissions prints one page of matching submissions and the cursor of the next page', async () => {
    const env = await service(page);
    const args = ['submissions', '--state', 'succeeded', '--pool', 'sentinel_1x', '--limit', '2'];
    const { results, progress } = await run(args, env);
    expect(requested.at(-1)).toBe(
      'GET /api/operator/submissions?state=succeeded&pool=sentinel_1x&limit=2 ',
    );
    expect(results.join('\n')).toContain(succeeded?.id);
    expect(progress).toEqual(['more: --after 1-2']);
  });

  it('the command submissions sends a searched hash in the request body, so that no URL contains the hash', async () => {
    const env = await service(page);
    const { results } = await run(['submissions', '--search', '0x7', '--json'], env);
    expect(requested.at(-1)).toBe('POST /api/operator/submissions/search {"text":"0x7"}');
    expect(JSON.parse(results.join(''))).toEqual({ submissions, next: null });
  });
});

describe('follow', () => {
  it('the command follow prints the list of submissions, and then each change once', async () => {
    const changed = { ...waiting, state: 'broadcast' };
    const env = await service((request, response, body) => {
      if (request.url !== '/api/operator/events') return page(request, response, body);
      response.setHeader('content-type', 'text/event-stream');
      response.write('retry: 3000\n\nid: 1\nevent: resync\ndata: {}\n\n: \n\n');
      for (const submission of [succeeded, changed])
        response.write(`event: submission\ndata: ${JSON.stringify(submission)}\n\n`);
    });
    const ended = new AbortController();
    const { exitCode, results } = await run(['follow', '--json'], env, {
      interrupted: ended.signal,
      heard: (line) => {
        if (line.includes('"broadcast"')) ended.abort();
      },
    });
    expect(exitCode).toBe(0);
    expect(results.map((line) => JSON.parse(line))).toEqual([succeeded, waiting, changed]);
  });

  it('the command follow connects to the event stream again if no data arrives', async () => {
    const ended = new AbortController();
    let streams = 0;
    const env = await service((_, response) => {
      streams += 1;
      response.setHeader('content-type', 'text/event-stream');
      response.write('retry: 3000\n\n');
      if (streams === 2) ended.abort();
    });
    const progress: string[] = [];
    const terminal = {
      env,
      nodeOptions: [],
      result: () => {},
      progress: (line: string) => void progress.push(line),
      interrupted: ended.signal,
    };
    await new Follower(operatedService({}, env), terminal, false, 100).run();
    expect(streams).toBe(2);
    expect(progress).toContain('the stream is silent');
  });

  it('the command follow ends if the service rejects the request', async () => {
    const env = { ...(await service(() => {})), OPERATOR_API_TOKEN: 'another-token' };
    expect(await run(['follow'], env)).toMatchObject({ exitCode: 2, results: [] });
  });
});

describe('output', () => {
  it('the output of a command with --json is one JSON value, even if the command fails', async () => {
    const refusing = await service((_, response) => response.writeHead(503).end('<html>'));
    for (const [args, env] of [
      [['lanes', '--json'], {}],
      [['lanes', '--json'], refusing],
      [['lanes', '--json', '--unknown'], {}],
      [['backup', '--json'], {}],
      [['check-config', '--json', '--env-file', '/nowhere'], {}],
    ] as const) {
      const { exitCode, results } = await run(args, env);
      expect(exitCode).toBe(2);
      expect(JSON.parse(results.join(''))).toEqual({ error: expect.any(String) });
    }
  });

  it('the output of a command contains no control characters that a node or service sent', async () => {
    const revertReason = 'no\u001b[2J\u009b1A\u202e\nfaked  row';
    const hostile: Listener = (_, response) =>
      response.end(
        JSON.stringify({
          submissions: [{ ...waiting, code: null, state: 'reverted', revertReason }],
          next: null,
        }),
      );
    const env = await service(hostile);
    const shown = (await run(['submissions'], env)).results.join('');
    expect(shown).toContain('no\\u{1b}[2J');
    expect(shown).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
    expect(shown.split('\n')).toHaveLength(2);
    const json = (await run(['submissions', '--json'], env)).results.join('');
    expect(json).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
    expect(JSON.parse(json).submissions[0].revertReason).toBe(revertReason);
  });

  it('the command follow continues after the service was unavailable', async () => {
    let times = 0;
    const over = new AbortController();
    const env = await service((_, response) => {
      times += 1;
      if (times === 1) response.writeHead(503).end('{}');
      else {
        response.end();
        over.abort();
      }
    });
    const { exitCode, progress } = await run(['follow'], env, { interrupted: over.signal });
    expect({ exitCode, times }).toEqual({ exitCode: 0, times: 2 });
    expect(progress).toContain('the service refuses with 503');
  });
});
