import type { CrashReportOptions } from '../../src/telemetry/crash-reports.ts';
import { startCrashReports } from '../../src/telemetry/crash-reports.ts';
import { type Command, DONE, NOT_DONE, NOT_UNDERSTOOD } from './run-operation.ts';

/** Shows that crash reports arrive (docs/contract.md#crash-reports). */
export const TEST_EVENT_HELP = `Usage: [SENTRY_DSN=…] [SITE_SENTRY_DSN=…] npm run ops -- send-test-event

Sends one crash report to each of these addresses, through the filter of the roles, and prints its id. Look for the
id where the reports are shown. Exit code 0 only when every report was taken.
`;

const CLOSE_MS = 10_000;
const VARIABLES = ['SENTRY_DSN', 'SITE_SENTRY_DSN'] as const;

export async function sendTestEvents({
  environment,
  screen,
  transport,
}: Pick<Command, 'environment' | 'screen'> & Pick<CrashReportOptions, 'transport'>): Promise<number> {
  let found = 0;
  let taken = 0;
  for (const name of VARIABLES) {
    let status: number | undefined;
    const reports = await startCrashReports({
      dsn: environment[name] ?? null,
      role: 'operator',
      nodeEnv: environment.NODE_ENV ?? null,
      transport,
      onAnswer: (answered) => {
        status = answered;
      },
    });
    if (!reports.enabled) continue;
    found += 1;
    const id = reports.capture(new Error('Test event'));
    await reports.close(CLOSE_MS);
    const wasTaken = status === 200;
    screen.out(
      wasTaken ? `${name}: taken, event ${id}` : `${name}: NOT taken (${status ?? 'no answer'}), event ${id}`,
    );
    if (wasTaken) taken += 1;
  }
  if (found > 0) return taken === found ? DONE : NOT_DONE;
  screen.err(`Set ${VARIABLES.join(' or ')} to an https ingest address.`);
  return NOT_UNDERSTOOD;
}
