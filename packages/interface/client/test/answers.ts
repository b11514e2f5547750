/**
 * Service that records requests sent over `fetch` and returns scripted replies, one for each
 * request.
 */
export interface ScriptedService {
  readonly fetch: (request: Request) => Promise<Response>;
  readonly requests: readonly Request[];
}

/**
 * @param answers replies in the sequence of the requests; if an item is an error, the connection
 *   fails with this error
 */
export function answering(...answers: readonly (Response | Error)[]): ScriptedService {
  const requests: Request[] = [];
  const waiting = [...answers];
  return {
    requests,
    fetch: async (request) => {
      requests.push(request);
      const answer = waiting.shift();
      if (answer === undefined) throw new Error('there are no more answers');
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
}

export function json(
  body: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return Response.json(body, { status, headers });
}

export const failure = {
  error: 'no such submission',
  code: 'SUBMISSION_NOT_FOUND',
  retry: 'never',
  requestId: '0b8f3c1e',
} as const;
