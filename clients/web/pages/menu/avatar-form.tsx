import { useMutation } from '@tanstack/react-query';
import { type ChangeEvent, lazy, Suspense, useRef, useState } from 'react';
import { PHOTO_ACCEPT } from '../../../../machines/vocabulary.ts';
import { problemText } from '../../api/failures.ts';
import { Button } from '../../primitives/button.tsx';
import { Avatar, Problem } from '../../primitives/parts.tsx';
import { type Me, me } from '../../session/person.ts';
import { useSite, useText } from '../../site/use-site.ts';

const AvatarCrop = lazy(() => import('./avatar-crop.tsx'));

/** The person's picture: choose another one, or remove it. */
export function AvatarForm({ person }: { readonly person: Me }) {
  const site = useSite();
  const text = useText();
  const { t } = text;
  const { error, isPending, mutate } = useMutation({
    /** @param picture the new one; null removes what is there */
    mutationFn: async (picture: Blob | null) => {
      await (picture === null ? site.account?.removeAvatar() : site.account?.uploadAvatar(picture));
      await site.queries.fetchQuery({ ...me(site), staleTime: 0 });
    },
  });
  const [picture, setPicture] = useState<ImageBitmap | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const choose = ({ currentTarget }: ChangeEvent<HTMLInputElement>): void => {
    const [file] = currentTarget.files ?? [];
    if (file === undefined) return;
    currentTarget.value = '';
    // What this browser cannot read, the server may: it is sent as it is.
    void createImageBitmap(file).then(setPicture, () => mutate(file));
  };
  const close = (): void => {
    picture?.close();
    setPicture(null);
  };
  return (
    <div className="row">
      <Avatar name={person.name} image={person.image} large />
      <div className="stack">
        <input
          ref={input}
          className="visually-hidden"
          type="file"
          accept={PHOTO_ACCEPT}
          aria-label={t('menu.avatar')}
          tabIndex={-1}
          onChange={choose}
        />
        <div className="row">
          <Button onPress={() => input.current?.click()} isDisabled={isPending}>
            {t('menu.avatar')}
          </Button>
          {person.image === null ? null : (
            <Button kind="quiet" onPress={() => mutate(null)} isDisabled={isPending}>
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
                mutate(square);
              }}
            />
          </Suspense>
        )}
        <Problem text={problemText(text, error)} />
      </div>
    </div>
  );
}
