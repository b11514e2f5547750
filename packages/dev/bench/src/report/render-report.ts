import { figureTable, type Circumstances } from '@sotto/load-kit/report';
import type { Finding } from '../bench.js';
import { CASES, type CaseName } from '../cases/cases.js';
import type { Plan } from '../plan.js';
import { nativeSource, readNativeRun } from '../measure/native.js';

/** Results of one run. */
export interface Report {
  readonly where: Circumstances;
  /** Duration of the run, in s. */
  readonly seconds: number;
  readonly plan: Plan;
  readonly findings: Readonly<Partial<Record<CaseName, Finding>>>;
}

/** Renders the report as Markdown: circumstances, summary, and one section per case. */
export function renderReport({ where, seconds, plan, findings }: Report): string {
  const { processor, cores, node, loadBefore, commit, changed, date } = where;
  const found = Object.values(findings);
  const headlines = found.flatMap((finding) => finding.headlines);
  const sections = Object.entries(findings).map(
    ([name, { text }]) => `### ${titleOf(name)}\n\n${text}`,
  );
  return [
    `Measured on ${date} at commit \`${commit}\`${changed ? ' with changes' : ''}: ${processor}, ${cores} cores, Node ${node}, all processes on this machine; load average before the run ${loadBefore.toFixed(1)}; ${seconds} s in total. ` +
      `Figures are medians of ${plan.rounds} rounds, with minimum and maximum in brackets.`,
    ...(headlines.length === 0
      ? []
      : [
          figureTable(
            [
              'Figure',
              'Sotto',
              'usual flow',
              'usual flow with our hash',
              'native limit',
              'ratio',
              'target',
            ],
            headlines.map(
              ({ what, sotto, usual = '', ourHash = '', native = '', ratio = '', wanted }) => [
                what,
                sotto,
                usual,
                ourHash,
                native,
                ratio,
                wanted,
              ],
            ),
          ),
          nativeSource(readNativeRun(), processor),
        ]),
    ...sections,
  ].join('\n\n');
}

function titleOf(name: string): string {
  return Object.entries(CASES).find(([known]) => known === name)?.[1].title ?? name;
}
