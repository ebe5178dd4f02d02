import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { MAX_REPORT_NOTE, MAX_REPORTED_PICTURES } from '../../../../machines/limits.ts';
import { problemText } from '../../api/failures.ts';
import { propertyDetail, TOURS } from '../../api/queries.ts';
import { Button } from '../../primitives/button.tsx';
import { CheckboxRow } from '../../primitives/choices.tsx';
import { Field, Skeleton } from '../../primitives/parts.tsx';
import { Picture } from '../../primitives/picture.tsx';
import { Sheet } from '../../primitives/sheet.tsx';
import { useSite, useText } from '../../site/use-site.ts';
import type { Tour } from './tour-list.ts';

/** Asks which staged pictures of a visited home did not match it, and what was different. */
export default function MismatchSheet({
  tour: { tourId, propertyId, mismatchReports },
  onClose,
}: {
  readonly tour: Tour;
  readonly onClose: () => void;
}) {
  const { api, queries } = useSite();
  const text = useText();
  const { t } = text;
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const { error, isPending, mutate } = useMutation({
    mutationFn: async (note: string) => {
      await api.tours.reportMismatch({ tourId, imageIds: [...chosen], note: note === '' ? null : note });
      await queries.invalidateQueries({ queryKey: TOURS });
      onClose();
    },
  });
  // A home without a public page shows no picture.
  const home = useQuery({ ...propertyDetail(api, { propertyId }), retry: false });
  const reported = new Set(mismatchReports.map(({ imageId }) => imageId));
  const pictures = (home.data?.images ?? []).filter(
    ({ isStyled, imageId }) => isStyled && !reported.has(imageId),
  );
  const toggle = (imageId: string, isChosen: boolean): void =>
    setChosen((now) => (isChosen ? [...now, imageId] : now.filter((one) => one !== imageId)));
  const send = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    mutate(String(new FormData(event.currentTarget).get('note') ?? '').trim());
  };
  return (
    <Sheet title={t('tours.mismatch.title')} onClose={onClose}>
      {home.isPending ? (
        <Skeleton height="12rem" />
      ) : pictures.length === 0 ? (
        <p className="muted">{t('tours.mismatch.none')}</p>
      ) : (
        <form className="stack" onSubmit={send}>
          <p className="muted">{t('tours.mismatch.text')}</p>
          <ul className="stack">
            {pictures.map(({ imageId }, index) => (
              <li key={imageId} className="mismatch-choice">
                <Picture imageId={imageId} alt="" ratio={4 / 3} sizes="8rem" />
                <CheckboxRow
                  label={t('tours.mismatch.picture', { number: index + 1 })}
                  isChosen={chosen.includes(imageId)}
                  isDisabled={chosen.length >= MAX_REPORTED_PICTURES && !chosen.includes(imageId)}
                  onChange={(isChosen) => toggle(imageId, isChosen)}
                />
              </li>
            ))}
          </ul>
          <Field label={t('tours.mismatch.note')} problem={problemText(text, error)}>
            <textarea className="input" name="note" maxLength={MAX_REPORT_NOTE} />
          </Field>
          <Button kind="primary" type="submit" isDisabled={chosen.length === 0 || isPending}>
            {t('tours.mismatch.send')}
          </Button>
        </form>
      )}
    </Sheet>
  );
}
