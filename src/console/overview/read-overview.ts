import { CONSOLE_KIND_NAMES, type ConsoleKind } from '../../../persistence/console/kinds.ts';
import { COUNTED_UP_TO, countStates } from '../../../persistence/console/lists.ts';
import {
  countAwaitingOperator,
  countQuarantined,
  countRoomDifferences,
  nodesSeen,
} from '../../../persistence/console/overview.ts';
import { openPhotoCases } from '../../../persistence/console/photo-cases.ts';
import { countDataReports } from '../../../persistence/listings/data-reports.ts';
import { countMessageReports } from '../../../persistence/messages/message-reports.ts';
import { canChangeTables } from '../../../persistence/migrations/database-roles.ts';
import { configFingerprint } from '../../config/config.ts';
import { STALE_THRESHOLDS } from '../../telemetry/alerts.ts';
import type { ConsoleContext } from '../context.ts';
import { readPauseSwitch } from '../pause-switch.ts';

const NODES_SHOWN = 20;
/** A process that started longer ago and holds no lease has most likely ended. */
const NODES_SINCE_MS = 7 * 24 * 60 * 60 * 1000;

const REPORTS_SINCE_MS = NODES_SINCE_MS;

export type Overview = Awaited<ReturnType<typeof readOverview>>;

/** The data of the overview; times are milliseconds since 1970. `node` is the process that answers. */
export async function readOverview(context: ConsoleContext) {
  const { config, clock, database, store, descriptionLeases, node } = context;
  const { pool } = database;
  const at = clock.now();
  const thresholds = { at, ...STALE_THRESHOLDS };
  // In sequence: an open page must not take the connections that jobs need.
  const counts = new Map<ConsoleKind, ReadonlyMap<string, number>>();
  for (const kind of CONSOLE_KIND_NAMES) counts.set(kind, await countStates(pool, kind));
  const quarantined = await countQuarantined(pool);
  const objections = await countAwaitingOperator(pool, 'imageReview');
  const contests = await countAwaitingOperator(pool, 'tour');
  const roomDifferences = await countRoomDifferences(pool);
  const photoCases = (await openPhotoCases(pool, COUNTED_UP_TO + 1)).length;
  const messageReports = await countMessageReports(pool, {
    since: at - REPORTS_SINCE_MS,
    limit: COUNTED_UP_TO + 1,
  });
  const dataReports = await countDataReports(pool, {
    since: at - REPORTS_SINCE_MS,
    limit: COUNTED_UP_TO + 1,
  });
  const staging = await store.staleJobs(thresholds);
  const descriptions = await descriptionLeases.staleJobs(thresholds);
  const since = at - NODES_SINCE_MS;
  const nodes = await nodesSeen(pool, { hash: configFingerprint(config), since, limit: NODES_SHOWN });
  const pauseSwitch = await readPauseSwitch(context);
  return {
    at,
    node,
    pauseSwitch,
    nodes,
    quarantined,
    objections,
    contests,
    roomDifferences,
    photoCases,
    messageReports,
    dataReports,
    canChangeTables: await canChangeTables(pool),
    counts,
    enabled: config.stagingEnabled,
    startsPerMinute: config.rateLimitPerMinute,
    stale: [
      ...staging.map((one) => ({ ...one, kind: 'stagingJob' })),
      ...descriptions.map((one) => ({ ...one, kind: 'descriptionJob' })),
    ],
  };
}
