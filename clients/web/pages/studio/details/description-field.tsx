import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { failureOf } from '../../../api/failures.ts';
import { Button } from '../../../primitives/button.tsx';
import { Section } from '../../../primitives/parts.tsx';
import { markPage } from '../../../site/still-here.ts';
import { useSite, useText } from '../../../site/use-site.ts';
import { descriptionJob, type OwnListing } from '../studio-queries.ts';
import { useAct } from '../use-act.ts';
import { useDraft, useStoreAfterPause } from './use-draft.ts';
import type { Save } from './use-save.ts';

const LONGEST = 10_000;
const BUSY_MS = 1_500;
const ENDED: ReadonlySet<string> = new Set(['SUCCESS', 'FAILED', 'CANCELED']);

/** The description: written by hand, or as a draft that the agent reads, edits and takes. */
export function DescriptionField({ listing, save }: { readonly listing: OwnListing; readonly save: Save }) {
  const { t } = useText();
  const { publicRemarks } = listing;
  const draft = useDraft(publicRemarks ?? '');
  const store = (typed: string): void => {
    const text = typed.trim();
    const next = text === '' ? null : text;
    draft.settle(next === publicRemarks || save({ publicRemarks: next }));
  };
  useStoreAfterPause(draft, store);
  return (
    <Section title={t('studio.field.publicRemarks')} id="description">
      <textarea
        className="input studio-description"
        aria-label={t('studio.field.publicRemarks')}
        value={draft.value}
        maxLength={LONGEST}
        onChange={({ currentTarget }) => draft.type(currentTarget.value)}
        onBlur={() => store(draft.value)}
      />
      <Draft listing={listing} save={save} />
    </Section>
  );
}

/** Asks for a draft. The job stands in the address, so that a reload shows it again. */
function Draft({ listing: { propertyId }, save }: { readonly listing: OwnListing; readonly save: Save }) {
  const { api } = useSite();
  const { t, locale } = useText();
  const navigate = useNavigate();
  const { isBusy, act } = useAct();
  const { draft } = useSearch({ from: '/studio/$propertyId/details' }) as { readonly draft?: string };
  const show = (aiJobId: string | null) =>
    navigate({
      to: '/studio/$propertyId/details',
      params: { propertyId },
      search: aiJobId === null ? {} : { draft: aiJobId },
      replace: true,
      resetScroll: false,
    });
  const request = () =>
    act(async () => {
      const isStillHere = markPage();
      const { aiJobId } = await api.ai.requestDescription({ propertyId, locale });
      if (isStillHere()) await show(aiJobId);
    });
  return (
    <>
      <div>
        <Button isDisabled={isBusy} onPress={() => void request()}>
          {t('description.request')}
        </Button>
      </div>
      {draft === undefined ? null : <DraftText aiJobId={draft} save={save} onEnd={() => void show(null)} />}
    </>
  );
}

const FAULT = 500;

function isRefusal(error: unknown): boolean {
  const { httpStatus } = failureOf(error);
  return httpStatus !== null && httpStatus < FAULT;
}

function DraftText({
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
