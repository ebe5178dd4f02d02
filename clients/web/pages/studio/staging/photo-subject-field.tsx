import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Field } from '../../../primitives/parts.tsx';
import { useSite, useText } from '../../../site/use-site.ts';
import { changePhoto } from '../change-photo.ts';
import { forAll } from '../for-all.ts';
import { subjectKey } from '../photo-name.ts';
import { OTHER_SUBJECTS } from '../room-guess.ts';
import { type ImageOf, myListing, type Photo, type RoomType } from '../studio-queries.ts';
import type { useAct } from '../use-act.ts';

const AT_ONCE = 4;

interface PhotoSubjectFieldProps {
  readonly propertyId: string;
  readonly photos: readonly Photo[];
  /** Those that can be staged. */
  readonly rooms: readonly RoomType[];
  readonly act: ReturnType<typeof useAct>['act'];
}

/**
 * What the chosen photos show: a room that can be staged, or something else; one ends the other. A change is stored at
 * once. Nothing is ordered in between.
 */
export function PhotoSubjectField({ propertyId, photos, rooms, act }: PhotoSubjectFieldProps) {
  const { api, sender } = useSite();
  const { t } = useText();
  const queries = useQueryClient();
  const [next, setNext] = useState<RoomType | ImageOf | null>(null);
  const shown = new Set(photos.map(({ roomType, imageOf }) => roomType ?? imageOf));
  const [only] = shown.size === 1 ? shown : [];
  const value = next ?? only ?? '';
  const missing = photos.filter(({ imageOf }) => imageOf === null).length;
  const isRoom = (subject: string): subject is RoomType => rooms.some((room) => room === subject);
  const change = async (subject: string): Promise<void> => {
    if (sender === null) return;
    setNext(subject as RoomType | ImageOf);
    const chosen = isRoom(subject) ? { roomType: subject } : { imageOf: subject as ImageOf };
    await act(async () => {
      try {
        await forAll(photos, AT_ONCE, ({ imageId }) => changePhoto(sender, imageId, chosen));
      } finally {
        await queries.invalidateQueries({ queryKey: myListing(api, propertyId).queryKey });
      }
    });
    setNext((latest) => (latest === subject ? null : latest));
  };
  return (
    <Field label={t('studio.staging.room')}>
      <select
        className="input"
        value={value}
        disabled={photos.length === 0}
        onChange={({ currentTarget }) => void change(currentTarget.value)}
      >
        {value === '' ? (
          <option value="" disabled>
            {t(missing > 0 ? 'studio.staging.roomsUnknown' : 'studio.staging.roomsDiffer', {
              count: missing,
            })}
          </option>
        ) : null}
        <optgroup label={t('studio.staging.canBeStaged')}>
          {rooms.map((roomType) => (
            <option key={roomType} value={roomType}>
              {t(subjectKey({ roomType }))}
            </option>
          ))}
        </optgroup>
        <optgroup label={t('studio.staging.otherSubjects')}>
          {OTHER_SUBJECTS.map((imageOf) => (
            <option key={imageOf} value={imageOf}>
              {t(subjectKey({ roomType: null, imageOf }))}
            </option>
          ))}
        </optgroup>
      </select>
    </Field>
  );
}
