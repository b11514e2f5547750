import { describe, expect, it } from '@jest/globals';
import { figure, figureTable, multiple, part, spread } from '../../src/report/markdown.js';

describe('figures and tables of the report', () => {
  it.each([
    [0, '0'],
    [0.012345, '0.0123'],
    [4.5678, '4.57'],
    [166.4, '166'],
    [2559.62, '2,560'],
    [1_234_567, '1,234,567'],
  ])('the report renders the number %d as %s', (value, text) => {
    expect(figure(value)).toBe(text);
  });

  it('the report renders repeated measurements as their median with minimum and maximum', () => {
    expect(spread({ median: 2, min: 1, max: 3.5, rounds: [1, 2, 3.5] })).toBe('2 (1–3.5)');
  });

  it('the report renders a ratio as a multiple or as a fraction, with its range', () => {
    const rounds = { median: 0.5, min: 0.25, max: 1, rounds: [0.25, 0.5, 1] };
    expect(multiple(rounds)).toBe('0.5× (0.25–1)');
    expect(part(rounds)).toBe('1/2 (1/1–1/4)');
  });

  it('figureTable renders a Markdown table whose numbers are right-aligned', () => {
    expect(figureTable(['a', 'b'], [['1', '2']])).toBe('| a | b |\n| --- | ---: |\n| 1 | 2 |');
  });
});
