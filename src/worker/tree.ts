import { lookAround } from '../../persistence/actors/worker-look.ts';
import type { StartsAllowed } from '../../supervisors/ports.ts';
import type { Service } from '../../supervisors/supervision/service.ts';
import { Supervisor } from '../../supervisors/supervision/supervisor.ts';
import { watchPauseSwitch } from '../../supervisors/sweepers/pause-switch-watch.ts';
import { createSettingsWatch } from '../role/settings-watch.ts';
import { createAlertTurns } from './alert-turns.ts';
import { createBacklogGauges } from './backlog-gauges.ts';
import { createChangeNumbers } from './change-numbers.ts';
import { createCostRecorder } from './cost-recorder.ts';
import { createDriftComparer } from './drift-comparer.ts';
import { createFeedAges } from './feed-ages.ts';
import { feedPictures } from './feed-pictures.ts';
import { feedTurns } from './feed-turns.ts';
import { jobsTree } from './jobs-tree.ts';
import { createOfferExpiry } from './offer-expiry.ts';
import type { WorkerParts } from './parts.ts';
import { createPhotoChecker } from './photo-checker.ts';
import { createProvenanceBackfill } from './provenance-backfill.ts';
import { createRetention } from './retention.ts';
import {
  alerts,
  drainConsumer,
  drainScheduler,
  indexConsumer,
  predictionScanner,
  purchaseAudit,
  purchaseCheck,
  searchRebuilder,
  searchSweeper,
  shownTimers,
  suspensionSweeper,
  tourSweeper,
} from './services.ts';

/**
 * The worker's supervision tree, in start order from top to bottom. In `staging` and `descriptions` each child
 * depends on the ones above it, so they restart together; in other supervisors each child restarts alone. The pause
 * switch is read before any part below it starts. A child that keeps crashing ends its supervisor, then the
 * process, which the platform restarts.
 */
const INTENSITY = { restarts: 5, withinMs: 60_000 };

export function createWorkerTree(parts: WorkerParts): Service {
  const pauseSwitch = watchPauseSwitch({
    ...parts,
    async look() {
      const look = await parts.databaseClock.learn(() => lookAround(parts.database.pool));
      parts.shift.note(look);
      return look;
    },
    intervalMs: parts.timings.pauseSwitchMs,
    idleMs: parts.timings.idleLookMs,
    looksForAll: parts.shift.isOn,
    onChange: (open) => parts.logger.info(open ? 'the pause switch is off' : 'the pause switch is on'),
  });
  const startsAllowed: StartsAllowed = () =>
    parts.config.stagingEnabled &&
    pauseSwitch.isOpen() &&
    !parts.databaseClock.isSkewed() &&
    (parts.confirmation?.isHopeful() ?? true);
  const starts = { startsAllowed, refreshStarts: pauseSwitch.refresh, intensity: INTENSITY };
  const group = (name: string, services: Record<string, (parts: WorkerParts) => Service>): Service =>
    new Supervisor({
      ...parts,
      name,
      strategy: 'one_for_one',
      intensity: INTENSITY,
      children: Object.entries(services).map(([child, create]) => ({
        name: child,
        create: () => create(parts),
      })),
    });
  // Without prices there is nothing to record.
  const hasPrices = Object.keys(parts.config.costMicrousd).length > 0;
  return group('worker', {
    'pause-switch': () => pauseSwitch.service(),
    shift: () => parts.shift.service(),
    staging: () => jobsTree(parts, 'stagingJob', starts),
    descriptions: () => jobsTree(parts, 'descriptionJob', starts),
    storage: () => group('storage', { 'drain-consumer': drainConsumer, 'drain-scheduler': drainScheduler }),
    search: () =>
      group('search', {
        'index-consumer': indexConsumer,
        'search-sweeper': searchSweeper,
        'search-rebuilder': searchRebuilder,
      }),
    tours: () => group('tours', { 'tour-sweeper': tourSweeper, 'suspension-sweeper': suspensionSweeper }),
    'drift-comparer': (parts) =>
      createDriftComparer({
        ...parts,
        timers: parts.shift.timers({ isWanted: ({ hasDriftDue }) => hasDriftDue }),
      }),
    'photo-checker': (parts) =>
      createPhotoChecker({
        ...parts,
        timers: parts.shift.timers({ isWanted: ({ hasChecksDue }) => hasChecksDue }),
      }),
    'prediction-scanner': predictionScanner,
    'purchase-check': purchaseCheck,
    'purchase-audit': purchaseAudit,
    alerts,
    'settings-watch': (parts) => createSettingsWatch({ ...parts, pool: parts.database.pool }),
    'backlog-gauges': (parts) => createBacklogGauges({ ...parts, timers: shownTimers(parts) }),
    'provenance-backfill': (parts) => createProvenanceBackfill(onShift(parts)),
    'feed-ages': (parts) => createFeedAges(onShift(parts)),
    'offer-expiry': (parts) => createOfferExpiry(onShift(parts)),
    'feed-turns': (parts) => feedTurns(onShift(parts)),
    'feed-pictures': (parts) => feedPictures(onShift(parts)),
    'change-numbers': (parts) => createChangeNumbers(onShift(parts)),
    'alert-turns': (parts) => createAlertTurns(onShift(parts)),
    retention: (parts) => createRetention(onShift(parts)),
    ...(hasPrices ? { 'cost-recorder': (parts: WorkerParts) => createCostRecorder(onShift(parts)) } : {}),
  });
}

/** For loops of which one in the installation is enough. */
const onShift = (parts: WorkerParts): WorkerParts => ({ ...parts, timers: parts.shift.timers() });
