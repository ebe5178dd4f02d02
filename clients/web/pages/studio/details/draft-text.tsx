import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { failureOf } from '../../../api/failures.ts';
import { Button } from '../../../primitives/button.tsx';
import { markPage } from '../../../site/still-here.ts';
import { useSite, useText } from '../../../site/use-site.ts';
import { descriptionJob } from '../studio-queries.ts';
import type { Save } from './use-save.ts';

const LONGEST = 10_000;
const BUSY_MS = 1_500;
const ENDED: ReadonlySet<string> = new Set(['SUCCESS', 'FAILED', 'CANCELED']);
const FAULT = 500;

function isRefusal(error: unknown): boolean {
  const { httpStatus } = failureOf(error);
  return httpStatus !== null && httpStatus < FAULT;
}

/** What was drafted, to be read, edited and taken. */
export default function DraftText({
  aiJobId,
  save,
  onEnd,
}: {
  readonly aiJobId: string;
  readonly save: Save;
  readonly onEnd: () => void;
}) {
  const { api } = useSite();
  const { t } = useText();
  const [edited, setEdited] = useState<string | null>(null);
  const job = useQuery({
    ...descriptionJob(api, aiJobId),
    // An answer that did not come is asked for again; a refusal is for good.
    refetchInterval: ({ state: { data, error } }) =>
      isRefusal(error) || (data !== undefined && ENDED.has(data.status)) ? false : BUSY_MS,
  });
  const accept = async (text: string): Promise<void> => {
    const isStillHere = markPage();
    if ((await save({ publicRemarks: text })) && isStillHere()) onEnd();
  };
  const text = edited ?? job.data?.text ?? null;
  const hasEnded = job.data !== undefined && ENDED.has(job.data.status);
  const hasFailed = text === null && (hasEnded || isRefusal(job.error));
  const state = hasFailed
    ? 'studio.draft.failed'
    : text === null
      ? 'studio.draft.writing'
      : 'description.draft';
  return (
    <div className="panel">
      <p className={hasFailed ? 'field-problem' : 'muted'} role="status">
        {t(state)}
      </p>
      {text === null ? null : (
        <textarea
          className="input studio-description"
          aria-label={t('studio.draft.title')}
          value={text}
          maxLength={LONGEST}
          onChange={({ currentTarget }) => setEdited(currentTarget.value)}
        />
      )}
      <div className="row">
        {text === null ? null : (
          <Button kind="primary" isDisabled={text.trim() === ''} onPress={() => void accept(text.trim())}>
            {t('studio.draft.accept')}
          </Button>
        )}
        <Button kind="quiet" onPress={onEnd}>
          {t('studio.draft.discard')}
        </Button>
      </div>
    </div>
  );
}
