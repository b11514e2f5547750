import { AuditUsage, readAuditOptions } from './audit/audit-options.js';
import { EXIT_CODES, describeReport } from './audit/audit-report.js';
import { auditSite } from './audit/run-audit.js';

const UNREAD = EXIT_CODES.unread;

async function main(): Promise<number> {
  try {
    const options = readAuditOptions(process.argv.slice(2), process.env);
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
    return UNREAD;
  }
}

process.exitCode = await main();
