import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { ROUTES } from '@sotto/routes';
import { buildOpenApi } from '../../src/http/openapi.js';

const page = readFileSync(
  new URL('../../../../docs/consumers/mock-the-service.md', import.meta.url),
  'utf8',
);

/** Requests in the commands of the page: method, path, and preferred example. */
const requested = page
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => /^\s*curl .*Prefer:/.test(line))
  .map((line) => ({
    method: line.includes('--data') ? 'post' : 'get',
    path: /"\$SOTTO([^"?]*)/.exec(line)?.[1] ?? '',
    status: /\bcode=(\d+)/.exec(line)?.[1] ?? '',
    example: /\bexample=(\w+)/.exec(line)?.[1] ?? '',
  }));

describe('the page on mocking the service', () => {
  const document: object = JSON.parse(JSON.stringify(buildOpenApi(ROUTES)));

  it('the page on mocking the service requests three error responses and one successful response', () => {
    expect(requested.map(({ status }) => status)).toEqual(['422', '503', '200', '503']);
  });

  it.each(requested)(
    'the OpenAPI document has the example that the page on mocking the service requests: %o',
    (one) => {
      const { method, path, status, example } = one;
      expect(document).toHaveProperty(
        ['paths', path, method, 'responses', status, 'content', 'application/json', 'examples'],
        expect.objectContaining({ [example]: expect.anything() }),
      );
    },
  );
});
