import { captureException, eventFiltersIntegration, init, linkedErrorsIntegration } from '@sentry/browser';
import { filterEvent } from '../../../src/telemetry/report-filter.ts';
import { createScrubber } from '../../../src/telemetry/scrub.ts';
import type { SiteCrashReports } from '../../../src/website/renderer.ts';

/** Most reports of one document. */
const MOST_SENT = 20;

/**
 * Starts the library that sends reports (docs/contract.md#crash-reports): errors only, no traces, nothing of what a
 * person does on the page.
 * @returns reports an error
 */
export function startReports(
  { dsn, release, environment }: SiteCrashReports,
  patternOf: () => string,
): (error: unknown) => void {
  const withoutSecrets = createScrubber([]);
  // Stack frames of inline scripts name the address of the document.
  const scrub = (text: string): string =>
    withoutSecrets(text).replaceAll(location.origin + location.pathname, patternOf());
  let sent = 0;
  init({
    dsn,
    release,
    environment,
    defaultIntegrations: false,
    integrations: [eventFiltersIntegration(), linkedErrorsIntegration()],
    initialScope: { tags: { role: 'site' } },
    beforeSend: (event) => {
      sent += 1;
      if (sent > MOST_SENT) return null;
      return filterEvent({ ...event, transaction: patternOf(), request: { method: 'GET' } }, scrub);
    },
  });
  return (error) => void captureException(error);
}
