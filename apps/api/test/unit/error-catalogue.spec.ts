import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { renderErrors } from '@sotto/documents';
import { ERRORS, RETRIES, STATUS_BY_KIND, isErrorCode, type ErrorCode } from '@sotto/facts';
import { DomainError } from '@sotto/kernel';
import { ROUTES, codesOf } from '@sotto/routes';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
/** Source files of all shipped packages. */
const sources = globSync('{packages,apps}/*/{src,*/src}/**/*.ts', { cwd: root })
  .filter((file) => !/(?:^packages\/dev|\/testing)\//.test(file))
  .map((file) => ({ file, text: readFileSync(`${root}${file}`, 'utf8') }));

const CLASS = /(export )?class (\w+) extends domainError\(\s*'(\w+)'/g;
const declared = sources.flatMap(({ file, text }) =>
  [...text.matchAll(CLASS)].map(([, exported, name = '', code = '']) => ({
    file,
    name,
    code,
    isExported: exported !== undefined,
  })),
);

/** Rows of docs/reference/errors.md, by error code. */
const rows = new Map(
  [
    ...renderErrors().matchAll(
      /^\| `([A-Z0-9_]+)` \| (\d{3}) \| `([\w-]+)` \| (.*?) \| (.*) \|$/gm,
    ),
  ].map(([, code = '', status, retry, meaning, remedy]) => [
    code,
    { status: Number(status), retry, meaning, remedy },
  ]),
);

describe('the catalogue of errors', () => {
  it('the error catalogue has one error class for each code, and each class has a code', () => {
    expect(declared.map(({ code }) => code).toSorted()).toEqual(Object.keys(ERRORS).toSorted());
  });

  it('the error catalogue is the only source of error classes', () => {
    const others = sources.filter(({ text }) => /extends DomainError\b/.test(text));
    expect(others.map(({ file }) => file)).toEqual(['packages/core/kernel/src/errors.ts']);
  });

  it('the error catalogue equals docs/reference/errors.md for each code', () => {
    expect([...rows.keys()].toSorted()).toEqual(Object.keys(ERRORS).toSorted());
    for (const [code, row] of rows) {
      if (!isErrorCode(code)) throw new Error(`${code} is no code`);
      const { kind, retry, meaning, remedy } = ERRORS[code];
      expect(row).toEqual({ status: STATUS_BY_KIND[kind], retry, meaning, remedy });
    }
  });

  it('each meaning and remedy in the error catalogue ends with a full stop', () => {
    for (const { meaning, remedy, retry } of Object.values(ERRORS)) {
      expect(meaning).toMatch(/\.$/);
      expect(remedy).toMatch(/\.$/);
      expect(RETRIES).toHaveProperty(retry);
    }
  });

  it('every listed error code except five HTTP errors is returned by a route', () => {
    const answered = new Set<ErrorCode>(ROUTES.flatMap((definition) => codesOf(definition)));
    const inside = renderErrors().split('## Inside')[1] ?? '';
    const outside = Object.keys(ERRORS).filter((code) => !inside.includes(`| \`${code}\` |`));
    expect(outside.filter((code) => isErrorCode(code) && !answered.has(code)).toSorted()).toEqual([
      'HEADERS_TOO_LARGE',
      'MALFORMED_HTTP',
      'METHOD_NOT_ALLOWED',
      'REQUEST_TIMED_OUT',
      'ROUTE_NOT_FOUND',
    ]);
  });
});

describe.each(declared.filter(({ isExported }) => isExported))(
  'an error of the class $name',
  ({ file, name, code }) => {
    let error: DomainError;
    beforeAll(async () => {
      const module: unknown = await import(`${root}${file}`);
      const errorClass: unknown = Reflect.get(Object(module), name);
      if (typeof errorClass !== 'function') throw new Error(`${file} has no class ${name}`);
      const made: unknown = Reflect.construct(errorClass, [{ retryAfterSeconds: 7 }]);
      if (!(made instanceof DomainError)) throw new Error(`${name} makes no DomainError`);
      error = made;
    });

    it('each error class has the HTTP status and the texts that docs/reference/errors.md lists for its error code', () => {
      expect(rows.get(error.code)).toMatchObject({ status: STATUS_BY_KIND[error.kind] });
      expect(error.code).toBe(code);
      const statics = ['code', 'kind', 'retry', 'meaning', 'remedy'].map(
        (field) => [field, Reflect.get(error.constructor, field)] as const,
      );
      expect(Object.fromEntries(statics)).toEqual({ code, kind: error.kind, ...rowOf(code) });
      expect(error.name).toBe(name);
    });
  },
);

/** Returns the texts of a code in the document, without its status. */
function rowOf(code: string): object {
  const { retry, meaning, remedy } = rows.get(code) ?? {};
  return { retry, meaning, remedy };
}
