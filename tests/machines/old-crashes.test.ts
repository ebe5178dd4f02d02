import { describe, expect, test } from 'vitest';
import { type ReplayedEntry, replayJournal } from '../../machines/journal-replay.ts';
import { ACTOR_KINDS } from '../../persistence/actors/actor-kinds.ts';
import { IDS } from '../support/machines/event-catalogues.ts';
import { MANUAL_EPOCH } from '../support/manual-time.ts';

/**
 * Journals from the time when every crash without progress counted, and the fields that their job rows have had
 * since. The machines of that time wrote the rows; a replay must lead to the same result.
 */
type Line = [event: { type: string; [field: string]: unknown }, to: string];

/** The lines are a second apart. */
const journalOf = (lines: Line[]): ReplayedEntry[] =>
  lines.map(([event, to], index) => ({ seq: index + 1, event: { at: at(index), ...event }, to }));
const at = (line: number): number => MANUAL_EPOCH + line * 1_000;
const replay = (kind: 'stagingJob' | 'providerAttempt', lines: Line[]) => {
  const { states, fault } = replayJournal(ACTOR_KINDS[kind].machine, journalOf(lines), {
    kind,
    context: null,
  });
  expect(fault).toBeNull();
  return states.at(-1);
};

const started = { type: 'WORKER_STARTED', enabled: true, attemptId: IDS.attempt, queueAttempt: 1 };
const crash = (progressMark: number) => ({ type: 'RUNNER_CRASHED', progressMark });
const failed = {
  type: 'ATTEMPT_FAILED',
  errorCode: 'PROVIDER_FAILED',
  category: 'retryable',
  retryable: true,
  jitter: 0,
};
const due = {
  type: 'RETRY_DUE',
  at: at(3_600),
  enabled: true,
  attemptId: IDS.attempt,
};
const RUNNING = 'PROCESSING.ATTEMPT';

describe('an old journal of a staging job', () => {
  const START: Line[] = [[started, RUNNING]];
  const tests: { of: string; lines: Line[]; row: object }[] = [
    {
      of: 'crashes at the same progress',
      lines: [...START, [crash(3), RUNNING], [crash(3), RUNNING]],
      row: { crashCount: 2, crashMark: 3 },
    },
    {
      of: 'crashes with progress between them',
      lines: [...START, [crash(2), RUNNING], [crash(2), RUNNING], [crash(3), RUNNING]],
      row: { crashCount: 1, crashMark: 3 },
    },
    {
      of: 'the fifth crash, which was the last',
      lines: [...START, ...Array<Line>(4).fill([crash(3), RUNNING]), [crash(3), 'FAILED']],
      row: { crashCount: 5, crashMark: 3, errorCode: 'RUNNER_CRASHED', finishedAt: at(5) },
    },
    {
      of: 'the fifth crash of a job whose cancellation was requested',
      lines: [
        ...START,
        ...Array<Line>(4).fill([crash(3), RUNNING]),
        [{ type: 'CANCEL_ASKED' }, 'CANCEL_REQUESTED'],
        [crash(3), 'CANCELED'],
      ],
      row: {
        crashCount: 5,
        errorCode: null,
        retryAt: null,
        cancelRequestedAt: at(5),
        canceledAt: at(6),
        finishedAt: at(6),
      },
    },
    {
      of: 'a crash of attempt 1, and attempt 2 without one',
      lines: [
        ...START,
        [crash(3), RUNNING],
        [failed, 'RETRYING.BACKOFF'],
        [due, RUNNING],
        [{ type: 'ATTEMPT_SUCCEEDED', imageId: IDS.image }, 'SUCCESS'],
      ],
      row: { attemptCount: 2, crashCount: 1, crashMark: 3 },
    },
    {
      of: 'crashes of both attempts at the same version',
      lines: [
        ...START,
        [crash(3), RUNNING],
        [failed, 'RETRYING.BACKOFF'],
        [due, RUNNING],
        [crash(3), RUNNING],
      ],
      row: { attemptCount: 2, crashCount: 2, crashMark: 3 },
    },
    {
      of: 'a release by an operator, and a crash after it',
      lines: [
        ...START,
        ...Array<Line>(3).fill([crash(3), RUNNING]),
        [{ type: 'RELEASE_ASKED', quarantined: true }, RUNNING],
        [crash(3), RUNNING],
      ],
      row: { crashCount: 1, crashMark: 3 },
    },
    {
      of: 'crashes, and one of today after them',
      lines: [
        ...START,
        ...Array<Line>(4).fill([crash(3), RUNNING]),
        [{ type: 'RUNNER_CRASHED', pass: 'collect-output', alone: false }, RUNNING],
      ],
      row: { crashCount: 5, crashMark: null },
    },
  ];
  for (const { of, lines, row } of tests)
    test(`with ${of}`, () => {
      expect(replay('stagingJob', lines)).toMatchObject({ state: lines.at(-1)?.[1], context: row });
    });
});

test('an old journal has no scan before a retry of a lost purchase', () => {
  const lines: Line[] = [
    [{ type: 'SEND_CLAIMED', token: IDS.attempt }, 'SENT'],
    [{ type: 'RUNNER_RESTARTED' }, 'UNCONFIRMED'],
    [{ type: 'WINDOW_PASSED', jitter: 0 }, 'LOST'],
  ];
  expect(replay('providerAttempt', lines)?.context).toMatchObject({
    errorCode: 'PREDICTION_UNCONFIRMED',
    notListedAt: null,
  });
});

test('a job created today starts attempt 2 with a new count', () => {
  const lines: Line[] = [
    [started, RUNNING],
    [{ type: 'RUNNER_CRASHED', pass: 'collect-output', alone: false }, RUNNING],
    [failed, 'RETRYING.BACKOFF'],
    [due, RUNNING],
  ];
  expect(replay('stagingJob', lines.slice(0, 3))?.context).toMatchObject({ crashCount: 1, crashMark: null });
  expect(replay('stagingJob', lines)?.context).toMatchObject({ crashCount: 0, crashMark: null });
});
