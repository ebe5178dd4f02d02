import type { SiteCrashReports } from '../../../src/website/renderer.ts';

/** Errors kept until reports can be sent. The first errors of a loop say enough. */
const MOST_KEPT = 10;
/** After the load event, the scripts that make the page usable still run. */
const AFTER_LOAD_MS = 2_000;

/**
 * Reports errors of this document from now on. The library that sends them is loaded once the page is usable; until
 * then the first ones are kept.
 * @param patternOf the pattern of the page that is shown, such as `/properties/$propertyId`
 * @returns reports an error that raises no event
 */
export function reportErrors(reports: SiteCrashReports, patternOf: () => string): (error: unknown) => void {
  const kept: unknown[] = [];
  let capture = (error: unknown): void => {
    if (kept.length < MOST_KEPT) kept.push(error);
  };
  addEventListener('error', (event) => capture(event.error ?? event.message));
  addEventListener('unhandledrejection', (event) => capture(event.reason));
  const start = async (): Promise<void> => {
    const { startReports } = await import('../crash-reports/crash-reports.ts');
    capture = startReports(reports, patternOf);
    for (const error of kept.splice(0)) capture(error);
  };
  // If the library cannot be loaded, reports cannot be sent either.
  const whenIdle = (): void => void setTimeout(() => void start().catch(() => undefined), AFTER_LOAD_MS);
  if (document.readyState === 'complete') whenIdle();
  else addEventListener('load', whenIdle, { once: true });
  return (error) => capture(error);
}
