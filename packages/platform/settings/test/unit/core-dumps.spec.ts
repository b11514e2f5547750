import { describe, expect, it } from '@jest/globals';
import { mayDumpCore } from '../../src/index.js';

const limits = (core: string): string =>
  `Limit                     Soft Limit           Hard Limit           Units     \nMax stack size            8388608              unlimited            bytes     \nMax core file size        ${core}                    unlimited            bytes     \n`;

const unreadable = (): string => {
  throw new Error('no such file');
};

describe('core dumps', () => {
  it.each([
    ['0', false],
    ['1024', true],
    ['unlimited', true],
  ])('mayDumpCore for a core file size limit of %s returns %s', (core, may) => {
    expect(mayDumpCore(() => limits(core))).toBe(may);
  });

  it('mayDumpCore returns false if the limit is unknown', () => {
    expect(mayDumpCore(unreadable)).toBe(false);
    expect(mayDumpCore(() => 'another text')).toBe(false);
  });

  it('mayDumpCore reads the limits of its own process', () => {
    const paths: string[] = [];
    mayDumpCore((path) => {
      paths.push(path);
      return limits('0');
    });
    expect(paths).toEqual(['/proc/self/limits']);
  });
});
