import { describe, expect, it, jest } from '@jest/globals';
import { DomainError, type LogFields, type Logger } from '@sotto/kernel';
import { createLogger, type LogLevel } from '../../src/index.js';

class NodeAsleep extends DomainError {
  readonly code = 'NODE_ASLEEP';
  readonly kind = 'unavailable';
}

interface Line {
  readonly [name: string]: unknown;
}

function recorded(
  level: LogLevel,
  write: (logger: Logger) => void,
): { text: string; lines: Line[] } {
  const chunks: string[] = [];
  write(createLogger({ level, destination: { write: (line) => void chunks.push(line) } }));
  return { text: chunks.join(''), lines: chunks.map((chunk): Line => JSON.parse(chunk)) };
}

/** Returns fields that the types forbid. A wrong type cast could pass such fields. */
function smuggled(fields: object): LogFields {
  // CAST: the point of these tests is what happens when the types were got round.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return fields as LogFields;
}

describe('createLogger', () => {
  it('createLogger writes one JSON line with time, level, message and fields', () => {
    const { text, lines } = recorded('info', (logger) =>
      logger.info({ attempt: 2, code: null, ok: true }, 'settled'),
    );
    expect(text.endsWith('\n')).toBe(true);
    expect(lines).toEqual([
      {
        level: 'info',
        time: expect.stringMatching(/^\d{4}-.*Z$/),
        attempt: 2,
        code: null,
        ok: true,
        message: 'settled',
      },
    ]);
  });

  it('O9: log lines of a submission contain the id of the request that created the submission', () => {
    const { lines } = recorded('info', (logger) => {
      logger.info({ submission: 's1' }, 'before');
      logger.debug({ requestId: 'r1', submission: 's1' }, 'accepted');
      logger.info({ submission: 's1', nonce: '7' }, 'sent');
      logger.info({ submission: 's2' }, 'another one');
      logger.info({ requestId: 'r2', submission: 's1' }, 'repeated');
      logger.info({ submission: 's1' }, 'settled');
    });
    expect(lines.map(({ requestId }) => requestId)).toEqual([
      undefined,
      'r1',
      undefined,
      'r2',
      'r1',
    ]);
  });

  it('O9: the logger removes the request ids of the oldest submissions first', () => {
    const { lines } = recorded('warn', (logger) => {
      for (let i = 0; i <= 4_096; i += 1)
        logger.info({ requestId: `r${i}`, submission: `s${i}` }, 'accepted');
      for (const submission of ['s0', 's1', 's4096']) logger.warn({ submission }, 'sent');
    });
    expect(lines.map(({ requestId }) => requestId)).toEqual([undefined, 'r1', 'r4096']);
  });

  it('the logger writes the current time in each log line', () => {
    jest.useFakeTimers({ now: 1_000 });
    try {
      const { lines } = recorded('info', (logger) => {
        for (const ms of [0, 0, 1, -2]) {
          jest.setSystemTime(Date.now() + ms);
          logger.info({}, 'x');
        }
      });
      expect(lines.map(({ time }) => Date.parse(String(time)))).toEqual([1_000, 1_000, 1_001, 999]);
    } finally {
      jest.useRealTimers();
    }
  });

  it('the logger omits log lines below the configured level', () => {
    const { lines } = recorded('warn', (logger) => {
      logger.debug({}, 'a');
      logger.info({}, 'b');
      logger.warn({}, 'c');
      logger.error({}, 'd');
    });
    expect(lines.map(({ message }) => message)).toEqual(['c', 'd']);
  });

  it('the logger writes no line if the level is `silent`', () => {
    expect(recorded('silent', (logger) => logger.error({}, 'x')).text).toBe('');
  });

  it('the logger prints name, code and message of a domain error, without its details', () => {
    const cause = Object.assign(new Error('connect 10.1.2.3'), {
      config: { url: 'https://node/marker-key' },
    });
    const failure = new NodeAsleep('the node does not answer', {
      cause,
      details: { host: 'marker-host' },
    });
    const { text, lines } = recorded('info', (logger) =>
      logger.warn({ error: failure }, 'read failed'),
    );
    expect(lines[0]?.['error']).toEqual({
      name: 'NodeAsleep',
      code: 'NODE_ASLEEP',
      message: 'the node does not answer',
      causes: ['Error'],
    });
    expect(text).not.toMatch(/marker|10\.1\.2\.3/);
  });

  it('the logger prints the code of an error’s cause, but omits a code that is free text', () => {
    const refused = Object.assign(new Error('connect marker'), { code: 'ECONNREFUSED' });
    const quoting = Object.assign(new Error('no'), { code: 'marker says: https://node/key' });
    const { text, lines } = recorded('info', (logger) =>
      logger.warn(
        {
          asleep: new NodeAsleep('asleep', {
            cause: new Error('fetch failed', { cause: refused }),
          }),
          quoting: new NodeAsleep('asleep', { cause: quoting }),
        },
        'read failed',
      ),
    );
    expect(lines[0]?.['asleep']).toMatchObject({ causeCode: 'ECONNREFUSED' });
    expect(lines[0]?.['quoting']).not.toHaveProperty('causeCode');
    expect(text).not.toContain('marker');
  });

  it('the logger prints all domain errors in a chain of causes, and stops at a cycle', () => {
    const outer = new TypeError('outer', { cause: new NodeAsleep('inner') });
    const cyclic = new Error('cyclic');
    cyclic.cause = cyclic;
    const { lines } = recorded('info', (logger) => logger.error({ outer, cyclic }, 'both'));
    expect(lines[0]?.['outer']).toMatchObject({ causes: ['NodeAsleep NODE_ASLEEP'] });
    expect(lines[0]?.['cyclic']).not.toHaveProperty('causes');
  });

  it('the logger prints an unexpected error with its stack, but without its properties', () => {
    const bug = Object.assign(
      new SyntaxError('Unexpected token at 0xdeadbeefdeadbeef and 123456789012345678'),
      {
        details: { a: 'marker' },
        body: 'marker',
      },
    );
    const { text, lines } = recorded('info', (logger) => logger.error({ error: bug }, 'failed'));
    expect(lines[0]?.['error']).toMatchObject({
      name: 'SyntaxError',
      message: 'Unexpected token at … and …',
      stack: expect.arrayContaining([expect.stringContaining('create-logger.spec')]),
    });
    expect(text).not.toMatch(/marker|deadbeef|123456789012/);
  });

  it('the logger omits objects, functions and fields with secret names', () => {
    const fields = smuggled({
      body: { a: 'marker' },
      list: ['marker'],
      amount: 10n,
      run: () => 'marker',
      privateKey: 'marker',
      calldata: 'marker',
      long: 'x'.repeat(10_000),
    });
    const { text, lines } = recorded('info', (logger) => logger.info(fields, 'odd'));
    expect(lines[0]).toMatchObject({
      body: '[omitted]',
      list: '[omitted]',
      amount: '[omitted]',
      run: '[omitted]',
      privateKey: '[omitted]',
      calldata: '[omitted]',
    });
    expect(text).not.toContain('marker');
    expect(text.length).toBeLessThan(700);
  });
});
