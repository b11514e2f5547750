import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  print,
  readDocument,
  runProgram,
  say,
  UsageError,
  writeDocument,
} from '@sotto/load-kit/report';
import type { Variables } from '@sotto/process-kit';
import { readArguments } from './arguments.js';
import { renderAttacks } from './attack/attack-report.js';
import type { AttackRow } from './attack/attack.js';
import { attackRows, scenesOf } from './attack/scenes.js';
import { Alerting } from './chaos/alerts.js';
import { CHAOS_CASES } from './chaos/cases.js';
import { chaosFindings, renderChaos, withRow } from './chaos/chaos-report.js';
import { chaosRow } from './chaos/chaos-row.js';
import { ALERTING_FILES } from './chaos/world.js';
import { renderCrashes } from './crash/crash-report.js';
import { crashRow, rowFindings, type CrashRow } from './crash/crash-row.js';
import { CRASH_ENVIRONMENT, CRASH_POINTS } from './crash/points.js';
import { KEEPER_CHAIN, KEEPER_ENVIRONMENT } from './keeper/world.js';
import { keeperFindings, keeperMatrix } from './keeper/keeper-matrix.js';
import { keeperReport, renderKeeperMatrix } from './keeper/keeper-report.js';
import { findings } from './ledger/audit.js';
import { renderOverload } from './overload/overload-report.js';
import { overload, overloadFindings } from './overload/overload.js';
import { RECOVERY_CASES, RECOVERY_ENVIRONMENT } from './recovery/cases.js';
import { renderRecovery } from './recovery/recovery-report.js';
import { recoveryFindings, recoveryRow, type RecoveryRow } from './recovery/recovery-row.js';
import { rowsReport } from './report/tables.js';
import { renderSoak } from './soak/soak-report.js';
import { soak } from './soak/soak.js';
import { Stack } from './stack/stack.js';

/** Result of a command, ready to be printed. */
interface Outcome {
  readonly document: { readonly name: string; readonly text: string };
  readonly report: unknown;
  /** Violated conditions; empty if the run was correct. */
  readonly findings: readonly string[];
}

const commands = {
  soak: async (args: readonly string[]) => {
    const { numbers, ...shown } = readArguments(args, {
      minutes: 30,
      rate: 2,
      reads: 10,
      sample: 10,
    });
    const options = {
      minutes: numbers.minutes,
      withdrawalsPerSecond: numbers.rate,
      readsPerSecond: numbers.reads,
      sampleEverySeconds: numbers.sample,
    };
    return show(shown, async () => {
      const report = await onStack({}, (stack) => soak(stack, options, say));
      return {
        document: { name: 'soak.md', text: renderSoak(report) },
        report,
        findings: findings(report.audit),
      };
    });
  },
  'crash-matrix': async (args: readonly string[]) => {
    const { numbers, flags, ...shown } = readArguments(args, { times: 20, rate: 3 }, ['together']);
    const options = { times: numbers.times, requestsPerSecond: numbers.rate };
    return show(shown, async () => {
      const rows: CrashRow[] = [];
      // Each row of the report runs on a new chain, so that no transaction of another row is
      // counted.
      for (const points of flags.has('together')
        ? [CRASH_POINTS]
        : CRASH_POINTS.map((point) => [point])) {
        const row = await onStack(CRASH_ENVIRONMENT, (stack) =>
          crashRow(stack, points, options, say),
        );
        say(
          `${row.points.join(', ')}: ${row.kills} kills, ${row.submissions} submissions, ${rowFindings(row).length} findings`,
        );
        rows.push(row);
      }
      const report = rowsReport(options, rows);
      return {
        document: { name: 'crash-matrix.md', text: renderCrashes(report) },
        report,
        findings: rows.flatMap(rowFindings),
      };
    });
  },
  'keeper-matrix': async (args: readonly string[]) => {
    const { numbers, ...shown } = readArguments(args, { times: 10 });
    return show(shown, async () => {
      const matrix = await onStack(
        KEEPER_ENVIRONMENT,
        (stack) => keeperMatrix(stack, { times: numbers.times }, say),
        KEEPER_CHAIN,
      );
      const report = keeperReport(numbers.times, matrix);
      return {
        document: { name: 'keeper-matrix.md', text: renderKeeperMatrix(report) },
        report,
        findings: keeperFindings(matrix),
      };
    });
  },
  recovery: async (args: readonly string[]) => {
    const { numbers, ...shown } = readArguments(args, { times: 10, seconds: 10, rate: 3, case: 0 });
    const options = {
      times: numbers.times,
      seconds: numbers.seconds,
      requestsPerSecond: numbers.rate,
    };
    return show(shown, async () => {
      const rows: RecoveryRow[] = [];
      // The case number 0 selects all cases.
      for (const one of numbers.case === 0
        ? RECOVERY_CASES
        : RECOVERY_CASES.slice(numbers.case - 1, numbers.case)) {
        const row = await onStack(RECOVERY_ENVIRONMENT, (stack) =>
          recoveryRow(stack, one, options, say),
        );
        say(
          `${row.name}: ${row.truth.callers} callers, ${row.truth.answered} answered correctly, ${recoveryFindings(row).length} findings`,
        );
        rows.push(row);
      }
      const report = rowsReport(options, rows);
      return {
        document: { name: 'recovery.md', text: renderRecovery(report) },
        report,
        findings: rows.flatMap(recoveryFindings),
      };
    });
  },
  chaos: async (args: readonly string[]) => {
    const { numbers, flags, words, ...shown } = readArguments(
      args,
      { seconds: 5, rate: 2, together: 1, lasts: 12 },
      ['no-alerts'],
      ['fault'],
    );
    const options = {
      seconds: numbers.seconds,
      withdrawalsPerSecond: numbers.rate,
      lasts: numbers.lasts,
    };
    const { fault } = words;
    const cases = CHAOS_CASES.filter(({ name }) => fault === undefined || name === fault);
    if (cases.length === 0) throw new UsageError(`there is no fault '${fault}'`);
    return show(shown, async () => {
      const watches = !flags.has('no-alerts') && Alerting.isInstalled();
      if (!watches) say('alerts are not judged: no Prometheus is on the path, or none is wanted');
      const rows = await inTurns(cases, numbers.together, async (one) => {
        // Each case uses a new Prometheus process. In a shared process, an alert of the previous
        // case would still fire in the next case.
        const row = await withAlerting(watches, (alerting) =>
          chaosRow(one, alerting, options, say),
        );
        say(
          `${row.name}: shown after ${row.shownAfterSeconds?.toFixed(1) ?? '-'} s, paid after ${row.paidAfterSeconds?.toFixed(1) ?? '-'} s, ${row.findings.length} findings`,
        );
        for (const finding of row.findings) say(`  ${row.name}: ${finding}`);
        return row;
      });
      const report = rowsReport(options, rows);
      return {
        document: {
          name: 'chaos.md',
          // If only one fault is run, only the row of this fault is replaced in the report about
          // all faults.
          text:
            fault !== undefined && shown.write
              ? rows.reduce((page, row) => withRow(page, report, row), readDocument('chaos.md'))
              : renderChaos(report),
        },
        report,
        findings: rows.flatMap(chaosFindings),
      };
    });
  },
  overload: async (args: readonly string[]) => {
    const { numbers, ...shown } = readArguments(args, {
      seconds: 60,
      factor: 2,
      reads: 10,
      measure: 20,
      room: 1024,
    });
    const { seconds, factor, reads, measure, room } = numbers;
    return show(shown, async () => {
      const options = { seconds, factor, readsPerSecond: reads, measureSeconds: measure, room };
      const report = await onStack(
        { TRUST_PROXY: '1', MAX_REQUESTS_IN_FLIGHT: String(room) },
        (stack) => overload(stack, options, say),
      );
      return {
        document: { name: 'overload.md', text: renderOverload(report) },
        report,
        findings: overloadFindings(report),
      };
    });
  },
  attack: async (args: readonly string[]) => {
    const { numbers, flags, words, ...shown } = readArguments(
      args,
      { seconds: 20, pace: 1 },
      ['tenfold'],
      ['story'],
    );
    const scenes = scenesOf(words['story'], flags.has('tenfold'));
    return show(shown, async () => {
      const rows: AttackRow[] = [];
      for (const scene of scenes)
        rows.push(
          ...(await onStack(
            scene.service,
            (stack) => attackRows(stack, scene, numbers, say),
            scene.chain,
            scene.profile,
          )),
        );
      const report = rowsReport({ seconds: numbers.seconds }, rows);
      const json = {
        ...report,
        rows: rows.map((row) => ({
          ...row,
          operatorFri: String(row.operatorFri),
          attackerFri: String(row.attackerFri),
        })),
      };
      return {
        document: { name: 'attacks.md', text: renderAttacks(report) },
        report: json,
        findings: rows.flatMap((row) => row.findings),
      };
    });
  },
} as const satisfies Readonly<Record<string, (args: readonly string[]) => Promise<number>>>;

await runProgram(async () => {
  const [name = '', ...args] = process.argv.slice(2);
  const command = Object.entries(commands).find(([known]) => known === name)?.[1];
  if (command === undefined)
    throw new UsageError(`one of ${Object.keys(commands).join(', ')} is needed`);
  return command(args);
});

/** Prints the report and the findings. @returns exit code: 0 without findings, otherwise 1 */
async function show(
  { write, json }: { readonly write: boolean; readonly json: boolean },
  run: () => Promise<Outcome>,
): Promise<number> {
  const { document, report, findings: found } = await run();
  print(json ? JSON.stringify(report) : document.text);
  if (write) await writeDocument(document.name, document.text);
  for (const finding of found) say(finding);
  return found.length === 0 ? 0 : 1;
}

/** Runs `run` for at most `atATime` items at a time and returns the results in input order. */
async function inTurns<T, R>(
  all: readonly T[],
  atATime: number,
  run: (one: T) => Promise<R>,
): Promise<readonly R[]> {
  const results = new Map<number, R>();
  const waiting = [...all.entries()];
  const runNext = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      results.set(next[0], await run(next[1]));
  };
  await Promise.all(Array.from({ length: atATime }, runNext));
  return [...results].toSorted(([left], [right]) => left - right).map(([, result]) => result);
}

/** Runs `work` while Prometheus monitors the services, if alerts are to be judged. */
async function withAlerting<T>(
  watches: boolean,
  work: (alerting: Alerting | null) => Promise<T>,
): Promise<T> {
  if (!watches) return work(null);
  const folder = mkdtempSync(join(tmpdir(), 'sotto-alerting-'));
  const alerting = await Alerting.start(folder, ALERTING_FILES);
  try {
    return await work(alerting);
  } finally {
    await alerting.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs `work` on a new stack. If `work` throws, the ledger and the logs are not deleted. */
async function onStack<T>(
  env: Variables,
  work: (stack: Stack) => Promise<T>,
  chainEnv: Variables = {},
  profile: object = {},
): Promise<T> {
  const stack = await Stack.start(env, chainEnv, [], profile);
  try {
    const result = await work(stack);
    await stack.stop();
    return result;
  } catch (error) {
    say(`ledger and logs are in ${stack.folder}`);
    await stack.stop({ keep: true });
    throw error;
  }
}
