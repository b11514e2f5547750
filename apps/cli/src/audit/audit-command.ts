import { AuditUsage, readAuditOptions } from './audit-options.js';
import { EXIT_CODES, describeReport } from './audit-report.js';
import { auditSite } from './run-audit.js';

/**
 * Compares a ledger with its chain, prints the report and changes nothing.
 * @returns the exit code
 */
export async function audit(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  try {
    const options = readAuditOptions(args, env);
    const report = await auditSite(
      options,
      (text) => void process.stderr.write(`sotto audit · ${text}\n`),
    );
    process.stdout.write(`${options.json ? JSON.stringify(report) : describeReport(report)}\n`);
    return EXIT_CODES[report.result];
  } catch (error) {
    if (error instanceof AuditUsage) process.stderr.write(`${error.message}\n`);
    else
      process.stderr.write(
        `the audit could not begin: ${error instanceof Error ? error.message : String(error)}\n`,
      );
    return EXIT_CODES.unread;
  }
}
