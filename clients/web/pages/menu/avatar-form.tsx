import { type ChangeEvent, lazy, Suspense, useRef, useState } from 'react';
import { PHOTO_TYPES } from '../../../../machines/vocabulary.ts';
import { useWork } from '../../api/use-work.ts';
import { Button } from '../../primitives/button.tsx';
import { Avatar } from '../../primitives/parts.tsx';
import { type Me, me } from '../../session/person.ts';
import { useSite, useText } from '../../site/use-site.ts';

const AvatarCrop = lazy(() => import('./avatar-crop.tsx'));

/** The person's picture: choose another one, or remove it. */
export function AvatarForm({ person }: { readonly person: Me }) {
  const site = useSite();
  const { t } = useText();
  const { problem, isBusy, run } = useWork();
  const [picture, setPicture] = useState<ImageBitmap | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const refresh = () => site.queries.fetchQuery({ ...me(site), staleTime: 0 });
  const send = (picture: Blob): Promise<void> =>
    run(async () => {
      await site.account?.uploadAvatar(picture);
      await refresh();
    });
  const choose = ({ currentTarget }: ChangeEvent<HTMLInputElement>): void => {
    const [file] = currentTarget.files ?? [];
    if (file === undefined) return;
    currentTarget.value = '';
    // What this browser cannot read, the server may: it is sent as it is.
    void createImageBitmap(file).then(setPicture, () => send(file));
  };
  const close = (): void => {
    picture?.close();
    setPicture(null);
  };
  const remove = (): void =>
    void run(async () => {
      await site.account?.removeAvatar();
      await refresh();
    });
  return (
    <div className="row">
      <Avatar name={person.name} image={person.image} large />
      <div className="stack">
        <input
          ref={input}
          className="visually-hidden"
          type="file"
          accept={PHOTO_TYPES.join()}
          aria-label={t('menu.avatar')}
          tabIndex={-1}
          onChange={choose}
        />
        <div className="row">
          <Button onPress={() => input.current?.click()} isDisabled={isBusy}>
            {t('menu.avatar')}
          </Button>
          {person.image === null ? null : (
            <Button kind="quiet" onPress={remove} isDisabled={isBusy}>
              {t('menu.removeAvatar')}
            </Button>
          )}
        </div>
        {picture === null ? null : (
          <Suspense>
            <AvatarCrop
              picture={picture}
              onClose={close}
              onChosen={(square) => {
                close();
                void send(square);
              }}
            />
          </Suspense>
        )}
        {problem === null ? null : (
          <p className="field-problem" role="alert">
            {t(problem)}
          </p>
        )}
      </div>
    </div>
  );
}
