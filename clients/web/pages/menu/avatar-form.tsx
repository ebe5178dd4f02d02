import { type ChangeEvent, useRef } from 'react';
import type { Me } from '../../app/person.ts';
import { me } from '../../app/queries.ts';
import { useSite, useText } from '../../app/use-site.ts';
import { useWork } from '../../app/use-work.ts';
import { Button } from '../../primitives/button.tsx';
import { Avatar } from '../../primitives/parts.tsx';

const SIDE = 512;

/** The middle square of a picture, as the avatar is shown. @throws when the browser cannot read the picture */
async function squareOf(file: File): Promise<Blob> {
  const picture = await createImageBitmap(file);
  const side = Math.min(picture.width, picture.height);
  const canvas = new OffscreenCanvas(SIDE, SIDE);
  const left = (picture.width - side) / 2;
  const top = (picture.height - side) / 2;
  canvas.getContext('2d')?.drawImage(picture, left, top, side, side, 0, 0, SIDE, SIDE);
  picture.close();
  return canvas.convertToBlob({ type: 'image/jpeg', quality: 0.9 });
}

/** The person's picture: choose another one, or remove it. */
export function AvatarForm({ person }: { readonly person: Me }) {
  const site = useSite();
  const { t } = useText();
  const { problem, isBusy, run } = useWork();
  const input = useRef<HTMLInputElement>(null);
  const refresh = () => site.queries.fetchQuery({ ...me(site), staleTime: 0 });
  const choose = ({ currentTarget }: ChangeEvent<HTMLInputElement>): void => {
    const [file] = currentTarget.files ?? [];
    if (file === undefined) return;
    currentTarget.value = '';
    void run(async () => {
      await site.account?.uploadAvatar(await squareOf(file).catch(() => file));
      await refresh();
    });
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
          accept="image/jpeg,image/png,image/webp,image/avif"
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
        {problem === null ? null : (
          <p className="field-problem" role="alert">
            {t(problem)}
          </p>
        )}
      </div>
    </div>
  );
}
