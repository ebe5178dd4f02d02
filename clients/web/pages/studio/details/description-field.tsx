import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { Button } from '../../../primitives/button.tsx';
import { Section } from '../../../primitives/parts.tsx';
import { useDraft, useStoreAfterPause } from '../../../primitives/use-draft.ts';
import { markPage } from '../../../site/still-here.ts';
import { useSite, useText } from '../../../site/use-site.ts';
import type { OwnListing } from '../studio-queries.ts';
import { useAct } from '../use-act.ts';
import type { Save } from './use-save.ts';

const DraftText = lazy(() => import('./draft-text.tsx'));

const LONGEST = 10_000;

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
      {draft === undefined ? null : (
        <Suspense>
          <DraftText aiJobId={draft} save={save} onEnd={() => void show(null)} />
        </Suspense>
      )}
    </>
  );
}
