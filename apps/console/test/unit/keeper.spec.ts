import { describe, expect, it } from '@jest/globals';
import { Keeper } from '../../src/keeper.js';
import { pressed, textOf } from './rendered.js';
import { sessionOf, status, subject, task } from './examples.js';

const keeperOf = (...tasks: Parameters<typeof task>[0][]) => {
  const shown = tasks.map((changes) => task(changes));
  const session = sessionOf(status({ keeper: { alerts: [], tasks: shown } }));
  return { session, page: Keeper({ session }) };
};

describe('the keeper', () => {
  it('the console displays a keeper task with its description, its state and its used budgets', () => {
    const { page } = keeperOf({});
    expect(textOf(page)).toContain(
      'curator Moves the idle funds of a vault into the vault’s strategy. runs 0.480 of 50.000 1.200 of 300.000 0 Pause',
    );
  });

  it.each([
    [{ held: false }, 'on, and held by no process'],
    [{ on: false, held: false }, 'off'],
    [{ paused: { reason: 'an upgrade', since: 940 } }, 'paused an upgrade , for 1 min'],
  ])('the console displays a keeper task with %j as: %s', (changes, said) => {
    expect(textOf(keeperOf(changes).page)).toContain(` ${said} `);
  });

  it('the console displays the reason why the keeper does not act on a subject', () => {
    const { page } = keeperOf({ subjects: [subject()] });
    expect(textOf(page)).toContain(
      'Subjects of curator Subjects of curator with their last checks Subject Last check From Acted Action sentinel skipped · NOT_SETTLED for 5 min Its funds settle. idleSats 12 2 min ago Pause',
    );
  });

  it('the console displays a paused keeper subject that was never checked', () => {
    const { page } = keeperOf({
      subjects: [
        subject({
          paused: { reason: 'by hand', since: 940 },
          outcome: null,
          reason: null,
          meaning: null,
          since: null,
          details: {},
          lastActed: null,
        }),
      ],
    });
    expect(textOf(page)).toContain('sentinel paused none within a day – – Resume');
  });

  it('the console’s buttons pause or resume a keeper task or one of its subjects', () => {
    const { session, page } = keeperOf(
      { subjects: [subject(), subject({ subject: 'other', paused: { reason: 'x', since: 1 } })] },
      { task: 'treasury', paused: { reason: 'x', since: 1 } },
    );
    const titles = Array.from(pressed(page), () => session.action.value?.title);
    expect(titles).toEqual([
      'Pause task curator',
      'Resume task treasury',
      'Pause task curator for sentinel',
      'Resume task curator for other',
    ]);
  });

  it('the console displays that no keeper task could be read', () => {
    expect(textOf(keeperOf().page)).toContain('No task is known, or none could be read.');
  });
});
