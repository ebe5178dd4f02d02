import { parseArgs } from 'node:util';
import { DRIFT_FLAGS, RETIRED_DRIFT_FLAGS } from '../../machines/vocabulary.ts';
import { type DecidedDrift, decidedDrifts } from '../../persistence/console/drift-decisions.ts';
import { THRESHOLDS } from '../../src/images/drift/thresholds.ts';
import { DONE, type Running } from './run-operation.ts';
import { formatTable } from './text-table.ts';

/** What agents decided about compared pictures, by flag, by score, and on both sides of other thresholds. */
export const DRIFT_REPORT_HELP = `Usage: npm run ops -- drift-report [--days N]

Shows how agents decided about staged pictures that were compared with their photos (docs/contract.md#drift): by flag, by
score, and how other thresholds would have divided the decided ones. A threshold is good when few approved and many
rejected pictures lie above it. Changes nothing.

--days   only pictures that were compared in the last N days, 1 to 3650 (default 365)
`;
const DEFAULT_DAYS = 365;
const MOST_DAYS = 3_650;

export function parseDriftReport(
  args: readonly string[],
): { days: number } | { problems: string[] } | 'help' {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        days: { type: 'string', default: String(DEFAULT_DAYS) },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) return 'help';
    const days = /^\d{1,4}$/.test(values.days) ? Number(values.days) : 0;
    return days >= 1 && days <= MOST_DAYS ? { days } : { problems: [`--days takes 1 to ${MOST_DAYS}`] };
  } catch (error) {
    return { problems: [error instanceof Error ? error.message : String(error)] };
  }
}

export async function runDriftReport(
  { parts, screen }: Running,
  { days }: { days: number },
): Promise<number> {
  const drifts = await decidedDrifts(parts.pool, days);
  for (const line of driftReport(drifts)) screen.out(line);
  return DONE;
}

/** The report as lines. */
function driftReport(drifts: readonly DecidedDrift[]): string[] {
  const compared = drifts.filter(({ measures }) => measures !== null);
  return [
    `${drifts.length} staged pictures: ${compared.length} compared, ${drifts.length - compared.length} not.`,
    '',
    ...decisions('Flag', [
      ...[...DRIFT_FLAGS, ...RETIRED_DRIFT_FLAGS].map(
        (flag) => [flag, compared.filter(({ flags }) => flags?.includes(flag))] as const,
      ),
      ['none', compared.filter(({ flags }) => flags?.length === 0)],
      ['not compared', drifts.filter(({ measures }) => measures === null)],
    ]),
    '',
    ...decisions(
      'Score',
      BANDS.map(
        ([from, to]) => [`${from} to ${to}`, compared.filter(({ score }) => isIn(score, from, to))] as const,
      ),
    ),
    '',
    'Decided pictures above a threshold; * is the one in use:',
    ...thresholdTable(compared),
  ];
}

const BANDS = [
  [0, 0.2],
  [0.2, 0.35],
  [0.35, 0.5],
  [0.5, 0.65],
  [0.65, 1],
] as const;
const isIn = (score: number | null, from: number, to: number): boolean =>
  score !== null && score >= from && (score < to || to === 1);

function decisions(
  heading: string,
  rows: readonly (readonly [name: string, of: readonly DecidedDrift[]])[],
): string[] {
  return formatTable(
    [heading, 'Approved', 'Rejected', 'Pending'],
    rows.map(([name, of]) => {
      const count = (decision: DecidedDrift['decision']) =>
        String(of.filter((one) => one.decision === decision).length);
      return [name, count('APPROVED'), count('REJECTED'), count('PENDING')];
    }),
    { right: [1, 2, 3] },
  );
}

/** Multiples of the thresholds in use. */
const FACTORS = [0.5, 0.75, 1, 1.5, 2] as const;
/** The value that each threshold is compared with. */
const VALUES: Record<keyof typeof THRESHOLDS, (measures: Readonly<Record<string, number>>) => number> = {
  scale: ({ scale = 0 }) => scale,
  outliers: ({ inliers = 1 }) => 1 - inliers,
  melted: ({ melted = 0 }) => melted,
  surface: ({ surface = 0 }) => surface,
  paper: ({ paper = 0 }) => paper,
};

function thresholdTable(compared: readonly DecidedDrift[]): string[] {
  const of = (decision: DecidedDrift['decision']) => compared.filter((one) => one.decision === decision);
  const [approved, rejected] = [of('APPROVED'), of('REJECTED')];
  const names = Object.keys(THRESHOLDS) as (keyof typeof THRESHOLDS)[];
  const rows = names.flatMap((name) =>
    FACTORS.map((factor) => {
      const threshold = THRESHOLDS[name] * factor;
      const above = (pictures: readonly DecidedDrift[]) =>
        `${pictures.filter(({ measures }) => measures !== null && VALUES[name](measures) > threshold).length} of ${pictures.length}`;
      return [
        name,
        `${Number(threshold.toPrecision(3))}${factor === 1 ? ' *' : ''}`,
        above(approved),
        above(rejected),
      ];
    }),
  );
  return formatTable(['Measure', 'Threshold', 'Approved', 'Rejected'], rows, { right: [2, 3] });
}
