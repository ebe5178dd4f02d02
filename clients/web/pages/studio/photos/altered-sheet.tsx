import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Inputs } from '../../../../typescript/procedures.ts';
import { Button } from '../../../primitives/button.tsx';
import { Field } from '../../../primitives/parts.tsx';
import { Sheet } from '../../../primitives/sheet.tsx';
import { useSite, useText } from '../../../site/use-site.ts';
import { photoName } from '../photo-name.ts';
import { myListing, type Photo, variants } from '../studio-queries.ts';
import { useAct } from '../use-act.ts';

type Kind = NonNullable<Inputs['properties']['declareAltered']['kind']>;

/** The kinds of RESO in plain words, the most frequent first. */
const KINDS: Readonly<Record<Kind, string>> = {
  'Virtual Staging - Item Addition': 'studio.altered.kind.STAGED',
  'Decluttered - Item Removed': 'studio.altered.kind.DECLUTTERED',
  'Twilight Conversion': 'studio.altered.kind.TWILIGHT',
  'Virtual Enhancements': 'studio.altered.kind.ENHANCED',
  'Virtual Renovation': 'studio.altered.kind.RENOVATED',
  'Virtual Representation - To Be Built': 'studio.altered.kind.TO_BE_BUILT',
  'Virtual Representation - Under Construction': 'studio.altered.kind.UNDER_CONSTRUCTION',
  'Model Home': 'studio.altered.kind.MODEL_HOME',
  'Other Media Modification': 'studio.altered.kind.OTHER',
};
const isKind = (value: string): value is Kind => Object.hasOwn(KINDS, value);

interface AlteredSheetProps {
  readonly photo: Photo;
  /** All photos of the listing, in their order. */
  readonly photos: readonly Photo[];
  readonly onClose: () => void;
}

/** Says that a photo was altered before it came here, how, and which photo shows the place as it is. */
export default function AlteredSheet({ photo, photos, onClose }: AlteredSheetProps) {
  const { api } = useSite();
  const { t } = useText();
  const queries = useQueryClient();
  const { isBusy, act } = useAct();
  const { imageId, propertyId, alteration, alterationBy, alteredFromId } = photo;
  const [kind, setKind] = useState<Kind | ''>(alteration !== null && isKind(alteration) ? alteration : '');
  const [originalImageId, setOriginal] = useState(alteredFromId ?? '');
  const isOthersWord = alterationBy === 'FILE' || alterationBy === 'FEED';
  const declare = (input: Inputs['properties']['declareAltered']) =>
    act(async () => {
      await api.properties.declareAltered(input);
      await Promise.all([
        queries.invalidateQueries({ queryKey: myListing(api, propertyId).queryKey }),
        queries.invalidateQueries({ queryKey: variants(api, propertyId).queryKey }),
      ]);
      onClose();
    });
  return (
    <Sheet title={t('studio.altered.title')} onClose={onClose}>
      <p>{t(isOthersWord ? `studio.altered.by.${alterationBy}` : 'studio.altered.text')}</p>
      <Field label={t('studio.altered.kind')}>
        <select
          className="input"
          value={kind}
          disabled={isOthersWord}
          onChange={({ currentTarget: { value } }) => setKind(isKind(value) ? value : '')}
        >
          <option value="" disabled>
            {t('studio.altered.chooseKind')}
          </option>
          {Object.entries(KINDS).map(([value, word]) => (
            <option key={value} value={value}>
              {t(word)}
            </option>
          ))}
        </select>
      </Field>
      <Field label={t('studio.altered.original')}>
        <select
          className="input"
          value={originalImageId}
          onChange={({ currentTarget: { value } }) => setOriginal(value)}
        >
          <option value="">{t('studio.altered.noOriginal')}</option>
          {photos.map((one, index) =>
            one.imageId === imageId || one.alteration !== null ? null : (
              <option key={one.imageId} value={one.imageId}>
                {photoName(t, one, index)}
              </option>
            ),
          )}
        </select>
      </Field>
      <div className="row">
        <Button
          kind="primary"
          isDisabled={isBusy || kind === ''}
          onPress={() => {
            if (kind === '') return;
            void declare({ imageId, kind, originalImageId: originalImageId === '' ? null : originalImageId });
          }}
        >
          {t('studio.altered.save')}
        </Button>
        {alterationBy === 'AGENT' ? (
          <Button isDisabled={isBusy} onPress={() => void declare({ imageId, kind: null })}>
            {t('studio.altered.takeBack')}
          </Button>
        ) : null}
      </div>
    </Sheet>
  );
}
