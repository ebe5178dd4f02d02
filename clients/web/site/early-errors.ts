import type { SiteCrashReports } from '../../../src/website/renderer.ts';

/** Errors that are kept until reports can be sent; a page that fails in a loop is told by its first ones. */
const MOST_KEPT = 10;

/**
 * Reports errors of this document from now on. The library that sends them is loaded once the page is usable; until
 * then the first ones are kept.
 * @param patternOf the pattern of the page that is shown, such as `/properties/$propertyId`
 * @returns takes an error that no event tells of
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
  // Where it cannot be loaded, nothing can be sent either.
  const whenIdle = (): void => void setTimeout(() => void start().catch(() => undefined), AFTER_LOAD_MS);
  if (document.readyState === 'complete') whenIdle();
  else addEventListener('load', whenIdle, { once: true });
  return (error) => capture(error);
}

/** After the load, what makes the page usable still runs. */
const AFTER_LOAD_MS = 2_000;
